"""What impulses do to the contacts of a region: by rows of W, or by those of its root where W would be large.

docs/theory/regions.md, 7. With W = G Gᵀ a visit reads and changes the region's own part of z = Gᵀ r.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int32, int64

from ..jit_cache import compiled, tuple_of
from .block_rows import BlockRows


class RegionRows(NamedTuple):
    """Blocks of 3 × 3, contacts region by region."""

    offsets: np.ndarray  # first block of each contact, and the end               (m + 1,) int32
    columns: np.ndarray  # contact that a block answers to, or three of z         (b,) int32
    blocks: np.ndarray  # entries of W or G, row by row                           (b, 9) [1/kg] or [kg^(−1/2)]
    give: np.ndarray  # compliance of the contacts, beside a root                 (m,) [1/kg]
    moved: np.ndarray  # z, a scratch; none for W                                 (c, 3)
    moved_starts: np.ndarray  # first of z of each region, and the end            (regions + 1,)
    is_rooted: bool  # blocks are of G


MATRIX = float64[:, ::1]
ROWS_TYPES = tuple_of(RegionRows, int32[::1], int32[::1], MATRIX, float64[::1], MATRIX, int64[::1], boolean)


def rows_of_delassus(rows: BlockRows) -> RegionRows:
    return RegionRows(*rows, np.zeros(0), np.zeros((0, 3)), np.zeros(0, np.int64), False)


@compiled
def begin_answers(rows, region, span, vector):
    """Before answers to a vector: z = Gᵀ times it."""
    if rows.is_rooted:
        still(rows, region)
        for contact in range(span[0], span[1]):
            follow(rows, contact, (vector[contact, 0], vector[contact, 1], vector[contact, 2]))


@compiled
def still(rows, region):
    """z = 0."""
    for place in range(rows.moved_starts[region], rows.moved_starts[region + 1]):
        rows.moved[place, 0], rows.moved[place, 1], rows.moved[place, 2] = 0.0, 0.0, 0.0


@compiled
def follow(rows, contact, change):
    """After a contact's part of the vector has changed."""
    if rows.is_rooted:
        n, s, t = change
        for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
            z, g = rows.moved[rows.columns[place]], rows.blocks[place]
            z[0] += g[0] * n + g[3] * s + g[6] * t
            z[1] += g[1] * n + g[4] * s + g[7] * t
            z[2] += g[2] * n + g[5] * s + g[8] * t


@compiled
def answer(rows, contact, vector):
    """W times the vector, at a contact."""
    if not rows.is_rooted:
        return gathered(rows, contact, vector)
    n, s, t = gathered(rows, contact, rows.moved)
    give = rows.give[contact]
    return n + give * vector[contact, 0], s + give * vector[contact, 1], t + give * vector[contact, 2]


@compiled
def gathered(rows, contact, source):
    """A contact's blocks times what they answer to."""
    n, s, t = 0.0, 0.0, 0.0
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        other, block = rows.columns[place], rows.blocks[place]
        a, b, c = source[other, 0], source[other, 1], source[other, 2]
        n += block[0] * a + block[1] * b + block[2] * c
        s += block[3] * a + block[4] * b + block[5] * c
        t += block[6] * a + block[7] * b + block[8] * c
    return n, s, t
