"""Overlaps of rigid bodies are worked off by a displacement that gives them no velocity.

[Erleben 2017, section 4.4]; docs/theory/rigid.md, 8. The displacement is part of the step's way, so that nothing is run
through meanwhile, and is left out of the velocity with which the bodies go on.
"""

from dataclasses import replace

import numpy as np

from ..contact.methods import solve
from ..contact.problem import ContactSolution, FrictionProblem


def without_opening(problem: FrictionProblem, opening: np.ndarray) -> FrictionProblem:
    """The same contacts, of which those that overlap need not open, at speeds (m,) [m/s], but only come no nearer."""
    k = problem.k.copy()
    k[:, 0] += opening
    return replace(problem, k=k)


def opening_unknowns(
    problem: FrictionProblem, solution: ContactSolution, opening: np.ndarray, tolerance: float, iterations: int
) -> np.ndarray:
    """Velocities (u,) [m/s] of a displacement beside the solution that opens what overlaps: equations 49 to 51.

    All are speeds of the step: gaps are what its velocities leave, without friction.
    """
    gaps = np.zeros_like(solution.u)
    gaps[:, 0] = solution.u[:, 0] - opening
    apart = FrictionProblem(problem.A, np.zeros_like(problem.f), problem.J, gaps, 0.0, spin=problem.spin)
    return solve(apart, "prox", tolerance, iterations).v
