"""Projected conjugate gradients and projected Gauss-Seidel in each region [contact regions, section 4].

docs/theory/regions.md, 2 to 5. A region owns the rows of its contacts, so that threads may solve regions at once.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int64, prange, types

from ..jit_cache import compiled, kernel, tuple_of
from .region_answers import MATRIX, ROWS_TYPES, answer, begin_answers
from .region_law import LAW_TYPES, limited, projected, visit

SWEEPS = 20  # of Gauss-Seidel in an iteration
CHECK = 5  # sweeps from one look at the residual to the next
PATIENCE = 4  # steps of conjugate gradients that may be no better than the best


class RegionState(NamedTuple):
    impulses: np.ndarray  # where the iteration is                                (m, 3) [N s]
    best: np.ndarray  # with the smallest residual so far                         (m, 3) [N s]
    residuals: np.ndarray  # that residual                                        (regions,) [m/s]


class Scratch(NamedTuple):
    residual: np.ndarray  # (m, 3)
    next: np.ndarray  # (m, 3)
    direction: np.ndarray  # (m, 3)


STATE_TYPES = tuple_of(RegionState, MATRIX, MATRIX, float64[::1])
SCRATCH_TYPES = tuple_of(Scratch, MATRIX, MATRIX, MATRIX)
FLAGS = types.UniTuple(boolean, 2)


@kernel((ROWS_TYPES, LAW_TYPES, int64[::1], FLAGS, float64, int64, SCRATCH_TYPES, STATE_TYPES, MATRIX), parallel=True)
def first_iterations(rows, law, starts, flags, least, most_steps, scratch, state_out, trace_out):
    """Conjugate gradients, after which the trace has its first column, and iterations of sweeps for the others.

    All of it in one call: small problems would else wait for calls.
    """
    for region in prange(len(starts) - 1):
        span = starts[region], starts[region + 1]
        _begin(rows, law, region, span, flags, least, most_steps, scratch, state_out)
        trace_out[region, 0] = _smallest(state_out, region)
        for iteration in range(1, trace_out.shape[1]):
            sweeps_in(rows, law, region, span, flags[0], least, state_out)
            trace_out[region, iteration] = _smallest(state_out, region)


@kernel((ROWS_TYPES, LAW_TYPES, int64[::1], boolean, float64, STATE_TYPES, MATRIX), parallel=True)
def gauss_seidel(rows, law, starts, is_pyramid, least, state_out, trace_out):
    """As many iterations as the trace has columns; it gets each region's smallest residual after each of them."""
    for region in prange(len(starts) - 1):
        span = starts[region], starts[region + 1]
        for iteration in range(trace_out.shape[1]):
            sweeps_in(rows, law, region, span, is_pyramid, least, state_out)
            trace_out[region, iteration] = _smallest(state_out, region)


@kernel((MATRIX, float64, float64[::1]))
def norms_until(trace, least, norms_out):
    """Of the columns, up to that in which all regions are done; returns how many these are."""
    for column in range(trace.shape[1]):
        square, largest = 0.0, 0.0
        for region in range(trace.shape[0]):
            square += trace[region, column] * trace[region, column]
            largest = max(largest, trace[region, column])
        norms_out[column] = math.sqrt(square)
        if largest <= least:
            return column + 1
    return trace.shape[1]


@compiled
def _begin(rows, law, region, span, flags, least, most_steps, scratch, state_out):
    """Not in the parallel loop itself: there numba drops what is written through a tuple."""
    state_out.residuals[region] = residual_in(rows, law, region, span, flags[0], state_out.impulses)
    if most_steps > 0 and state_out.residuals[region] > least:
        _gradients_in(rows, law, region, span, flags, least, most_steps, scratch, state_out)
        _copy(state_out.best, span[0], span[1], state_out.impulses)


