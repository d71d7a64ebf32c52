"""What all contacts of a region do to each other, as a dense matrix, for Newton's method."""

from typing import NamedTuple

import numpy as np

from ..jit_cache import compiled, compiled_with_arrays
from .region_answers import follow, gathered, still


class DenseRegion(NamedTuple):
    W: np.ndarray  # (3 c, 3 c) [1/kg]
    given: np.ndarray  # q                                    (3 c,) [m/s]
    friction: np.ndarray  # (c,)
    softness: np.ndarray  # of each contact                   (c,) [1/kg]


@compiled_with_arrays
def dense_region(rows, law, region, span):
    first, end = span
    size = 3 * (end - first)
    dense = DenseRegion(np.zeros((size, size)), np.empty(size), law.friction[first:end], np.empty(end - first))
    for contact in range(end - first):
        own = law.own[first + contact]
        dense.softness[contact] = max(own[0], own[1], own[2])
        for axis in range(3):
            dense.given[3 * contact + axis] = law.given[first + contact, axis]
    if rows.is_rooted:
        _multiply_root(rows, region, span, dense.W)
    else:
        _copy_blocks(rows, span, dense.W)
    return dense


@compiled
def _copy_blocks(rows, span, W_out):
    first, end = span
    for contact in range(end - first):
        for place in range(rows.offsets[first + contact], rows.offsets[first + contact + 1]):
            other = rows.columns[place] - first
            for entry in range(9):
                W_out[3 * contact + entry // 3, 3 * other + entry % 3] = rows.blocks[place, entry]


@compiled
def _multiply_root(rows, region, span, W_out):
    """Column by column: what an impulse of one does to each contact."""
    first, end = span
    for column in range(3 * (end - first)):
        other, axis = first + column // 3, column % 3
        still(rows, region)
        follow(rows, other, (1.0 * (axis == 0), 1.0 * (axis == 1), 1.0 * (axis == 2)))
        for contact in range(end - first):
            n, s, t = gathered(rows, first + contact, rows.moved)
            W_out[3 * contact, column], W_out[3 * contact + 1, column], W_out[3 * contact + 2, column] = n, s, t
        W_out[column, column] += rows.give[other]
