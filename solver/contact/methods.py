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


def _ica(problem, tolerance, iterations):
    return _by_ica(problem, tolerance, iterations, is_pyramid=True)


def _nl_ica(problem, tolerance, iterations):
    return _by_ica(problem, tolerance, iterations, is_pyramid=False)


def _by_ica(problem, tolerance, iterations, is_pyramid):
    from .ica import solve_by_ica

    if problem.A is None:
        raise ValueError("ICA needs the dynamics A, f and J; this problem has a Delassus operator only.")
    return solve_by_ica(problem, tolerance, iterations, is_pyramid)


def _cr(problem, tolerance, iterations):
    from .conjugate_residual import solve_by_cr

    return solve_by_cr(problem, tolerance, iterations)


def _minres(problem, tolerance, iterations):
    from .conjugate_residual import solve_by_minres

    return solve_by_minres(problem, tolerance, iterations)


def _staggered(problem, tolerance, iterations):
    from .staggered import solve_by_staggering

    return solve_by_staggering(problem, tolerance, iterations)


def _staggered_active_set(problem, tolerance, iterations):
    from .staggered import solve_by_staggering

    return solve_by_staggering(problem, tolerance, iterations, is_active_set=True)


METHODS: dict[str, Method] = {  # that solve Coulomb's law
    "admm": _admm,
    "nl-ica": _nl_ica,
    "cr": _cr,
    "minres": _minres,
}
COMPARISONS: dict[str, Method] = {  # that solve it where normal impulses and friction feed back little
    "staggered": _staggered,
    "staggered-active-set": _staggered_active_set,
}
OTHER_LAWS: dict[str, Method] = {"ica": _ica}  # that solve a law near to it, and rarely please the judge


def solve(
    problem: FrictionProblem, method: str = "admm", tolerance: float = 1e-8, iterations: int = 1000
) -> ContactSolution:
    """Velocities and impulses by a method; whether they are a solution is for the judge to say, not for the method."""
    methods, name = METHODS | COMPARISONS | OTHER_LAWS, method.replace("_", "-")
    if name not in methods:
        raise ValueError(f'There is no contact method "{method}"; there are {", ".join(methods)}.')
    v, r, history = methods[name](problem, tolerance, iterations)
    u = velocities_of(problem, v, r)
    residuals = judge(problem, v, r)
    # Methods that relax the dynamics may obey the law with velocities that the impulses do not make.
    converged = max(residuals.natural_map, residuals.dynamics) <= tolerance
    return ContactSolution(v, r, u, len(history), history, residuals.natural_map, converged)
