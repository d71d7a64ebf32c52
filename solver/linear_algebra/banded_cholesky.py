"""Cholesky factors of one banded matrix a strand, for all strands at once.

The limit is the speed of memory: each kernel takes the columns of four strands in turn, with what the next columns
need in registers, and reads them once (going back up, they are still in the cache). The diagonal of a factor is
stored inverted, so that no solve divides. Storage and indices: strand_layout.py.
"""

import math

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from .band_columns import (
    BAND,
    COLUMN,
    entries_below,
    factorize_column,
    factorize_early_column,
    minus_dot,
    no_entries,
    pass_on,
    plus_dot,
    put_first,
)
from .lanes import LANES, everywhere, load, smaller, store
from .strand_layout import StrandLayout, band_index, from_lanes, to_lanes, vector_index

__all__ = [
    "BAND",
    "LANES",
    "StrandLayout",
    "band_index",
    "factorize",
    "from_lanes",
    "multiply",
    "solve",
    "solve_lower",
    "solve_upper",
    "to_lanes",
    "vector_index",
]


def factorize(layout: StrandLayout, matrix, factor_out) -> np.ndarray:
    """A = L Lᵀ for every strand; (matrix_size,) both, and `factor_out` may be `matrix`.

    Returns whether all pivots of a strand were positive numbers (s,) bool. Where one was not, its unknown is
    treated as held fast: a solve gives 0 there, and no NaN comes from the root or the division.
    """
    smallest_scales = np.empty(layout.group_strands.size)
    _factorize(layout.chunk_groups, layout.group_rows, matrix, factor_out, smallest_scales)
    return smallest_scales.reshape(-1, LANES)[layout.strand_groups, layout.strand_lanes] > 0.0


def solve(layout: StrandLayout, factor, right_side, solution_out):
    """L Lᵀ x = b for every strand; (vector_size,) both, and `solution_out` may be `right_side`."""
    _solve(layout.chunk_groups, layout.group_rows, factor, right_side, solution_out)


def solve_lower(layout: StrandLayout, factor, right_side, solution_out):
    """L y = b for every strand; (vector_size,) both, and `solution_out` may be `right_side`."""
    _solve_all_lower(layout.chunk_groups, layout.group_rows, factor, right_side, solution_out)


def solve_upper(layout: StrandLayout, factor, solution_out):
    """Lᵀ x = y for every strand; (vector_size,), in place of y."""
    _solve_all_upper(layout.chunk_groups, layout.group_rows, factor, solution_out)


def multiply(layout: StrandLayout, matrix, vector, product_out):
    """A x for every strand; (vector_size,) both, two arrays."""
    _multiply(layout.chunk_groups, layout.group_rows, matrix, vector, product_out)


@kernel("void(int64[::1], int64[::1], float64[::1], float64[::1], float64[::1])", parallel=True)
def _factorize(chunk_groups, group_rows, matrix, factor_out, smallest_scales_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            smallest = _factorize_group(group_rows[group], group_rows[group + 1], matrix, factor_out)
            store(smallest_scales_out, group, smallest)


@kernel("void(int64[::1], int64[::1], float64[::1], float64[::1], float64[::1])", parallel=True)
def _solve(chunk_groups, group_rows, factor, right_side, solution_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            _solve_lower(group_rows[group], group_rows[group + 1], factor, right_side, solution_out)
            _solve_upper(group_rows[group], group_rows[group + 1], factor, solution_out)


@kernel("void(int64[::1], int64[::1], float64[::1], float64[::1], float64[::1])", parallel=True)
def _solve_all_lower(chunk_groups, group_rows, factor, right_side, solution_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            _solve_lower(group_rows[group], group_rows[group + 1], factor, right_side, solution_out)


@kernel("void(int64[::1], int64[::1], float64[::1], float64[::1])", parallel=True)
def _solve_all_upper(chunk_groups, group_rows, factor, solution_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            _solve_upper(group_rows[group], group_rows[group + 1], factor, solution_out)


@kernel("void(int64[::1], int64[::1], float64[::1], float64[::1], float64[::1])", parallel=True)
def _multiply(chunk_groups, group_rows, matrix, vector, product_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            _multiply_lower(group_rows[group], group_rows[group + 1], matrix, vector, product_out)
            _add_strictly_upper(group_rows[group], group_rows[group + 1], matrix, vector, product_out)


@compiled
def _factorize_group(first, last, matrix, factor_out):
    smallest = everywhere(math.inf)
    for row in range(first, last):
        if row < first + BAND:
            scale = factorize_early_column(matrix, COLUMN * row, row - first, factor_out)
        else:
            scale = factorize_column(matrix, COLUMN * row, factor_out)
        smallest = smaller(smallest, scale)
    return smallest


@compiled
def _solve_lower(first, last, factor, right_side, solution_out):
    """L y = b, column by column: each y goes at once into the sums of the rows below."""
    sums = no_entries()
    for row in range(first, last):
        value = (load(right_side, row) - sums[0]) * load(factor, COLUMN * row)
        sums = pass_on(sums, entries_below(factor, COLUMN * row), value)
        store(solution_out, row, value)


@compiled
def _solve_upper(first, last, factor, solution_out):
    """Lᵀ x = y, from the last row up; in place."""
    below = no_entries()
    for row in range(last - 1, first - 1, -1):
        rest = minus_dot(load(solution_out, row), entries_below(factor, COLUMN * row), below)
        value = rest * load(factor, COLUMN * row)
        below = put_first(value, below)
        store(solution_out, row, value)


@compiled
def _multiply_lower(first, last, matrix, vector, product_out):
    sums = no_entries()
    for row in range(first, last):
        value = load(vector, row)
        store(product_out, row, sums[0] + load(matrix, COLUMN * row) * value)
        sums = pass_on(sums, entries_below(matrix, COLUMN * row), value)


@compiled
def _add_strictly_upper(first, last, matrix, vector, product_out):
    below = no_entries()
    for row in range(last - 1, first - 1, -1):
        total = plus_dot(load(product_out, row), entries_below(matrix, COLUMN * row), below)
        store(product_out, row, total)
        below = put_first(load(vector, row), below)
