"""Dense Cholesky of a front's pivots and the update of its parent, chunk by chunk."""

import math

from ..jit_cache import compiled
from .dense_tiles import GROUP_COLUMNS, PANEL_ROWS, subtract_product, subtract_product_and_solve
from .front_layout import PIVOTS, TRAILING, UPDATE_START, column_count, factor_panel, panel_count, triangle_start
from .front_schedule import CHUNK_PANELS

DEPTH = 128  # of products: as many columns of two panels fit in the fastest cache


@compiled
def chunk_count(nodes):
    return (panel_count(nodes) + CHUNK_PANELS - 1) // CHUNK_PANELS


@compiled
def panels_of_rows(front):
    """All panels; those of pivots come first."""
    return range(panel_count(front[PIVOTS]) + panel_count(front[TRAILING]))


@compiled
def panels_of_chunk(front, chunk):
    """The panels of a chunk of rows, in which either all or none are pivots."""
    pivot_panels, pivot_chunks = panel_count(front[PIVOTS]), chunk_count(front[PIVOTS])
    first, end = chunk * CHUNK_PANELS, pivot_panels
    if chunk >= pivot_chunks:
        first, end = pivot_panels + (chunk - pivot_chunks) * CHUNK_PANELS, panels_of_rows(front).stop
    return range(first, min(first + CHUNK_PANELS, end))


@compiled
def eliminate_chunk(front, row, column, factor_out):
    """Compute a chunk of the factor from the columns before it; returns the first unknown without a pivot, or −1.

    L_IJ = (A_IJ − Σ_K<J L_IK L_JKᵀ) L_JJ⁻ᵀ
    """
    panels = panels_of_chunk(front, row)
    first_column = PANEL_ROWS * CHUNK_PANELS * column
    last_column = min(first_column + PANEL_ROWS * CHUNK_PANELS, column_count(front))
    for begin in range(0, first_column, DEPTH):
        depth = min(DEPTH, first_column - begin)
        for panel in panels:
            a = factor_panel(front, panel)
            for group in range(first_column, min(last_column, PANEL_ROWS * (panel + 1)), GROUP_COLUMNS):
                b = _rows_of_group(front, group) + PANEL_ROWS * begin
                subtract_product(factor_out, a + PANEL_ROWS * group, factor_out, a + PANEL_ROWS * begin, b, depth)
    failure = -1
    for panel in panels:
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
        factor_out[column + p] = 1.0 / math.sqrt(pivot) if is_positive and p < pivot_count else 0.0
        reciprocal = factor_out[column + p]
        for i in range(p + 1, row_count):
            factor_out[column + i] *= reciprocal
        for q in range(p + 1, GROUP_COLUMNS):
            for i in range(q, row_count):
                factor_out[start + PANEL_ROWS * q + i] -= factor_out[column + i] * factor_out[column + q]
    return failure


@compiled
def update_chunk(front, row, column, factor, updates_out):
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
