"""Contacts in regions that do not disturb each other, each solved on its own and all in parallel.

[Contact regions, sections 3 and 4]; docs/theory/regions.md. In a region projected conjugate gradients get near, and
projected Gauss-Seidel goes on from the best that they found.
"""

from dataclasses import dataclass

import numpy as np

from .block_rows import BlockRows, block_rows, own_blocks_of, reordered
from .kept_regions import join_points, touched_parts
from .local_form import TINY, LocalForm, local_form, velocities_under
from .problem import AXES, FrictionProblem
from .region_sweeps import (
    RegionLaw,
    RegionState,
    Scratch,
    conjugate_gradients,
    first_residuals,
    gauss_seidel,
)

STRICTER = 0.03  # than the tolerance asked: the projected residual is not the judge's
SWEEPS = 20  # of Gauss-Seidel in an iteration
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


def contact_regions(rows: BlockRows) -> tuple[int, np.ndarray]:
    """How many regions there are, and that of each contact (m,): contacts that answer to each other are in one.

    In time that is linear in the blocks of W.
    """
    contacts = len(rows.offsets) - 1
    firsts = np.arange(contacts, dtype=np.int32)
    join_points(rows.offsets, rows.columns, np.ones(contacts, bool), firsts)
    names, regions = np.unique(firsts, return_inverse=True)
    return len(names), regions


def run_regions(
    form: LocalForm,
    settings: RegionSettings,
    regions: tuple[int, np.ndarray] | None = None,
    start: np.ndarray | None = None,
) -> RegionResult:
    """From impulses (m, 3) [N s], or none; the regions are found if they are not known."""
    rows = block_rows(form.W, AXES)
    if not settings.is_split:
        regions = 1, np.zeros(len(form.q), np.int64)
    order, starts = _order(*(regions or contact_regions(rows)))
    rows = reordered(rows, order)
    law = _law(form, rows, order)
    least = settings.tolerance / np.sqrt(len(starts) - 1)
    first = np.zeros_like(form.q) if start is None else start[order]
    state = RegionState(first, first.copy(), np.empty(len(starts) - 1))
    history = _relax(rows, law, starts, settings, least, state)
    impulses = np.empty_like(state.best)
    impulses[order] = state.best
    return RegionResult(impulses, history, len(starts) - 1, int((state.residuals > least).sum()))


def _relax(rows, law, starts, settings, least, state):
    """The history of the residuals' norm [m/s]."""
    first_residuals(rows, law, starts, settings.is_pyramid, state)
    scratch = Scratch(*(np.zeros_like(law.given) for _ in range(3)))
    flags = settings.is_pyramid, settings.is_polak_ribiere
    history: list[float] = []
    while (state.residuals > least).any() and len(history) < settings.iterations:
        if not history and settings.gradient_steps:
            conjugate_gradients(rows, law, starts, flags, least, settings.gradient_steps, scratch, state)
            state.impulses[:] = state.best
        else:
            gauss_seidel(rows, law, starts, settings.is_pyramid, least, SWEEPS, state)
        history.append(float(np.linalg.norm(state.residuals)))
    return history or [float(np.linalg.norm(state.residuals))]


def _order(count, regions):
    """Contacts region by region, and where each region starts."""
    order = np.argsort(regions, kind="stable")
    return order, np.searchsorted(regions[order], np.arange(count + 1)).astype(np.int64)


def _law(form, rows, order):
    """Of the contacts in their new order, as their blocks are."""
    blocks = own_blocks_of(rows)
    diagonal = blocks[:, [0, 4, 8]]
    diagonal = diagonal + LEAST_SHARE * diagonal.sum(axis=1)[:, None] + TINY
    own = np.concatenate([diagonal, blocks[:, [3, 6, 7]]], axis=1)
    return RegionLaw(form.q[order], form.mu[order], own)
