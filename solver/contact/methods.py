"""All contact methods by name, and the one door to them."""

from collections.abc import Callable

import numpy as np

from .problem import ContactSolution, FrictionProblem
from .residuals import judge, velocities_of

Method = Callable[[FrictionProblem, float, int], tuple[np.ndarray, np.ndarray, list[float]]]


def _admm(problem, tolerance, iterations):
    from .solve_admm import solve_by_admm  # imported when asked for: what is not imported is not compiled

    if problem.A is None:
        raise ValueError("ADMM needs the dynamics A, f and J; this problem has a Delassus operator only.")
    return solve_by_admm(problem, tolerance, iterations)


METHODS: dict[str, Method] = {"admm": _admm}


def solve(
    problem: FrictionProblem, method: str = "admm", tolerance: float = 1e-8, iterations: int = 1000
) -> ContactSolution:
    """Velocities and impulses by a method; whether they are a solution is for the judge to say, not for the method."""
    if method not in METHODS:
        raise ValueError(f'There is no contact method "{method}"; there are {", ".join(METHODS)}.')
    v, r, history = METHODS[method](problem, tolerance, iterations)
    u = velocities_of(problem, v, r)
    residual = judge(problem, v, r).natural_map
    return ContactSolution(v, r, u, len(history), history, residual, converged=residual <= tolerance)
