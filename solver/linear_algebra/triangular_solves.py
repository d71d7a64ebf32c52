"""Forward and backward substitution through the fronts: each reads the factor once, at the speed of memory."""

import numpy as np
from numba import float32, float64, int64, prange

from ..jit_cache import compiled, compiled_with_arrays, kernel
from .dense_tiles import PANEL_ROWS, subtract_panel_times_vector, subtract_vector_times_panel
from .elimination_tree import NO_PARENT
from .front_layout import (
    CHILD_END,
    CHILD_START,
    PANEL_NODES,
    PARENT,
    PIVOT_VECTOR,
    PIVOTS,
    TRAILING,
    TRAILING_START,
    TRAILING_VECTOR,
    factor_panel,
    fronts_type,
    panel_count,
)
from .front_schedule import (
    BACKWARD_COLUMNS,
    BACKWARD_PIVOTS,
    FORWARD_PIVOTS,
    FORWARD_SUBTREE,
    FORWARD_TRAILING,
    solve_tasks_type,
)
from .front_schedule import SOLVE_CHUNK_PANELS as CHUNK_PANELS
from .shared_counters import take_from_counter, wait_until

# Counters of a front, tasks done of each kind; those of a subtree are counted by its root.
PIVOTS_DONE, CARRIES_DONE, COLUMNS_DONE, BACKWARD_DONE = 0, 1, 2, 3
COUNTERS = 4


def _types_with(numbers):
    """Arguments of a solve, for a factor and vectors of this precision."""
    return (int64, solve_tasks_type, int64[::1], fronts_type, numbers[::1], numbers[::1], numbers[::1])


@kernel(_types_with(float64), _types_with(float32), parallel=True)
def solve(thread_count, schedule, counters, fronts, factor, carried, x_out):
    """L Lᵀ x = b in place, with the same bits on any number of threads.

    counters (1 + COUNTERS f,) zeros; carried: what a front adds to the right-hand sides above it; that of fronts that
    are not due is from the last time
    x_out: b before, in the order and with the padding of the fronts
    """
    if thread_count == 1:
        _work(schedule, counters, fronts, factor, carried, x_out)
    else:
        for _ in prange(thread_count):
            _work(schedule, counters, fronts, factor, carried, x_out)


@compiled
def _work(schedule, counters, fronts, factor, carried, x_out):
    tasks, carry_tasks, is_due = schedule
    table = fronts.table
    while True:
        number = take_from_counter(counters, 0)
        if number >= len(tasks):
            break
        kind, index, chunk = tasks[number, 0], tasks[number, 1], tasks[number, 2]
        front = table[index]
        counter = 1 + COUNTERS * index
        if kind == FORWARD_SUBTREE:
            for member in range(chunk, index + 1):
                if is_due[member]:
                    _solve_pivots(fronts, member, factor, carried, x_out)
                    _carry_up(table[member], range(panel_count(table[member, TRAILING])), factor, x_out, carried)
            take_from_counter(counters, counter + PIVOTS_DONE)
            take_from_counter(counters, counter + CARRIES_DONE)
        elif kind == FORWARD_PIVOTS:
            for item in range(front[CHILD_START], front[CHILD_END]):
                child = fronts.children[item]
                if is_due[child]:
                    wait_until(counters, 1 + COUNTERS * child + CARRIES_DONE, carry_tasks[child])
            _solve_pivots(fronts, index, factor, carried, x_out)
            take_from_counter(counters, counter + PIVOTS_DONE)
        elif kind == FORWARD_TRAILING:
            wait_until(counters, counter + PIVOTS_DONE, 1)
            panels = _chunk_of(chunk, CHUNK_PANELS, panel_count(front[TRAILING]))
            _carry_up(front, panels, factor, x_out, carried)
            take_from_counter(counters, counter + CARRIES_DONE)
        elif kind == BACKWARD_COLUMNS:
            _wait_for_ancestors(counters, front, counter)
            columns = _chunk_of(chunk, CHUNK_PANELS * PANEL_ROWS, 3 * front[PIVOTS])
            _take_from_above(front, columns, fronts.slots_in_vector, factor, x_out)
            take_from_counter(counters, counter + COLUMNS_DONE)
        elif kind == BACKWARD_PIVOTS:
            chunks = (panel_count(front[PIVOTS]) + CHUNK_PANELS - 1) // CHUNK_PANELS
            wait_until(counters, counter + COLUMNS_DONE, chunks)
            _solve_transposed_triangle(front, factor, x_out)
            take_from_counter(counters, counter + BACKWARD_DONE)
        else:
            _wait_for_ancestors(counters, front, counter)
            for member in range(index, chunk - 1, -1):
                if is_due[member]:
                    columns = range(3 * table[member, PIVOTS])
                    _take_from_above(table[member], columns, fronts.slots_in_vector, factor, x_out)
                    _solve_transposed_triangle(table[member], factor, x_out)


