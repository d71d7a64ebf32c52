"""Newton's method for a region that sweeps do not finish: dense, on proximal points (docs/theory/regions.md, 6).

The same as `newton.py` for one region of few contacts, without a call for each product.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int64, prange

from ..jit_cache import compiled, compiled_with_arrays, kernel
from .newton import ENOUGH, FACTOR, FIRST, LEAST, MEMORY, MOST, NEARER, SHORTEST
from .region_answers import ROWS_TYPES
from .region_dense import dense_region
from .region_law import LAW_TYPES
from .region_sweeps import STATE_TYPES, keep_best, residual_in, sweeps_in

NEAR = 1e-8  # σ near a solution
FACTORS_NEAR, FACTORS = 25, 60  # of the matrix in an attempt there, and in one from no impulses
FACTORS_OF_POINT = 25  # for one proximal point
LEAST_PIVOT = 1e-14  # of the largest entry of a column: below, the matrix counts as singular


class Point(NamedTuple):
    """What is known where Newton's method is."""

    impulses: np.ndarray  # x                                 (3 c,) [N s]
    centre: np.ndarray  # of which the proximal point is sought (3 c,) [N s]
    moved: np.ndarray  # z = x − u/s                          (3 c,) [N s]
    misses: np.ndarray  # x − P(z)                            (3 c,) [N s]
    step: np.ndarray  # (3 c,) [N s]
    matrix: np.ndarray  # (3 c, 3 c)


@kernel((ROWS_TYPES, LAW_TYPES, int64[::1], int64[::1], boolean, float64, STATE_TYPES), parallel=True)
def finish_by_newton(rows, law, starts, chosen, is_pyramid, least, state_out):
    """Where it does not reach the least residual it leaves the impulses where they are; the best are kept."""
    for turn in prange(len(chosen)):
        region = chosen[turn]
        _finish(rows, law, region, (starts[region], starts[region + 1]), is_pyramid, least, state_out)


@compiled_with_arrays
def _finish(rows, law, region, span, is_pyramid, least, state_out):
    """Near the best, then near where sweeps get from nothing, since gradients may lead into a corner; then softly."""
    first, end = span
    dense, point = dense_region(rows, law, region, span), _point(state_out.best, span)
    before = state_out.impulses[first:end].copy()
    _attempt(rows, law, region, span, is_pyramid, least, (NEAR, FACTORS_NEAR), dense, point, state_out)
    if state_out.residuals[region] > least:
        state_out.impulses[first:end] = 0.0
        sweeps_in(rows, law, region, span, is_pyramid, least, state_out)
        point.impulses[:] = state_out.impulses[first:end].copy().reshape(3 * (end - first))
        _attempt(rows, law, region, span, is_pyramid, least, (NEAR, FACTORS_NEAR), dense, point, state_out)
    if state_out.residuals[region] > least:
        point.impulses[:] = 0.0
        _attempt(rows, law, region, span, is_pyramid, least, (FIRST, FACTORS), dense, point, state_out)
    if state_out.residuals[region] > least:
        state_out.impulses[first:end] = before


@compiled_with_arrays
def _attempt(rows, law, region, span, is_pyramid, least, limits, dense, point, state_out):
    sigma, left = limits
    while state_out.residuals[region] > least and left > 0 and sigma <= MOST:
        point.centre[:] = point.impulses
        target = max(NEARER * _miss(dense, is_pyramid, 0.0, point), 0.3 * least)
        used, is_found = _find_proximal_point(dense, is_pyramid, sigma, target, left, point)
        left -= used + 1
        _miss(dense, is_pyramid, 0.0, point)
        _put_projected(point, span, state_out.impulses)
        residual = residual_in(rows, law, region, span, is_pyramid, state_out.impulses)
        keep_best(region, span[0], span[1], residual, state_out)
        if is_found:
            sigma = max(sigma / FACTOR, LEAST)
        else:
            point.impulses[:] = point.centre
            sigma *= FACTOR


@compiled_with_arrays
def _point(impulses, span):
    x = impulses[span[0] : span[1]].copy().reshape(3 * (span[1] - span[0]))
    size = len(x)
    return Point(x, x.copy(), np.empty(size), np.empty(size), np.empty(size), np.empty((size, size)))


@compiled
def _put_projected(point, span, impulses_out):
    """P(z): contacts that slide are exactly at their limit."""
    for contact in range(span[0], span[1]):
        for axis in range(3):
            place = 3 * (contact - span[0]) + axis
            impulses_out[contact, axis] = point.impulses[place] - point.misses[place]


@compiled_with_arrays
def _find_proximal_point(dense, is_pyramid, sigma, target, most, point):
    """How many factors it took, and whether it was found."""
    errors = np.full(MEMORY, -1.0)
    error = _miss(dense, is_pyramid, sigma, point)
    for number in range(min(most, FACTORS_OF_POINT)):
        if error <= target:
            return number, True
        errors[number % MEMORY] = error
        _fill_matrix(dense, is_pyramid, sigma, point)
        if not _solve_in_place(point.matrix, point.step):
            return number, False
        error = _search(dense, is_pyramid, sigma, errors.max(), point)
    return min(most, FACTORS_OF_POINT), error <= target


