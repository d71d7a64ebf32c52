"""How methods converge on a step of the bearing [Verschoor and Jalba 2019, figures 6 and 7].

`python -m benchmarks.mixed_methods FOLDER LEVELS STEPS` captures the last of so many steps by conjugate residuals and
solves it by each method from velocities zero and no impulses (ICA, as its authors do, from velocities without
contacts); it draws the residuals and the way to the solution, and prints how many iterations they take.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stiction.solver.contact.conjugate_residual import CrSettings, MixedSolver, run_cr
from stiction.solver.contact.ica import IcaSettings, run_ica, unconstrained_velocities
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge
from stiction.solver.contact.staggered import run_staggered

from .mixed_steps import problem_of, watched_steps
from .plots import save_plot
from .scenes.bearing import bearing
from .scenes.solids import MILLISECOND

NAME = "mixed_methods.png"
LEVELS, STEPS = 2, 150
TOLERANCE = 1e-6  # relative
ITERATIONS = 2000
REFERENCE_TOLERANCE, REFERENCE_ITERATIONS = 1e-12, 5000  # of ICA, for what counts as the solution [m]
NEAR = 1e-6  # way to the solution [m] for which iterations are counted: the paper's ε₂ in this figure


class Curve(NamedTuple):
    residuals: list[float]  # a method's own, relative; none of ICA
    ways: list[float]  # to the solution, of the unknown that is farthest, in the step [m]
    natural_map: float  # at the end, by the judge

    @property
    def arrival(self) -> int | None:
        """Iterations after which the way stays short."""
        is_far = np.array(self.ways) > NEAR
        return None if is_far[-1] else int(np.flatnonzero(is_far).max(initial=-1)) + 2


def captured_problem(levels: int = LEVELS, step_count: int = STEPS) -> FrictionProblem:
    for step in watched_steps(bearing(levels), step_count):
        solvers = step.solvers
    return problem_of(solvers[-1])


def curves(problem: FrictionProblem) -> dict[str, Curve]:
    settings = IcaSettings(iterations=REFERENCE_ITERATIONS, tolerance=REFERENCE_TOLERANCE)
    reference = run_ica(problem, unconstrained_velocities(problem), MILLISECOND, settings, False)
    solution = reference.velocities
    print(f"natural map of the solution {judge(problem, solution, reference.impulses).natural_map:.1e}")
    found = {}
    for name, solve in _methods().items():
        ways: list[float] = []

        def watch(v, ways=ways):
            ways.append(MILLISECOND * float(np.abs(v - solution).max()))

        v, impulses, residuals = solve(problem, watch)
        found[name] = Curve(residuals, ways, judge(problem, v, impulses).natural_map)
    return found


def _methods() -> dict[str, Callable]:
    def mixed(run, **choice):
        def solve(problem, watch):
            with _watched_iterations(watch):
                return run(problem, CrSettings(TOLERANCE, ITERATIONS, **choice))

        return solve

    return {
        "CR (Full)": mixed(run_cr),
        "CR (Diag)": mixed(run_cr, is_full=False),
        "MINRES (Diag)": mixed(run_cr, is_full=False, is_minres=True),
        "staggered, 2 × CR (Diag)": mixed(run_staggered, is_full=False),
        "staggered, active set": mixed(run_staggered, is_full=False, is_active_set=True),
        "ICA": _ica,
    }


def _ica(problem, watch):
    """With Coulomb's law instead of its authors' pyramid, which has another solution; it tells no residual."""
    settings = IcaSettings(iterations=ITERATIONS, tolerance=1e-2 * NEAR)
    start = unconstrained_velocities(problem)
    result = run_ica(problem, start, MILLISECOND, settings, False, lambda v: bool(watch(v)))
    return result.velocities, result.impulses, []


@contextmanager
def _watched_iterations(watch: Callable[[np.ndarray], None]) -> Iterator[None]:
    """Show the velocities of all solvers that are made meanwhile, whenever they tell a residual."""
    prepare = MixedSolver.__init__

    class Watched(list):
        def __init__(self, solver):
            self.solver = solver

        def append(self, residual):
            super().append(residual)
            watch(self.solver.state.v)

    def prepare_watched(solver, *arguments):
        prepare(solver, *arguments)
        solver.history = Watched(solver)

    MixedSolver.__init__ = prepare_watched
    try:
        yield
    finally:
        MixedSolver.__init__ = prepare


def draw(folder: str, found: dict[str, Curve]) -> None:
    def plot(residuals, ways):
        for place, (name, curve) in enumerate(found.items()):
            style = {"label": name, "linewidth": 1.0, "color": f"C{place}"}
            if curve.residuals:
                residuals.plot(np.arange(1, len(curve.residuals) + 1), curve.residuals, **style)
            ways.plot(np.arange(1, len(curve.ways) + 1), np.multiply(1e3, curve.ways), **style)
        ways.axhline(1e3 * NEAR, color="0.6", linewidth=0.8)
        for panel, label in ((residuals, "residual, relative"), (ways, "way to the solution (mm)")):
            panel.set(xlabel="iterations", ylabel=label, yscale="log", xscale="log", xlim=(1, None))

    save_plot(Path(folder) / NAME, plot, (11.0, 4.2), panels=2)


def main(folder: str, levels: str = str(LEVELS), step_count: str = str(STEPS)) -> None:
    problem = captured_problem(int(levels), int(step_count))
    print(f"{len(problem.f):,} unknowns, {problem.contact_count:,} contacts")
    found = curves(problem)
    for name, curve in found.items():
        arrival = f"near after {curve.arrival}" if curve.arrival else "never near"
        print(f"{name:26} {len(curve.ways):5} iterations, {arrival}, natural map {curve.natural_map:.1e}")
    draw(folder, found)


if __name__ == "__main__":
    main(*sys.argv[1:])
