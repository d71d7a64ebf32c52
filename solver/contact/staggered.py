"""Staggered projections: normal impulses with friction held, friction with normal impulses held, in turn.

[Kaufman et al. 2008], with conjugate residuals for both as in [Verschoor and Jalba 2019, section 6.2.3]: a comparison
for the method that solves both at once (docs/theory/conjugate_residual.md).
"""

import numpy as np

from .conjugate_residual import STRICTER, CrSettings, MixedSolver
from .mixed_problem import mixed_problem
from .problem import FrictionProblem
from .state_switching import FRICTION, NORMALS, SwitchingLaw

ROUNDS = 1000


def solve_by_staggering(problem: FrictionProblem, tolerance: float, iterations: int, is_active_set: bool = False):
    """Velocities, impulses and the history of the residual of either part, relative."""
    settings = CrSettings(STRICTER * tolerance, iterations, is_full=False, is_active_set=is_active_set)
    return run_staggered(problem, settings)


def run_staggered(problem: FrictionProblem, settings: CrSettings):
    settings.law = SwitchingLaw(part=NORMALS)
    solver = MixedSolver(mixed_problem(problem), settings)
    solver.free_velocities()
    for _ in range(ROUNDS):
        before = solver.rows.impulses
        _solve_part(solver, NORMALS)
        _solve_part(solver, FRICTION)
        if _change(solver, before) < settings.tolerance or len(solver.history) >= settings.iterations:
            break
    return solver.state.v, solver.rows.impulses, solver.history


def _solve_part(solver, part):
    rows, impulses = solver.rows, solver.rows.impulses
    solver.switching.law.part = part
    rows.sliding.magnitudes[:] = np.maximum(impulses[:, 0], 0.0)
    if part == FRICTION:
        impulses[:, 0] = rows.sliding.magnitudes
    solver.switching.rebuild(impulses)
    solver.state.refresh()
    solver.solve()


def _change(solver, before):
    """Of impulses, as velocities at their own contacts, relative."""
    changes = np.einsum("mij,mj->mi", solver.rows.own, solver.rows.impulses - before)
    return float(np.linalg.norm(changes)) / solver.velocity_scale