@compiled
def _search(dense, is_pyramid, sigma, highest, point):
    """The longest of some steps after which the error is below the highest; if there is none, the shortest."""
    gone, length = 0.0, 1.0
    while True:
        for place in range(len(point.step)):
            point.impulses[place] += (length - gone) * point.step[place]
        error = _miss(dense, is_pyramid, sigma, point)
        if error <= (1.0 - ENOUGH * length) * highest or length <= SHORTEST:
            return error
        gone, length = length, 0.5 * length


@compiled
def _miss(dense, is_pyramid, sigma, point):
    """Fill z and x − P(z); its norm, as a velocity [m/s]."""
    square = 0.0
    for contact in range(len(dense.softness)):
        soft = dense.softness[contact]
        for axis in range(3):
            place = 3 * contact + axis
            u = dense.given[place] + sigma * soft * (point.impulses[place] - point.centre[place])
            for other in range(len(point.impulses)):
                u += dense.W[place, other] * point.impulses[other]
            point.moved[place] = point.impulses[place] - u / soft
        target = _projected(point.moved, contact, dense.friction[contact], is_pyramid)
        for axis in range(3):
            place = 3 * contact + axis
            point.misses[place] = point.impulses[place] - target[axis]
            square += (soft * point.misses[place]) ** 2
    return math.sqrt(square)


@compiled
def _projected(moved, contact, friction, is_pyramid):
    n, s, t = moved[3 * contact], moved[3 * contact + 1], moved[3 * contact + 2]
    if not n > 0.0:
        return 0.0, 0.0, 0.0
    limit = friction * n
    if is_pyramid:
        return n, min(max(s, -limit), limit), min(max(t, -limit), limit)
    length = math.sqrt(s * s + t * t)
    share = limit / length if length > limit else 1.0
    return n, share * s, share * t


@compiled
def _slopes(moved, contact, friction, is_pyramid):
    """Derivatives of the projection's tangents by the normal, and by both tangents: s by n, s, t, then t by n, s, t."""
    n, s, t = moved[3 * contact], moved[3 * contact + 1], moved[3 * contact + 2]
    limit = friction * n
    if is_pyramid:
        s_by = (0.0, 1.0) if abs(s) <= limit else (math.copysign(friction, s), 0.0)
        t_by = (0.0, 1.0) if abs(t) <= limit else (math.copysign(friction, t), 0.0)
        return s_by[0], s_by[1], 0.0, t_by[0], 0.0, t_by[1]
    length = math.sqrt(s * s + t * t)
    if length <= limit:
        return 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    s, t, share = s / length, t / length, limit / length
    return friction * s, share * (1.0 - s * s), -share * s * t, friction * t, -share * s * t, share * (1.0 - t * t)


@compiled
def _fill_matrix(dense, is_pyramid, sigma, point):
    """1 − B (1 − W/s − σ) with the projection's slope B, and what the step must make of it."""
    size = len(point.step)
    for place in range(size):
        point.step[place] = -point.misses[place]
    for contact in range(len(dense.softness)):
        n, s, t = 3 * contact, 3 * contact + 1, 3 * contact + 2
        point.matrix[n : n + 3] = 0.0
        if point.moved[n] > 0.0:
            soft = dense.softness[contact]
            sn, ss, st, tn, ts, tt = _slopes(point.moved, contact, dense.friction[contact], is_pyramid)
            for other in range(size):
                a, b, c = dense.W[n, other] / soft, dense.W[s, other] / soft, dense.W[t, other] / soft
                point.matrix[n, other] = a
                point.matrix[s, other] = sn * a + ss * b + st * c
                point.matrix[t, other] = tn * a + ts * b + tt * c
            rest = 1.0 - sigma
            point.matrix[n, n] -= rest
            point.matrix[s, n] -= rest * sn
            point.matrix[s, s] -= rest * ss
            point.matrix[s, t] -= rest * st
            point.matrix[t, n] -= rest * tn
            point.matrix[t, s] -= rest * ts
            point.matrix[t, t] -= rest * tt
        for place in range(n, n + 3):
            point.matrix[place, place] += 1.0


@compiled
def _solve_in_place(matrix, right_out):
    """Gauss's elimination with the largest pivot of each column; False where the matrix is singular."""
    size = len(right_out)
    for column in range(size):
        pivot, largest = column, abs(matrix[column, column])
        for row in range(column + 1, size):
            if abs(matrix[row, column]) > largest:
                pivot, largest = row, abs(matrix[row, column])
        if not largest > LEAST_PIVOT:
            return False
        if pivot != column:
            for place in range(column, size):
                matrix[column, place], matrix[pivot, place] = matrix[pivot, place], matrix[column, place]
            right_out[column], right_out[pivot] = right_out[pivot], right_out[column]
        for row in range(column + 1, size):
            share = matrix[row, column] / matrix[column, column]
            if share != 0.0:
                for place in range(column + 1, size):
                    matrix[row, place] -= share * matrix[column, place]
                right_out[row] -= share * right_out[column]
    for row in range(size - 1, -1, -1):
        for place in range(row + 1, size):
            right_out[row] -= matrix[row, place] * right_out[place]
        right_out[row] /= matrix[row, row]
    return True