@compiled
def _chunk_of(chunk, size, end):
    return range(size * chunk, min(size * (chunk + 1), end))


@compiled
def _wait_for_ancestors(counters, front, counter):
    """Backward substitution follows that of the parent; at a root, forward substitution."""
    if front[PARENT] == NO_PARENT:
        wait_until(counters, counter + PIVOTS_DONE, 1)
    else:
        wait_until(counters, 1 + COUNTERS * front[PARENT] + BACKWARD_DONE, 1)


@compiled
def _solve_pivots(fronts, index, factor, carried, x_out):
    front = fronts.table[index]
    begin = front[TRAILING_VECTOR]
    carried[begin : begin + PANEL_ROWS * panel_count(front[TRAILING])] = 0.0
    padded_pivots = PANEL_NODES * panel_count(front[PIVOTS])
    for item in range(front[CHILD_START], front[CHILD_END]):
        child = fronts.table[fronts.children[item]]
        source = child[TRAILING_VECTOR]
        for row in range(child[TRAILING]):
            slot = fronts.slots_in_parent[child[TRAILING_START] + row]
            for axis in range(3):
                value = carried[source + 3 * row + axis]
                if slot < padded_pivots:
                    x_out[front[PIVOT_VECTOR] + 3 * slot + axis] += value
                else:
                    carried[begin + 3 * (slot - padded_pivots) + axis] += value
    _solve_triangle(front, factor, x_out)


@compiled
def _solve_triangle(front, factor, x_out):
    start = front[PIVOT_VECTOR]
    for panel in range(panel_count(front[PIVOTS])):
        column = PANEL_ROWS * panel
        a = factor_panel(front, panel)
        subtract_panel_times_vector(x_out, start + column, factor, a, x_out, start, column)
        for j in range(min(PANEL_ROWS, 3 * front[PIVOTS] - column)):
            tile = a + PANEL_ROWS * (column + j)
            x_out[start + column + j] *= factor[tile + j]
            for i in range(j + 1, PANEL_ROWS):
                x_out[start + column + i] -= factor[tile + i] * x_out[start + column + j]


@compiled
def _carry_up(front, panels, factor, x, carried_out):
    """Subtract what the pivots contribute to a range of panels of trailing rows."""
    for panel in panels:
        place = front[TRAILING_VECTOR] + PANEL_ROWS * panel
        a = factor_panel(front, panel_count(front[PIVOTS]) + panel)
        subtract_panel_times_vector(carried_out, place, factor, a, x, front[PIVOT_VECTOR], 3 * front[PIVOTS])


@compiled_with_arrays
def _take_from_above(front, columns, slots_in_vector, factor, x_out):
    """Subtract what the trailing rows, which are solved already, contribute to a range of columns."""
    rows = np.zeros(PANEL_ROWS, x_out.dtype)
    slots = slots_in_vector[front[TRAILING_START] : front[TRAILING_START] + front[TRAILING]]
    for panel in range(panel_count(front[TRAILING])):
        for lane in range(PANEL_NODES):
            node = PANEL_NODES * panel + lane
            for axis in range(3):
                rows[3 * lane + axis] = x_out[3 * slots[node] + axis] if node < len(slots) else 0.0
        a = factor_panel(front, panel_count(front[PIVOTS]) + panel) + PANEL_ROWS * columns.start
        subtract_vector_times_panel(x_out, front[PIVOT_VECTOR] + columns.start, factor, a, rows, 0, len(columns))


@compiled
def _solve_transposed_triangle(front, factor, x_out):
    start = front[PIVOT_VECTOR]
    for panel in range(panel_count(front[PIVOTS]) - 1, -1, -1):
        column = PANEL_ROWS * panel
        a = factor_panel(front, panel)
        for j in range(min(PANEL_ROWS, 3 * front[PIVOTS] - column) - 1, -1, -1):
            tile = a + PANEL_ROWS * (column + j)
            total = x_out[start + column + j]
            for i in range(j + 1, PANEL_ROWS):
                total -= factor[tile + i] * x_out[start + column + i]
            x_out[start + column + j] = total * factor[tile + j]
        subtract_vector_times_panel(x_out, start, factor, a, x_out, start + column, column)
