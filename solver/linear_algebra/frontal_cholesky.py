"""Multifrontal Cholesky: each front gathers its part of the matrix and its children's updates, eliminates its pivots,
and leaves the update of its parent [Duff and Reid 1983]."""

import math

import numpy as np
from numba import prange

from ..jit_cache import compiled, kernel
from .dense_tiles import GROUP_COLUMNS, PANEL_ROWS, subtract_product, subtract_product_and_solve
from .front_layout import (
    CHILD_END,
    CHILD_START,
    PANEL_NODES,
    PIVOTS,
    TRAILING,
    TRAILING_START,
    UPDATE_START,
    column_count,
    factor_panel,
    panel_count,
    triangle_start,
)
from .front_schedule import ASSEMBLE, CHUNK_PANELS, ELIMINATE, FINISHED, FINISHED_AT, PROGRESS, SUBTREE
from .shared_counters import take_from_counter, wait_until

DEPTH = 128  # of products: as many columns of two panels fit in the fastest cache
BLOCK_STRIDE = 3 * PANEL_ROWS  # from a node's first column to the next one's


@kernel(
    "void(int32[:, ::1], int32[:, ::1], int64[::1], int64, int64[:, ::1], int32[::1], int32[::1], int32[::1], "
    "int64[::1], float64[:, :, ::1], float64[::1], float64[::1], int32[::1])",
    parallel=True,
)
def factorize_fronts(
    tasks, places, counters, worker_count, fronts, children, slots, entry_blocks, entry_places, blocks,
    factor_out, updates_out, failures_out,
):  # fmt: skip
    """All tasks of a schedule.

    counters (c,) zeros; blocks (k, 3, 3) of the matrix; updates_out: workspace
    failures_out (f,): first unknown of each front, among its pivots, that has no positive pivot, or −1
    """
    for _ in prange(worker_count):
        while True:
            number = take_from_counter(counters, 0)
            if number >= len(tasks):
                break
            kind, index, row, column = tasks[number]
            front = fronts[index]
            progress = places[index, PROGRESS]
            pivot_chunks = _chunk_count(front[PIVOTS])
            if kind == SUBTREE:
                for member in range(row, index + 1):
                    assemble_rows(
                        *(fronts, member, 0, _row_panels(fronts[member]), children, slots),
                        *(entry_blocks, entry_places, blocks, factor_out, updates_out),
                    )
                    failures_out[member] = _eliminate_front(fronts[member], factor_out, updates_out)
                take_from_counter(counters, places[index, FINISHED])
            elif kind == ASSEMBLE:
                for child in children[front[CHILD_START] : front[CHILD_END]]:
                    wait_until(counters, places[child, FINISHED], places[child, FINISHED_AT])
                first, last = _panels_of_chunk(front, row)
                assemble_rows(
                    *(fronts, index, first, last, children, slots),
                    *(entry_blocks, entry_places, blocks, factor_out, updates_out),
                )
                take_from_counter(counters, progress + row)
            elif kind == ELIMINATE:
                wait_until(counters, progress + row, 1 + column)
                wait_until(counters, progress + column, 1 + column + (row != column))
                failure = _eliminate_chunk(front, row, column, factor_out)
                if failure >= 0 and failures_out[index] < 0:
                    failures_out[index] = failure
                take_from_counter(counters, progress + row)
            else:
                wait_until(counters, progress + pivot_chunks + row, 1 + pivot_chunks)
                wait_until(counters, progress + pivot_chunks + column, 1 + pivot_chunks)
                _update_chunk(front, row, column, factor_out, updates_out)
                take_from_counter(counters, places[index, FINISHED])


@compiled
def _chunk_count(nodes):
    return (panel_count(nodes) + CHUNK_PANELS - 1) // CHUNK_PANELS


@compiled
def _row_panels(front):
    return panel_count(front[PIVOTS]) + panel_count(front[TRAILING])


@compiled
def _panels_of_chunk(front, chunk):
    """First panel and last panel + 1 of a chunk of rows; those of pivots come first."""
    pivot_panels, pivot_chunks = panel_count(front[PIVOTS]), _chunk_count(front[PIVOTS])
    if chunk < pivot_chunks:
        first = chunk * CHUNK_PANELS
        return first, min(first + CHUNK_PANELS, pivot_panels)
    first = pivot_panels + (chunk - pivot_chunks) * CHUNK_PANELS
    return first, min(first + CHUNK_PANELS, _row_panels(front))


@compiled
def assemble_rows(
    fronts, index, first, last, children, slots, entry_blocks, entry_places, blocks, factor_out, updates_out
):
    """Fill the panels from `first` to `last` − 1 of a front: entries of the matrix and updates of the children."""
    front = fronts[index]
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


