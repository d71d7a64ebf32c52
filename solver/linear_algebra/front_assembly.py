"""Gathering a front: its entries of the matrix, and what its children leave to it."""

from typing import NamedTuple

import numpy as np
from numba import float64, int32, int64

from ..jit_cache import compiled, tuple_of
from .dense_tiles import PANEL_ROWS
from .front_layout import (
    CHILD_END,
    CHILD_START,
    PANEL_NODES,
    PIVOTS,
    TRAILING,
    TRAILING_START,
    UPDATE_START,
    factor_panel,
    first_not_below,
    panel_count,
    triangle_start,
)

BLOCK_STRIDE = 3 * PANEL_ROWS  # from a node's first column to the next one's


class MatrixEntries(NamedTuple):
    entry_blocks: np.ndarray  # blocks that are in the lower triangle         (e,) int32
    entry_places: np.ndarray  # first number of each in the factor, ascending (e,) int64
    blocks: np.ndarray  # of the matrix                                       (k, 3, 3)


matrix_entries_type = tuple_of(MatrixEntries, int32[::1], int64[::1], float64[:, :, ::1])


@compiled
def assemble_rows(fronts, index, panels, matrix, factor_out, updates_out):
    """Fill a range of a front's panels: entries of the matrix and updates of the children."""
    front = fronts.table[index]
    begin, end = factor_panel(front, panels.start), factor_panel(front, panels.stop)
    factor_out[begin:end] = 0.0
    pivot_panels = panel_count(front[PIVOTS])
    if panels.stop > pivot_panels:
        start, first_trailing = front[UPDATE_START], max(panels.start - pivot_panels, 0)
        updates_out[start + triangle_start(first_trailing) : start + triangle_start(panels.stop - pivot_panels)] = 0.0
    entry_count = len(matrix.entry_places)
    entry = first_not_below(matrix.entry_places, 0, entry_count, begin)
    while entry < entry_count and matrix.entry_places[entry] < end:
        _add_entry(matrix.blocks, matrix.entry_blocks[entry], matrix.entry_places[entry], factor_out)
        entry += 1
    for item in range(front[CHILD_START], front[CHILD_END]):
        child = fronts.table[fronts.children[item]]
        _add_update(child, front, panels, fronts.slots_in_parent, updates_out, factor_out)


@compiled
def _add_entry(blocks, block, place, factor_out):
    for column in range(3):
        for row in range(3):
            factor_out[place + PANEL_ROWS * column + row] = blocks[block, row, column]


@compiled
def _add_update(child, front, panels, slots, updates_out, factor_out):
    """Add the rows of a child's update that lie in some of its parent's panels."""
    begin, end = child[TRAILING_START], child[TRAILING_START] + child[TRAILING]
    padded_pivots = PANEL_NODES * panel_count(front[PIVOTS])
    pivot_end = first_not_below(slots, begin, end, padded_pivots)
    first = first_not_below(slots, begin, end, PANEL_NODES * panels.start)
    for item in range(first, first_not_below(slots, begin, end, PANEL_NODES * panels.stop)):
        row, slot = item - begin, slots[item]
        source = child[UPDATE_START] + _block_in_panel(row) + triangle_start(row // PANEL_NODES)
        target = factor_panel(front, slot // PANEL_NODES) + _block_in_panel(slot)
        _add_blocks(updates_out, source, slots, begin, min(item + 1, pivot_end), target, factor_out)
        if item >= pivot_end:
            trailing = slot - padded_pivots
            source += BLOCK_STRIDE * (pivot_end - begin)
            target = front[UPDATE_START] + triangle_start(trailing // PANEL_NODES) + _block_in_panel(trailing)
            target -= BLOCK_STRIDE * padded_pivots
            _add_blocks(updates_out, source, slots, pivot_end, item + 1, target, updates_out)


@compiled
def _block_in_panel(slot):
    return 3 * (slot % PANEL_NODES)


@compiled
def _add_blocks(source, source_start, slots, first, last, target_start, target_out):
    """Add consecutive blocks of a row to those of another, where the slots from `first` to `last` − 1 say."""
    for item in range(first, last):
        place = target_start + BLOCK_STRIDE * slots[item]
        for column in range(0, BLOCK_STRIDE, PANEL_ROWS):
            for row in range(3):
                target_out[place + column + row] += source[source_start + column + row]
        source_start += BLOCK_STRIDE