@compiled
def _gradients_in(rows, law, region, span, flags, least, most_steps, scratch, state_out):
    """Algorithm 2. The residual is computed anew in each step: projection of the impulses ends its recurrence.

    Steps end early where the best residual has not fallen for PATIENCE of them.
    """
    is_pyramid, is_polak_ribiere = flags
    first, end = span
    square = _fill_residual(rows, law, region, span, is_pyramid, state_out.impulses, scratch.residual)
    _copy(scratch.residual, first, end, scratch.direction)
    idle = 0
    for _ in range(min(most_steps, 6 * (end - first))):
        along = _dot(scratch.residual, scratch.direction, first, end)
        curvature = _curvature(rows, region, span, scratch.direction)
        is_done = state_out.residuals[region] <= least or idle == PATIENCE
        if is_done or not (curvature > 0.0 and along > 0.0):
            break
        _move(law, first, end, is_pyramid, along / curvature, scratch.direction, state_out.impulses)
        new = _fill_residual(rows, law, region, span, is_pyramid, state_out.impulses, scratch.next)
        idle = idle + 1 if math.sqrt(new) >= state_out.residuals[region] else 0
        keep_best(region, first, end, math.sqrt(new), state_out)
        change = new - _dot(scratch.next, scratch.residual, first, end) if is_polak_ribiere else new
        _turn(change / square if square > 0.0 else 0.0, first, end, scratch)
        square = new


@compiled
def _smallest(state, region):
    return state.residuals[region]


@compiled
def sweeps_in(rows, law, region, span, is_pyramid, least, state_out):
    first, end = span
    begin_answers(rows, region, span, state_out.impulses)
    for sweep in range(SWEEPS):
        if state_out.residuals[region] <= least:
            break
        for contact in range(first, end):
            visit(rows, law, contact, is_pyramid, state_out.impulses)
        if sweep % CHECK == CHECK - 1:
            residual = residual_in(rows, law, region, span, is_pyramid, state_out.impulses)
            keep_best(region, first, end, residual, state_out)


@compiled
def residual_in(rows, law, region, span, is_pyramid, impulses):
    begin_answers(rows, region, span, impulses)
    square = 0.0
    for contact in range(span[0], span[1]):
        square += _square(projected(rows, law, contact, is_pyramid, impulses))
    return math.sqrt(square)


@compiled
def keep_best(region, first, end, residual, state_out):
    if residual < state_out.residuals[region]:
        state_out.residuals[region] = residual
        _copy(state_out.impulses, first, end, state_out.best)


@compiled
def _copy(values, first, end, values_out):
    for contact in range(first, end):
        for axis in range(3):
            values_out[contact, axis] = values[contact, axis]


@compiled
def _fill_residual(rows, law, region, span, is_pyramid, impulses, residual_out):
    begin_answers(rows, region, span, impulses)
    square = 0.0
    for contact in range(span[0], span[1]):
        rest = projected(rows, law, contact, is_pyramid, impulses)
        residual_out[contact, 0], residual_out[contact, 1], residual_out[contact, 2] = rest
        square += _square(rest)
    return square


@compiled
def _dot(a, b, first, end):
    total = 0.0
    for contact in range(first, end):
        total += a[contact, 0] * b[contact, 0] + a[contact, 1] * b[contact, 1] + a[contact, 2] * b[contact, 2]
    return total


@compiled
def _square(vector):
    return vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]


@compiled
def _curvature(rows, region, span, direction):
    """dᵀ W d."""
    begin_answers(rows, region, span, direction)
    total = 0.0
    for contact in range(span[0], span[1]):
        n, s, t = answer(rows, contact, direction)
        total += direction[contact, 0] * n + direction[contact, 1] * s + direction[contact, 2] * t
    return total


@compiled
def _turn(share, first, end, scratch):
    """d = r + β d, and the next residual becomes this one."""
    for contact in range(first, end):
        for axis in range(3):
            scratch.residual[contact, axis] = scratch.next[contact, axis]
            scratch.direction[contact, axis] = scratch.next[contact, axis] + share * scratch.direction[contact, axis]


@compiled
def _move(law, first, end, is_pyramid, length, direction, impulses_out):
    """λ + α d, back into the law's set."""
    for contact in range(first, end):
        n = max(impulses_out[contact, 0] + length * direction[contact, 0], 0.0)
        s = impulses_out[contact, 1] + length * direction[contact, 1]
        t = impulses_out[contact, 2] + length * direction[contact, 2]
        s, t = limited(s, t, law.friction[contact] * n, is_pyramid)
        impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2] = n, s, t