@compiled
def _eliminate_front(front, factor_out, updates_out):
    pivot_chunks, trailing_chunks = _chunk_count(front[PIVOTS]), _chunk_count(front[TRAILING])
    failure = -1
    for column in range(pivot_chunks):
        for row in range(column, pivot_chunks + trailing_chunks):
            found = _eliminate_chunk(front, row, column, factor_out)
            if failure < 0:
                failure = found
    for row in range(trailing_chunks):
        for column in range(row + 1):
            _update_chunk(front, row, column, factor_out, updates_out)
    return failure


@compiled
def _eliminate_chunk(front, row, column, factor_out):
    """Compute a chunk of the factor from the columns before it; returns the first unknown without a pivot, or −1.

    L_IJ = (A_IJ − Σ_K<J L_IK L_JKᵀ) L_JJ⁻ᵀ
    """
    first, last = _panels_of_chunk(front, row)
    first_column = PANEL_ROWS * CHUNK_PANELS * column
    last_column = min(first_column + PANEL_ROWS * CHUNK_PANELS, column_count(front))
    for begin in range(0, first_column, DEPTH):
        depth = min(DEPTH, first_column - begin)
        for panel in range(first, last):
            a = factor_panel(front, panel)
            for group in range(first_column, min(last_column, PANEL_ROWS * (panel + 1)), GROUP_COLUMNS):
                b = _rows_of_group(front, group) + PANEL_ROWS * begin
                subtract_product(factor_out, a + PANEL_ROWS * group, factor_out, a + PANEL_ROWS * begin, b, depth)
    failure = -1
    for panel in range(first, last):
        a = factor_panel(front, panel)
        for group in range(first_column, min(last_column, PANEL_ROWS * panel), GROUP_COLUMNS):
            b = _rows_of_group(front, group)
            subtract_product_and_solve(
                *(factor_out, a + PANEL_ROWS * group, factor_out, a + PANEL_ROWS * first_column),
                *(b + PANEL_ROWS * first_column, group - first_column, b + PANEL_ROWS * group),
            )
        if row == column:
            found = _factorize_diagonal(front, panel, first_column, factor_out)
            if failure < 0:
                failure = found
    return failure


@compiled
def _rows_of_group(front, column):
    """Where the rows of 4 pivots begin, which multiply panels when the columns of these pivots are computed."""
    return factor_panel(front, column // PANEL_ROWS) + column % PANEL_ROWS


@compiled
def _factorize_diagonal(front, panel, first_column, factor_out):
    start = factor_panel(front, panel)
    failure = -1
    pivots = 3 * front[PIVOTS]
    for lane in range(0, min(PANEL_ROWS, pivots - PANEL_ROWS * panel), GROUP_COLUMNS):
        column = PANEL_ROWS * panel + lane
        tile, a = start + PANEL_ROWS * column, start + PANEL_ROWS * first_column
        subtract_product(factor_out, tile, factor_out, a, a + lane, column - first_column)
        found = _factorize_group(tile + lane, PANEL_ROWS - lane, pivots - column, factor_out)
        if failure < 0 and found >= 0:
            failure = column + found
    return failure


@compiled
def _factorize_group(start, row_count, pivot_count, factor_out):
    """Cholesky of 4 columns below their diagonal, which then holds reciprocals; those of missing pivots are 0."""
    failure = -1
    for p in range(GROUP_COLUMNS):
        column = start + PANEL_ROWS * p
        pivot = factor_out[column + p]
        is_positive = 0.0 < pivot < math.inf
        if p < pivot_count and not is_positive and failure < 0:
            failure = p
        reciprocal = 1.0 / math.sqrt(pivot) if is_positive and p < pivot_count else 0.0
        factor_out[column + p] = reciprocal
        for i in range(p + 1, row_count):
            factor_out[column + i] *= reciprocal
        for q in range(p + 1, GROUP_COLUMNS):
            for i in range(q, row_count):
                factor_out[start + PANEL_ROWS * q + i] -= factor_out[column + i] * factor_out[column + q]
    return failure


@compiled
def _update_chunk(front, row, column, factor, updates_out):
    """Subtract L_I L_Jᵀ from the update of the parent, for two chunks I and J of trailing rows."""
    pivot_panels, trailing_panels = panel_count(front[PIVOTS]), panel_count(front[TRAILING])
    columns = 3 * front[PIVOTS]
    for begin in range(0, columns, DEPTH):
        depth = min(DEPTH, columns - begin)
        for i in range(CHUNK_PANELS * row, min(CHUNK_PANELS * (row + 1), trailing_panels)):
            a = factor_panel(front, pivot_panels + i) + PANEL_ROWS * begin
            tile = front[UPDATE_START] + triangle_start(i) + PANEL_ROWS * PANEL_ROWS * CHUNK_PANELS * column
            for j in range(CHUNK_PANELS * column, min(CHUNK_PANELS * (column + 1), i + 1)):
                b = factor_panel(front, pivot_panels + j) + PANEL_ROWS * begin
                for lane in range(0, PANEL_ROWS, GROUP_COLUMNS):
                    subtract_product(updates_out, tile + PANEL_ROWS * lane, factor, a, b + lane, depth)
                tile += PANEL_ROWS * PANEL_ROWS
