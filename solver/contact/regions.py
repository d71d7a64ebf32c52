"""Contacts in regions that do not disturb each other, each solved on its own and all in parallel.

[Contact regions, sections 3 and 4]; docs/theory/regions.md. In a region projected conjugate gradients get near, and
projected Gauss-Seidel goes on from the best that they found.
"""

import math
from dataclasses import dataclass

import numpy as np

from .kept_regions import KeptRegions, touched_parts
from .local_form import TINY, LocalForm, local_form, velocities_under
from .problem import FrictionProblem
from .region_law import RegionLaw
from .region_newton import finish_by_newton
from .region_parts import RegionPart, region_parts
from .region_sweeps import RegionState, Scratch, first_iterations, gauss_seidel, norms_until

STRICTER = 0.03  # than the tolerance asked: the projected residual is not the judge's
FIRST_BATCH, MOST_BATCH = 4, 64  # iterations of Gauss-Seidel in one call
LEAST_SWEEPS = 8  # iterations before Newton's method is tried, whatever it takes
NEVER = np.iinfo(np.int64).max
MOST_STEPS = 200  # of conjugate gradients in a region, whatever its size


@dataclass
class RegionSettings:
    iterations: int = 1000  # of SWEEPS each, after the conjugate gradients
    tolerance: float = 1e-8  # of the projected residual of a region                      [m/s]
    is_pyramid: bool = False  # friction along each tangent by itself
    is_polak_ribiere: bool = False  # or Fletcher-Reeves
    is_split: bool = True  # or all contacts in one region
    gradient_steps: int = MOST_STEPS
    uses_newton: bool = True  # where sweeps have taken as long as it would


@dataclass
class RegionResult:
    impulses: np.ndarray  # (m, 3) [N s]
    history: list[float]  # norm of the projected residuals [m/s]
    region_count: int
    unfinished: int  # regions that did not reach the tolerance


def solve_by_regions(problem: FrictionProblem, tolerance: float, iterations: int, is_pyramid: bool = False):
    """Velocities, impulses and the history of the projected residual, relative to the velocities without contacts.

    The first iteration is that of conjugate gradients; each of the others has up to SWEEPS sweeps of Gauss-Seidel.
    Regions that the problem keeps from the last step are brought up to date.
    """
    form = local_form(problem, by_root=True)
    if not problem.contact_count:
        return velocities_under(problem, form.q), form.q, [0.0]
    scale = max(float(np.linalg.norm(form.q)), TINY)
    settings = RegionSettings(iterations, STRICTER * tolerance * scale, is_pyramid)
    result = run_regions(form, settings, _regions_of(problem, form), problem.start)
    return velocities_under(problem, result.impulses), result.impulses, [value / scale for value in result.history]


def _regions_of(problem, form):
    """Those that are kept, brought up to date; None where they are to be found in W."""
    if problem.A is None or (problem.kept is None and form.W is not None):
        return None
    return (problem.kept or KeptRegions()).update(*touched_parts(problem))


def run_regions(
    form: LocalForm,
    settings: RegionSettings,
    regions: tuple[int, np.ndarray] | None = None,
    start: np.ndarray | None = None,
) -> RegionResult:
    """From impulses (m, 3) [N s], or none; with W the regions are found if they are not known."""
    if not settings.is_split:
        regions = 1, np.zeros(len(form.q), np.int32)
    parts = region_parts(form, regions)
    count = sum(len(part.starts) - 1 for part in parts)
    least = settings.tolerance / math.sqrt(count)
    impulses, histories, unfinished = np.empty(form.q.shape), [], 0
    for part in parts:
        first = np.zeros((len(part.contacts), 3)) if start is None else start[part.contacts]
        state = RegionState(first, first.copy(), np.empty(len(part.starts) - 1))
        law = RegionLaw(form.q[part.contacts], form.mu[part.contacts], part.own)
        histories.append(_relax(part, law, settings, least, state))
        impulses[part.contacts] = state.best
        unfinished += int(np.count_nonzero(state.residuals > least))
    return RegionResult(impulses, _joined(histories), count, unfinished)


def _joined(histories):
    """The norm over all parts; what ended before stays as it was."""
    if len(histories) == 1:
        return histories[0]
    length = max(map(len, histories))
    padded = [np.pad(history, (0, length - len(history)), "edge") for history in histories]
    return np.linalg.norm(padded, axis=0).tolist()


def _relax(part: RegionPart, law, settings, least, state):
    """The history of the residuals' norm [m/s].

    Iterations are left to the kernel in batches, each twice as many as the last: a small region does hundreds of them
    in the time that a call takes.
    """
    rows, starts = part.rows, part.starts
    history = _begun(rows, law, starts, settings, least, state)
    batch, due = 2 * FIRST_BATCH, None
    while state.residuals.max() > least and len(history) < settings.iterations:
        due = _sweeps_before_newton(part, settings) if due is None else due
        chosen = np.flatnonzero((state.residuals > least) & (due <= len(history)))
        due[chosen] = NEVER
        if len(chosen):
            finish_by_newton(rows, law, starts, chosen, settings.is_pyramid, least, state)
        until = min(settings.iterations, due[state.residuals > least].min(initial=NEVER))
        trace = np.empty((len(state.residuals), min(batch, max(until - len(history), 1))))
        gauss_seidel(rows, law, starts, settings.is_pyramid, least, state, trace)
        history += _norms(trace, least)
        batch = min(2 * batch, MOST_BATCH)
    return history


def _begun(rows, law, starts, settings, least, state):
    """Conjugate gradients, which count as an iteration if there are any, and a first batch."""
    steps = settings.gradient_steps if settings.iterations else 0
    flags = settings.is_pyramid, settings.is_polak_ribiere
    trace = np.empty((len(state.residuals), 1 + min(FIRST_BATCH, settings.iterations - bool(steps))))
    scratch = Scratch(*np.empty((3, *law.given.shape)))
    first_iterations(rows, law, starts, flags, least, steps, scratch, state, trace)
    norms = _norms(trace, least)
    return norms if steps or len(norms) == 1 else norms[1:]


def _norms(trace, least):
    """Of the regions' residuals after each iteration, up to that after which all were done."""
    norms = np.empty(trace.shape[1])
    return norms[: norms_until(trace, least, norms)].tolist()


def _sweeps_before_newton(part, settings):
    """Iterations of sweeps that take about as long as an attempt of Newton's method, for each region."""
    if not settings.uses_newton:
        return np.full(len(part.starts) - 1, NEVER)
    return np.maximum(np.diff(part.starts) ** 3 // part.costs, LEAST_SWEEPS).astype(np.int64)
