"""Contacts in regions that do not disturb each other, each solved on its own and all in parallel.

[Contact regions, sections 3 and 4]; docs/theory/regions.md. In a region projected conjugate gradients get near, and
projected Gauss-Seidel goes on from the best that they found.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components

from .block_rows import block_rows
from .kept_regions import KeptRegions, touched_parts
from .local_form import TINY, LocalForm, diagonal_blocks, local_form, velocities_under
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


def solve_by_regions(
    problem: FrictionProblem,
    tolerance: float,
    iterations: int,
    is_pyramid: bool = False,
    kept: KeptRegions | None = None,
):
    """Velocities, impulses and the history of the projected residual, relative to the velocities without contacts.

    The first iteration is that of conjugate gradients; each of the others has up to SWEEPS sweeps of Gauss-Seidel. The
    regions kept are those of the last step of the same bodies.
    """
    form = local_form(problem)
    if not problem.contact_count:
        return velocities_under(problem, form.q), form.q, [0.0]
    scale = max(float(np.linalg.norm(form.q)), TINY)
    settings = RegionSettings(iterations, STRICTER * tolerance * scale, is_pyramid)
    regions = None if kept is None or problem.A is None else kept.update(touched_parts(problem)[1])
    result = run_regions(form, settings, regions, problem.start)
    return velocities_under(problem, result.impulses), result.impulses, [value / scale for value in result.history]


def contact_regions(W: sparse.csr_array, width: int = AXES) -> tuple[int, np.ndarray]:
    """How many regions there are, and that of each contact (m,): contacts that answer to each other are in one.

    In time that is linear in the entries of W (w m, w m).
    """
    entries = W.tocoo()
    count = W.shape[0] // width
    places = entries.row // width, entries.col // width
    graph = sparse.csr_array((np.ones(entries.nnz, bool), places), shape=(count, count))
    return connected_components(graph, directed=False)


def run_regions(
    form: LocalForm,
    settings: RegionSettings,
    regions: tuple[int, np.ndarray] | None = None,
    start: np.ndarray | None = None,
) -> RegionResult:
    """From impulses (m, 3) [N s], or none; the regions are found if they are not known."""
    if not settings.is_split:
        regions = 1, np.zeros(len(form.q), np.int64)
    order, starts = _order(*(regions or contact_regions(form.W)))
    rows, law = _ordered(form, order)
    least = settings.tolerance / np.sqrt(len(starts) - 1)
    first = np.zeros_like(form.q) if start is None else start[order]
    state = RegionState(first, first.copy(), np.empty(len(starts) - 1))
    first_residuals(rows, law, starts, settings.is_pyramid, state)
    if settings.gradient_steps:
        scratch = Scratch(*(np.zeros_like(form.q) for _ in range(3)))
        flags = settings.is_pyramid, settings.is_polak_ribiere
        conjugate_gradients(rows, law, starts, flags, least, settings.gradient_steps, scratch, state)
    history = [float(np.linalg.norm(state.residuals))]
    state.impulses[:] = state.best
    while (state.residuals > least).any() and len(history) < settings.iterations:
        gauss_seidel(rows, law, starts, settings.is_pyramid, least, SWEEPS, state)
        history.append(float(np.linalg.norm(state.residuals)))
    impulses = np.empty_like(state.best)
    impulses[order] = state.best
    return RegionResult(impulses, history, len(starts) - 1, int((state.residuals > least).sum()))


def _order(count, regions):
    """Contacts region by region, and where each region starts."""
    order = np.argsort(regions, kind="stable")
    return order, np.searchsorted(regions[order], np.arange(count + 1)).astype(np.int64)


def _ordered(form, order):
    places = (AXES * order[:, None] + np.arange(AXES)).ravel()
    blocks = diagonal_blocks(form.W, AXES)[order]
    diagonal = np.einsum("mii->mi", blocks)
    diagonal = diagonal + LEAST_SHARE * diagonal.sum(axis=1)[:, None] + TINY
    coupling = np.column_stack([blocks[:, 1, 0], blocks[:, 2, 0], blocks[:, 2, 1]])
    law = RegionLaw(form.q[order], form.mu[order], np.ascontiguousarray(np.column_stack([diagonal, coupling])))
    return block_rows(sparse.csr_array(form.W[places][:, places]), AXES), law
