"""The Delassus operator region by region: connected contacts found, and its blocks put in their order.

Each in one pass over the entries; small problems would else take longer to prepare than to solve.
"""

import numpy as np
import scipy.sparse as sparse
from numba import float64, int32, int64

from ..jit_cache import compiled, kernel
from .block_rows import BLOCK_TYPES, BlockRows
from .kept_regions import join_two
from .local_form import TINY
from .problem import AXES

INDICES = int32[::1]
LEAST_SHARE = 1e-12  # of its trace, on a contact's own matrix: what cannot move must not divide by zero


def contact_regions(W: sparse.csr_array) -> tuple[int, np.ndarray]:
    """How many regions there are, and that of each contact (m,): contacts that answer to each other are in one.

    In time that is linear in the entries of W.
    """
    regions = np.empty(W.shape[0] // AXES, np.int32)
    return number_regions(*_places(W), regions), regions


def region_rows(
    W: sparse.csr_array, count: int, regions: np.ndarray
) -> tuple[BlockRows, np.ndarray, np.ndarray, np.ndarray]:
    """Blocks of W with contacts region by region, and the parts of each contact's own one (m, 6).

    Then what contact comes when (m,), and where each region starts.
    """
    contacts, places = len(regions), _places(W)
    order, rank, seen = np.empty((3, contacts), np.int32)
    offsets, starts = np.empty(contacts + 1, np.int32), np.zeros(count + 1, np.int64)
    block_count = order_contacts(*places, regions.astype(np.int32, copy=False), starts, order, rank, seen, offsets)
    rows = BlockRows(offsets, np.empty(block_count, np.int32), np.zeros((block_count, AXES * AXES)))
    own = np.zeros((contacts, 2 * AXES))
    fill_blocks(*places, W.data, order, rank, seen, rows, own)
    return rows, own, order, starts


def _places(W):
    return W.indptr.astype(np.int32, copy=False), W.indices.astype(np.int32, copy=False)


@kernel((INDICES, INDICES, INDICES))
def number_regions(offsets, columns, regions_out):
    """Regions (m,) from 0 on, in the order of their first contacts; returns how many."""
    contacts = len(regions_out)
    for contact in range(contacts):
        regions_out[contact] = contact
    for row in range(AXES * contacts):
        for place in range(offsets[row], offsets[row + 1]):
            join_two(regions_out, row // AXES, columns[place] // AXES)
    count = 0
    for contact in range(contacts):
        if regions_out[contact] == contact:
            regions_out[contact] = -1 - count  # a number, told apart from the contacts that others point to
            count += 1
        else:
            first = regions_out[contact]
            while first >= 0:
                first = regions_out[first]
            regions_out[contact] = first
    for contact in range(contacts):
        regions_out[contact] = -1 - regions_out[contact]
    return count


@kernel((INDICES, INDICES, INDICES, int64[::1], INDICES, INDICES, INDICES, INDICES))
def order_contacts(offsets, columns, regions, starts_out, order_out, rank_out, seen_out, block_offsets_out):
    """Sort contacts by region, and count the blocks that each answers to; returns how many blocks there are."""
    for contact in range(len(regions)):
        starts_out[regions[contact] + 1] += 1
        seen_out[contact] = -1
    for region in range(len(starts_out) - 1):
        starts_out[region + 1] += starts_out[region]
    for contact in range(len(regions)):
        place = starts_out[regions[contact]]
        order_out[place], rank_out[contact] = contact, place
        starts_out[regions[contact]] += 1
    for region in range(len(starts_out) - 1, 0, -1):
        starts_out[region] = starts_out[region - 1]
    starts_out[0] = 0
    block_offsets_out[0] = 0
    for rank in range(len(regions)):
        block_offsets_out[rank + 1] = block_offsets_out[rank] + _other_count(
            offsets, columns, order_out[rank], seen_out
        )
    return block_offsets_out[len(regions)]


@compiled
def _other_count(offsets, columns, contact, seen_out):
    count = 0
    for place in range(offsets[AXES * contact], offsets[AXES * contact + AXES]):
        other = columns[place] // AXES
        if seen_out[other] != contact:
            seen_out[other] = contact
            count += 1
    return count


@kernel((INDICES, INDICES, float64[::1], INDICES, INDICES, INDICES, BLOCK_TYPES, float64[:, ::1]))
def fill_blocks(offsets, columns, values, order, rank, slots_out, rows_out, own_out):
    """Columns of each row rise, so that sums do not depend on how W was made."""
    for contact in range(len(order)):
        slots_out[contact] = -1
    for row in range(len(order)):
        start, end = offsets[AXES * order[row]], offsets[AXES * order[row] + AXES]
        first = last = rows_out.offsets[row]
        for place in range(start, end):
            other = rank[columns[place] // AXES]
            if slots_out[other] < first:
                slots_out[other] = last
                _insert(rows_out.columns, first, last, other)
                last += 1
        for slot in range(first, last):
            slots_out[rows_out.columns[slot]] = slot
        for axis in range(AXES):
            line = AXES * order[row] + axis
            for place in range(offsets[line], offsets[line + 1]):
                slot = slots_out[rank[columns[place] // AXES]]
                rows_out.blocks[slot, AXES * axis + columns[place] % AXES] += values[place]
        _fill_own(rows_out, row, own_out)


@compiled
def _insert(columns_out, first, last, column):
    """Among those from first to last, which rise; mostly at the end."""
    place = last
    while place > first and columns_out[place - 1] > column:
        columns_out[place] = columns_out[place - 1]
        place -= 1
    columns_out[place] = column


@compiled
def _fill_own(rows, contact, own_out):
    """Of what an impulse does to its own contact: the diagonal, a little more of it, then 1n, 2n and 21."""
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        if rows.columns[place] == contact:
            block = rows.blocks[place]
            for part, entry in enumerate((0, 4, 8, 3, 6, 7)):
                own_out[contact, part] = block[entry]
    more = LEAST_SHARE * (own_out[contact, 0] + own_out[contact, 1] + own_out[contact, 2]) + TINY
    for axis in range(AXES):
        own_out[contact, axis] += more
