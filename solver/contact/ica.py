"""Iterative constraint anticipation: relaxation of contacts nested in relaxation of the dynamics.

[Otaduy et al. 2009, section 5]; docs/theory/ica.md. No linear system is solved but those of single nodes. NL-ICA is the
same with Coulomb's law in the contacts instead of a pyramid [Daviet 2020, section 7.2].
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from .anticipated_contacts import AnticipatedContacts
from .problem import AXES, FrictionProblem
from .pyramid_law import aligned_frames, turned
from .slow_progress import SlowProgress
from .unknown_blocks import BlockSystem, block_system, inverse_matrix, relax_at_once, relax_in_turn

SWEEPS = 10
STRICTER = 1e-3  # than the tolerance asked: δ∞ is the last change, and relaxation creeps
DIVERGED = 1e6  # of the first δ∞
ROUNDING = 1e-15  # of the velocities: δ∞ gets no smaller


@dataclass
class IcaSettings:
    iterations: int = 1000
    sweeps: int = 5  # of Gauss-Seidel over the contacts in each
    tolerance: float = 1e-5  # of δ∞, as a way in the step                                        [m]
    slow: float = 0.0  # share by which residuals change when a loop ends, as the paper has it; 0: by δ∞ alone
    deepest: float = np.inf  # way that contacts may come too near when it does                     [m]


@dataclass
class IcaResult:
    velocities: np.ndarray  # v of all unknowns (n,) [m/s]
    impulses: np.ndarray  # r (m, 3) [N s], normal first
    iterations: int = 0
    history: list[float] = field(default_factory=list)  # δ∞ [m]
    converged: bool = False
    sweeps: int = 0  # over the contacts, in all iterations


def solve_by_ica(problem: FrictionProblem, tolerance: float, iterations: int, is_pyramid: bool):
    """Velocities, impulses and the history of δ∞, in m/s here: a problem of its own knows no step.

    The tolerance is relative to the velocities without contacts.
    """
    start = unconstrained_velocities(problem)
    if not problem.contact_count:
        return start, np.zeros((0, AXES)), [0.0]
    asked = STRICTER * tolerance * float(np.linalg.norm(problem.relative_velocities(start)))
    least = max(asked, ROUNDING * float(np.abs(start).max()))
    settings = IcaSettings(iterations=iterations, sweeps=SWEEPS, tolerance=least)
    result = run_ica(problem, start, 1.0, settings, is_pyramid)
    return result.velocities, result.impulses, result.history


def unconstrained_velocities(problem: FrictionProblem) -> np.ndarray:
    """v* (n,) with A v* = f [Otaduy et al. 2009, section 4, step 2]."""
    try:
        return splu(sparse.csc_array(problem.A)).solve(problem.f)
    except RuntimeError as error:
        raise ValueError("A of the friction problem is singular: something has neither mass nor hold.") from error


def run_ica(
    problem: FrictionProblem,
    start: np.ndarray,
    time_step: float,
    settings: IcaSettings,
    is_pyramid: bool,
    is_enough: Callable[[np.ndarray], bool] = lambda velocities: False,
) -> IcaResult:
    """From the velocities without contacts (n,) [m/s], and the problem's first impulses, if it has some.

    `is_enough` is asked after each iteration, with the velocities (n,) [m/s], whether to stop there.
    """
    turns = aligned_frames(problem.relative_velocities(start)) if is_pyramid else None
    framed = problem if turns is None else turned(problem, turns)
    nodes = _node_rows(problem)
    system = block_system(problem.A, nodes)
    contacts = AnticipatedContacts(framed, inverse_matrix(system), is_pyramid)
    if problem.start is not None:
        contacts.start_from(problem.start if turns is None else (turns @ problem.start.ravel()).reshape(-1, AXES))
    result = IcaResult(start.copy(), problem.k)
    _relax(system, framed, contacts, _measured(problem, nodes), time_step, settings, is_enough, result)
    result.impulses = contacts.impulses
    if turns is not None:
        result.impulses = (turns.T @ result.impulses.ravel()).reshape(-1, AXES)
    return result


def _relax(system: BlockSystem, problem, contacts, measured, time_step, settings, is_enough, result):
    """The outer loop [Otaduy et al. 2009, section 5.5]."""
    v, anticipated = result.velocities, np.empty_like(result.velocities)
    rules = [_slow_progress(problem, contacts, time_step, settings) for _ in range(2)] if settings.slow else None
    for iteration in range(1, settings.iterations + 1):
        relax_at_once(system, problem.f, v, anticipated)  # 3.1
        result.sweeps += _project(contacts, anticipated, settings.sweeps, rules and rules[0])  # 3.2
        before, pushed = v.copy(), problem.f + problem.J.T @ contacts.acting
        relax_in_turn(system, pushed, v)  # 3.3
        apart, change = np.abs(v - anticipated)[measured], np.abs(v - before)[measured]
        delta = time_step * float(change.max(initial=0.0) + apart.max(initial=0.0))
        result.history.append(delta)
        result.iterations, result.converged = iteration, delta <= settings.tolerance
        is_slow = rules and rules[1].ends(v, contacts.impulses, float(np.linalg.norm(problem.A @ v - pushed)))
        if result.converged or is_slow or is_enough(v) or not delta <= DIVERGED * result.history[0]:
            break


def _slow_progress(problem, contacts, time_step, settings):
    return SlowProgress(problem, contacts.softness_of_normals, settings.slow, settings.deepest / time_step)


def _project(contacts, anticipated, most_sweeps, rule):
    """The inner loop, from anticipated velocities to those with impulses; how many sweeps it had."""
    if rule is None:
        contacts.project(anticipated, most_sweeps)
        return most_sweeps
    rule.begin()
    contacts.project(anticipated, 0)
    for sweep in range(1, most_sweeps + 1):
        contacts.sweep(anticipated, 1)
        if rule.ends(anticipated, contacts.impulses):
            return sweep
    return most_sweeps


def _node_rows(problem):
    return np.zeros(0, np.int64) if problem.nodal_form is None else problem.nodal_form.node_rows


def _measured(problem, nodes):
    """Unknowns that are velocities of points: twists are none."""
    if problem.nodal_form is None:
        return np.arange(len(problem.f))
    return (nodes[:, None] + np.arange(AXES)).ravel()
