"""All contact methods by name, and the one door to them."""

from collections.abc import Callable

import numpy as np

from .local_form import joins_few
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


def _newton(problem, tolerance, iterations):
    from .newton import solve_by_newton

    return solve_by_newton(problem, tolerance, iterations)


def _prox(problem, tolerance, iterations):
    from .proximal import solve_by_prox

    return solve_by_prox(problem, tolerance, iterations)


def _regions(problem, tolerance, iterations):
    return _by_regions(problem, tolerance, iterations, is_pyramid=False)


def _regions_pyramid(problem, tolerance, iterations):
    return _by_regions(problem, tolerance, iterations, is_pyramid=True)


def _by_regions(problem, tolerance, iterations, is_pyramid):
    from .regions import solve_by_regions

    return solve_by_regions(problem, tolerance, iterations, is_pyramid)


def _anticipation(problem, tolerance, iterations):
    from .anticipation import solve_by_anticipation

    return solve_by_anticipation(problem, tolerance, iterations)


METHODS: dict[str, Method] = {  # that solve Coulomb's law
    "admm": _admm,
    "nl-ica": _nl_ica,
    "cr": _cr,
    "minres": _minres,
    "newton": _newton,
    "prox": _prox,
    "regions": _regions,
    "anticipation": _anticipation,
}
COMPARISONS: dict[str, Method] = {  # that solve it where normal impulses and friction feed back little
    "staggered": _staggered,
    "staggered-active-set": _staggered_active_set,
}
# That solve a law near to it, and rarely please the judge.
OTHER_LAWS: dict[str, Method] = {"ica": _ica, "regions-pyramid": _regions_pyramid}
ALL_METHODS = METHODS | COMPARISONS | OTHER_LAWS
KNOW_SPIN = ("prox",)  # that know friction of spinning, and different friction along the two tangents
QUICK_TO_FACTOR = (
    1000,
    5000,
)  # contacts up to which Newton's method takes less than seconds, and minutes, if W is sparse
QUICK_IF_DENSE = 300, 1000  # and if it is not


def solve(
    problem: FrictionProblem, method: str | None = None, tolerance: float = 1e-8, iterations: int = 1000
) -> ContactSolution:
    """Velocities and impulses by a method; whether they are a solution is for the judge to say, not for the method.

    Without a method, those that fit the problem are tried until the judge is content; else the best one is returned.
    """
    if method is not None:
        return _solve_by(method, problem, tolerance, iterations)
    tried = []
    for name in fitting_methods(problem):
        tried.append(_solve_by(name, problem, tolerance, iterations))
        if tried[-1].converged:
            break
    return min(tried, key=lambda solution: max(solution.residual, solution.dynamics))


def fitting_methods(problem: FrictionProblem) -> tuple[str, ...]:
    """By the problem's form and size; what fits best comes first, and then what may do where that fails."""
    if problem.spin:
        return KNOW_SPIN
    is_sparse = problem.A is None or joins_few(problem.A)
    quick, bearable = QUICK_TO_FACTOR if is_sparse else QUICK_IF_DENSE
    other = "prox" if is_sparse and problem.nodal_form is None else "admm"
    if problem.contact_count > bearable:
        return (other,)
    is_newton_first = problem.nodal_form is None and problem.contact_count <= quick
    return ("newton", other) if is_newton_first else (other, "newton")


def _solve_by(method, problem, tolerance, iterations):
    methods, name = ALL_METHODS, method.replace("_", "-")
    if name not in methods:
        raise ValueError(f'There is no contact method "{method}"; there are {", ".join(methods)}.')
    if problem.spin and name not in KNOW_SPIN:
        raise ValueError(f'The method "{name}" knows no friction of spinning; {" and ".join(KNOW_SPIN)} does.')
    v, r, history = methods[name](problem.rebounding(), tolerance, iterations)
    u = velocities_of(problem, v, r)
    residuals = judge(problem, v, r)
    # Methods that relax the dynamics may obey the law with velocities that the impulses do not make.
    converged = max(residuals.natural_map, residuals.dynamics) <= tolerance
    return ContactSolution(v, r, u, len(history), history, residuals.natural_map, converged, residuals.dynamics, name)
