"""Gathering a front: its entries of the matrix, and what its children leave to it."""

import numpy as np

from ..jit_cache import compiled
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
    panel_count,
    triangle_start,
)

BLOCK_STRIDE = 3 * PANEL_ROWS  # from a node's first column to the next one's


@compiled
def assemble_rows(fronts, index, first, last, children, slots, matrix, factor_out, updates_out):
    """Fill the panels from `first` to `last` − 1 of a front: entries of the matrix and updates of the children."""
    front = fronts[index]
    entry_blocks, entry_places, blocks = matrix
    begin, end = factor_panel(front, first), factor_panel(front, last)
    factor_out[begin:end] = 0.0
    pivot_panels = panel_count(front[PIVOTS])
    if last > pivot_panels:
        first_trailing = max(first - pivot_panels, 0)
        start = front[UPDATE_START]
        updates_out[start + triangle_start(first_trailing) : start + triangle_start(last - pivot_panels)] = 0.0
    entry = np.searchsorted(entry_places, begin)
    while entry < len(entry_places) and entry_places[entry] < end:
        _add_entry(blocks[entry_blocks[entry]], entry_places[entry], factor_out)
        entry += 1
    for child in children[front[CHILD_START] : front[CHILD_END]]:
        _add_update(fronts[child], front, first, last, slots, updates_out, factor_out)


@compiled
def _add_entry(block, place, factor_out):
    for column in range(3):
        for row in range(3):
            factor_out[place + PANEL_ROWS * column + row] = block[row, column]


@compiled
def _add_update(child, front, first, last, slots, updates_out, factor_out):
    """Add the rows of a child's update that lie in some of its parent's panels."""
    slots = slots[child[TRAILING_START] : child[TRAILING_START] + child[TRAILING]]
    padded_pivots = PANEL_NODES * panel_count(front[PIVOTS])
    pivots = np.searchsorted(slots, padded_pivots)
    for row in range(np.searchsorted(slots, PANEL_NODES * first), np.searchsorted(slots, PANEL_NODES * last)):
        source = child[UPDATE_START] + _block_in_panel(row) + triangle_start(row // PANEL_NODES)
        slot = slots[row]
        target = factor_panel(front, slot // PANEL_NODES) + _block_in_panel(slot)
        _add_blocks(updates_out, source, slots[: min(row + 1, pivots)], 0, factor_out, target)
        if row >= pivots:
            trailing = slot - padded_pivots
            target = front[UPDATE_START] + triangle_start(trailing // PANEL_NODES) + _block_in_panel(trailing)
            source += BLOCK_STRIDE * pivots
            _add_blocks(updates_out, source, slots[pivots : row + 1], padded_pivots, updates_out, target)


@compiled
def _block_in_panel(slot):
    return 3 * (slot % PANEL_NODES)


@compiled
def _add_blocks(source, source_start, slots, first_slot, target, target_start):
    for slot in slots:
        place = target_start + BLOCK_STRIDE * (slot - first_slot)
        for column in range(0, BLOCK_STRIDE, PANEL_ROWS):
            for row in range(3):
                target[place + column + row] += source[source_start + column + row]
        source_start += BLOCK_STRIDE
