"""Contacts in regions that do not disturb each other, each solved on its own and all in parallel.

[Contact regions, sections 3 and 4]; docs/theory/regions.md. In a region projected conjugate gradients get near, and
projected Gauss-Seidel goes on from the best that they found.
"""

from dataclasses import dataclass

import numpy as np

from .kept_regions import touched_parts
from .local_form import TINY, LocalForm, local_form, velocities_under
from .problem import FrictionProblem
from .region_rows import contact_regions, own_parts, region_rows
from .region_sweeps import (
    RegionLaw,
    RegionState,
    Scratch,
    conjugate_gradients,
    first_residuals,
    gauss_seidel,
)

STRICTER = 0.03  # than the tolerance asked: the projected residual is not the judge's
MOST_BATCH = 64  # iterations of Gauss-Seidel in one call
MOST_STEPS = 200  # of conjugate gradients in a region, whatever its size
LEAST_SHARE = 1e-12  # of its trace, on a contact's own matrix: what cannot move must not divide by zero


@dataclass
class RegionSettings:
    iterations: int = 1000  # of SWEEPS each, after the conjugate gradients
    tolerance: float = 1e-8  # of the projected residual of a region                      [m/s]
    is_pyramid: bool = False  # friction along each tangent by itself
    is_polak_ribiere: bool = False  # or Fletcher-Reeves
    is_split: bool = True  # or all contacts in one region
    gradient_steps: int = MOST_STEPS


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
    form = local_form(problem)
    if not problem.contact_count:
        return velocities_under(problem, form.q), form.q, [0.0]
    scale = max(float(np.linalg.norm(form.q)), TINY)
    settings = RegionSettings(iterations, STRICTER * tolerance * scale, is_pyramid)
    is_kept = problem.kept is not None and problem.A is not None
    regions = problem.kept.update(*touched_parts(problem)) if is_kept else None
    result = run_regions(form, settings, regions, problem.start)
    return velocities_under(problem, result.impulses), result.impulses, [value / scale for value in result.history]


def run_regions(
    form: LocalForm,
    settings: RegionSettings,
    regions: tuple[int, np.ndarray] | None = None,
    start: np.ndarray | None = None,
) -> RegionResult:
    """From impulses (m, 3) [N s], or none; the regions are found if they are not known."""
    if not settings.is_split:
        regions = 1, np.zeros(len(form.q), np.int32)
    rows, order, starts = region_rows(form.W, *(regions or contact_regions(form.W)))
    law = _law(form, rows, order)
    least = settings.tolerance / np.sqrt(len(starts) - 1)
    first = np.zeros_like(form.q) if start is None else start[order]
    state = RegionState(first, first.copy(), np.empty(len(starts) - 1))
    history = _relax(rows, law, starts, settings, least, state)
    impulses = np.empty_like(state.best)
    impulses[order] = state.best
    return RegionResult(impulses, history, len(starts) - 1, int((state.residuals > least).sum()))


def _relax(rows, law, starts, settings, least, state):
    """The history of the residuals' norm [m/s].

    Iterations are left to the kernel in batches, each twice as many as the last: a small region does hundreds of them
    in the time that a call takes.
    """
    first_residuals(rows, law, starts, settings.is_pyramid, state)
    history: list[float] = []
    if settings.gradient_steps and settings.iterations and (state.residuals > least).any():
        scratch = Scratch(*(np.zeros_like(law.given) for _ in range(3)))
        flags = settings.is_pyramid, settings.is_polak_ribiere
        conjugate_gradients(rows, law, starts, flags, least, settings.gradient_steps, scratch, state)
        state.impulses[:] = state.best
        history.append(float(np.linalg.norm(state.residuals)))
    batch = 1
    while (state.residuals > least).any() and len(history) < settings.iterations:
        trace = np.empty((len(state.residuals), min(batch, settings.iterations - len(history))))
        gauss_seidel(rows, law, starts, settings.is_pyramid, least, state, trace)
        steps = int((trace > least).any(axis=0).sum()) + 1  # that after which all regions were done is the last
        history += np.linalg.norm(trace[:, :steps], axis=0).tolist()
        batch = min(2 * batch, MOST_BATCH)
    return history or [float(np.linalg.norm(state.residuals))]


def _law(form, rows, order):
    """Of the contacts in their new order, as their blocks are."""
    own = np.zeros((len(order), 6))
    own_parts(rows, LEAST_SHARE, TINY, own)
    return RegionLaw(form.q[order], form.mu[order], own)
