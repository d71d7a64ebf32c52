"""The same scenes of solids by ADMM and by conjugate residuals: time, iterations, and what the judge finds.

Both may be off by 0.01 mm in a step. `python -m benchmarks.admm_and_cr NAME SIZE FRAMES` measures a scene of
benchmarks/scenes on one thread; frames have ten steps, and the judge looks at the last of each.
"""

import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numba
import numpy as np

from stiction.solver import Scene, Simulation
from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.contact.conjugate_residual import MixedSolver
from stiction.solver.contact.residuals import judge
from stiction.solver.integrator import contact_newton
from stiction.solver.scene import MIXED

from .mixed_steps import problem_of
from .scenes.friction_problems import captured_step, friction_problem
from .scenes.solids import STEPS_PER_FRAME, solid_simulation

TOLERANCE = 1e-5  # way in a step that contacts may be off [m]
METHODS = ("admm", MIXED)


class Measured(NamedTuple):
    """Means over the frames with contacts, and the worst of them."""

    method: str
    contacts: float
    seconds: float  # a step
    solver_seconds: float  # of these, without detection
    iterations: float  # a step
    natural_map: tuple[float, float]
    dynamics: tuple[float, float]
    intersections: int
    held_back: int


def measure(scene: Scene, method: str, frame_count: int) -> Measured:
    scene.contact_method = method
    simulation = solid_simulation(scene)
    _ask_for(simulation, method)
    count_intersections, judging = intersection_counter(scene), _Judging(simulation)
    reports, seconds, crossings = [], 0.0, 0
    with judging.watching(method):
        start = time.perf_counter()
        for frame in simulation.frames(1, frame_count):
            seconds += time.perf_counter() - start
            crossings += count_intersections(frame)
            reports.append(frame.report)
            start = time.perf_counter()
    steps = sum(report.steps for report in reports)
    return Measured(
        *(method, float(np.mean([report.contacts for report in reports[1:]])), (seconds - judging.seconds) / steps),
        sum(_solver_seconds(report.timings) for report in reports) / steps,
        sum(report.contact_iterations for report in reports) / steps,
        *(_median_and_worst(values) for values in zip(*judging.residuals)),
        *(crossings, sum(report.held_back for report in reports)),
    )


def _ask_for(simulation: Simulation, method):
    settings = simulation.integrator.solver.settings
    if method == MIXED:
        settings.distance = TOLERANCE
    else:
        settings.admm.tolerance = TOLERANCE


def _solver_seconds(timings):
    """Of the method alone."""
    stages = ("linear_solve", "projection", "mixed_system")
    return sum(spent for stage, spent in timings.items() if stage.rsplit(".", 1)[-1] in stages)


def _median_and_worst(values):
    return float(np.median(values)), float(max(values))


class _Judging:
    """What the judge finds in the last system of every frame, while it is watching; that time is not the method's."""

    def __init__(self, simulation: Simulation):
        self.simulation, self.residuals, self.seconds = simulation, [], 0.0

    @contextmanager
    def watching(self, method: str) -> Iterator[None]:
        owner, name = (MixedSolver, "solve") if method == MIXED else (contact_newton._StepProblem, "run")
        original, judged = getattr(owner, name), _judged_mixed if method == MIXED else _judged_admm

        def watched(solver, *arguments):
            result = original(solver, *arguments)
            if self.simulation.state.step % STEPS_PER_FRAME == STEPS_PER_FRAME - 1:
                start = time.perf_counter()
                self.residuals += judged(solver, result)
                self.seconds += time.perf_counter() - start
            return result

        setattr(owner, name, watched)
        try:
            yield
        finally:
            setattr(owner, name, original)


def _judged_mixed(solver, _):
    if not solver.problem.contact_count:
        return []
    return [_of_law_and_dynamics(judge(problem_of(solver), solver.state.v, solver.rows.impulses))]


def _judged_admm(step, result):
    problem = friction_problem(captured_step(step, step.state.impulses))
    if not problem.contact_count:
        return []
    impulses = np.einsum("mij,mj->mi", problem.nodal_form.frames, step.projection.impulses)
    return [_of_law_and_dynamics(judge(problem, result.velocities.ravel(), impulses))]


def _of_law_and_dynamics(residuals):
    return residuals.natural_map, residuals.dynamics


def main(name: str, size: str, frame_count: str) -> None:
    numba.set_num_threads(1)
    shot = importlib.import_module(f"benchmarks.scenes.{name}").SHOT
    columns = "scene", "method", "contacts", "step", "of this, solver", "iterations", "law", "dynamics"
    print(f"| {' | '.join(columns)} | intersections | held back |\n|{'---|' * (len(columns) + 2)}")
    for method in METHODS:
        found = measure(shot.build(int(size)), method, int(frame_count))
        parts = [f"{median:.1e} ({worst:.1e})" for median, worst in (found.natural_map, found.dynamics)]
        times = f"{1e3 * found.seconds:.0f} ms | {1e3 * found.solver_seconds:.0f} ms | {found.iterations:.1f}"
        counts = f"{found.contacts:.0f} | {times}", f"{found.intersections} | {found.held_back}"
        print("|", " | ".join([f"`{name} {size}`", method, counts[0], *parts, counts[1]]), "|", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
