"""One scene of solids by conjugate residuals, on one thread and in a process of its own.

`python -m benchmarks.mixed_case NAME` prints what was measured as JSON: steps as they are baked, then some of their
linear problems by both preconditioners and by ICA, from the same velocities and impulses. Where the paper has neither,
the steps alone.
"""

import json
import resource
import sys
import time
from functools import partial
from typing import NamedTuple

import numba
import numpy as np

from stiction.solver import Simulation
from stiction.solver.integrator.step_start import inertia_of
from stiction.solver.linear_algebra.flat_vectors import length_of

from .mixed_rivals import CapturedProblem, iterations_by_cr, seconds_by_cr, seconds_by_ica, watched
from .product_speed import product_against_triad
from .scenes.bearing import bearing
from .scenes.bunnies import bunnies
from .scenes.fallen import fallen
from .scenes.pulled_body import pulled_body
from .scenes.pyramid import pyramid
from .scenes.rings import rings
from .scenes.solids import STIFF

TOLERANCE = 5e-5  # ε₁ of the dynamics, relative to their momentum
ERROR = 5e-5  # ε₁ as the paper words it [kg m/s]; what that means depends on the size of bodies, which it does not tell
RUSH = 0.3  # of the pulled body [s], until its legs and half of its trunk are between the cylinders
ICA_CAP = 12.0  # times the time of CR, after which ICA is stopped


class Case(NamedTuple):
    build: object  # a scene, of its size and its time step
    size: int
    fall: float  # seconds of the scene that are not measured,
    long_step: float  # and in which steps they are made [s]
    time_step: float  # [s]
    steps: int  # that are measured
    rivals: int  # of them that Diag and ICA solve, too
    has_diag: bool  # steps are made by Diag as well, as in the paper
    warm_up: int = 2  # size of the scene that loads all kernels
    error: float | None = None  # asked of the dynamics [kg m/s]; else a share of their momentum


PULLED = Case(partial(pulled_body, rush=RUSH), 66_700, 0.46, 4e-3, 5e-4, 10, 0, False, warm_up=400)
CASES = {
    "rings": Case(rings, 120, 0.332, 4e-3, 1e-3, 20, 3, True),
    "stiff rings": Case(partial(rings, youngs_modulus=STIFF), 120, 0.4, 4e-3, 1e-3, 20, 3, False),
    "pyramid": Case(pyramid, 7, 0.16, 2e-3, 5e-4, 10, 2, True, warm_up=1),
    "bunnies": Case(bunnies, 120, 0.24, 4e-3, 1e-3, 10, 1, False),
    "pulled body": PULLED,
    "pulled body, absolute error": PULLED._replace(error=ERROR),
    "bearing": Case(bearing, 4, 0.048, 2e-3, 1e-3, 10, 0, False, warm_up=1),
}


class Measured(NamedTuple):
    """Means over the steps."""

    contacts: float
    iterations: float
    seconds: float
    resolution: float  # of these, without detection
    memory: float  # above the warmed process [MB]
    is_solved: float  # share of the steps
    full: float | None = None  # iterations on the linear problems of some steps: Full,
    published: float | None = None  # Full with A's diagonal,
    diag: float | None = None  # Diag,
    mixed: float | None = None  # seconds of Full,
    anticipated: float | None = None  # and of ICA
    is_capped: bool | None = None  # ICA was stopped
    product: float | None = None  # bandwidth of products with A, over that of a triad
    diag_step: float | None = None  # iterations of steps by Diag, from the same state


def measured(name: str) -> Measured:
    case = CASES[name]
    _simulation(case, case.warm_up).advance()
    before, simulation = _resident(), _simulation(case, case.size)
    rows = _steps(simulation, name, case)
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    means = Measured(*rows[:4], memory, rows[4])
    return _with_rivals(means, simulation, name, case) if case.rivals else means


def _with_rivals(means, simulation, name, case):
    with watched() as problems:
        for _ in range(case.rivals):
            simulation.advance()
    rivals = _rivals(problems[: case.rivals])
    product = product_against_triad(problems[0])
    simulation.integrator.solver.settings.is_full = False
    diag_step = float(_steps(simulation, name, case)[1]) if case.has_diag else None
    return Measured(*means[:6], *rivals, product, diag_step)


def _steps(simulation, name, case):
    """Means of steps that go on from where bodies lie on each other."""
    simulation.restore(fallen(name.split(",")[0], lambda step: case.build(case.size, time_step=step), *case[2:5]))
    simulation.advance()  # search trees are built
    return np.mean([_step(simulation, case) for _ in range(case.steps)], axis=0)


def _simulation(case, size):
    simulation = Simulation(case.build(size, time_step=case.time_step), contact_method="cr")
    settings = simulation.integrator.solver.settings
    settings.newton_iterations, settings.tolerance = 1, TOLERANCE
    return simulation


def _step(simulation, case):
    """Contacts that bear something, iterations, seconds, those without detection, and whether all was solved."""
    if case.error is not None:
        simulation.integrator.solver.settings.tolerance = case.error / _momentum(simulation, case.time_step)
    simulation.timer.take()
    start = time.perf_counter()
    simulation.advance()
    seconds, report = time.perf_counter() - start, simulation.integrator.report
    spent = simulation.timer.take()
    detection = sum(value for stage, value in spent.items() if stage.endswith("detection"))
    active = report.sticking + report.slipping
    print(f"{active} contacts, {report.admm_iterations} iterations, {seconds:.3f} s", file=sys.stderr, flush=True)
    return active, report.admm_iterations, seconds, seconds - detection, simulation.integrator.solver.is_solved


def _momentum(simulation, time_step):
    """That the next step's residual is measured by [kg m/s]."""
    model, state = simulation.integrator.solver.model, simulation.state
    inertia = inertia_of(model, state, (state.step + 1) * time_step, time_step)
    return length_of(inertia.momentum[model.is_free])


def _rivals(problems: list[CapturedProblem]):
    kinds = (True, True), (True, False), (False, False)
    iterations = [float(np.mean([iterations_by_cr(problem, *kind) for problem in problems])) for kind in kinds]
    mixed = [seconds_by_cr(problem) for problem in problems]
    found = [seconds_by_ica(problem, ICA_CAP * limit) for problem, limit in zip(problems, mixed, strict=True)]
    anticipated, is_capped = zip(*found, strict=True)
    return *iterations, float(np.mean(mixed)), float(np.mean(anticipated)), any(is_capped)


def _resident():
    """Kilobytes that the process has now."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


if __name__ == "__main__":
    numba.set_num_threads(1)
    print(json.dumps(measured(sys.argv[1])._asdict()))
