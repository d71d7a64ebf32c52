"""Multifrontal Cholesky: each front gathers its part of the matrix and its children's updates, eliminates its pivots,
and leaves the update of its parent [Duff and Reid 1983]."""

from numba import prange

from ..jit_cache import compiled, kernel
from .front_assembly import assemble_rows
from .front_elimination import chunk_count, eliminate_chunk, panels_of_chunk, row_panels, update_chunk
from .front_layout import CHILD_END, CHILD_START, PIVOTS, TRAILING
from .front_schedule import ASSEMBLE, ELIMINATE, FINISHED, FINISHED_AT, PROGRESS, SUBTREE
from .shared_counters import take_from_counter, wait_until

_ARRAYS = (
    "int32[:, ::1], int32[:, ::1], int64[::1], int64[:, ::1], int32[::1], int32[::1], int32[::1], int64[::1], "
    "float64[:, :, ::1], float64[::1], float64[::1], int32[::1]"
)


@kernel(f"void({_ARRAYS})")
def factorize_on_one_thread(
    tasks,
    places,
    counters,
    fronts,
    children,
    slots,
    entry_blocks,
    entry_places,
    blocks,
    factor_out,
    updates_out,
    failures_out,
):
    """All tasks of a schedule.

    places: of the counters, see Schedule; counters (c,) zeros; blocks (k, 3, 3) of the matrix; updates_out: workspace
    failures_out (f,): first unknown of each front, among its pivots, that has no positive pivot; −1 before and if none
    """
    matrix = (entry_blocks, entry_places, blocks)
    _work(tasks, places, counters, fronts, children, slots, matrix, factor_out, updates_out, failures_out)


@kernel(f"void(int64, {_ARRAYS})", parallel=True)
def factorize_on_threads(
    count,
    tasks,
    places,
    counters,
    fronts,
    children,
    slots,
    entry_blocks,
    entry_places,
    blocks,
    factor_out,
    updates_out,
    failures_out,
):
    """The same bits on `count` threads."""
    for _ in prange(count):
        matrix = (entry_blocks, entry_places, blocks)
        _work(tasks, places, counters, fronts, children, slots, matrix, factor_out, updates_out, failures_out)


@compiled
def _work(tasks, places, counters, fronts, children, slots, matrix, factor_out, updates_out, failures_out):
    while True:
        number = take_from_counter(counters, 0)
        if number >= len(tasks):
            break
        kind, index, row, column = tasks[number]
        front = fronts[index]
        progress = places[index, PROGRESS]
        if kind == SUBTREE:
            for member in range(row, index + 1):
                panels = row_panels(fronts[member])
                assemble_rows(fronts, member, 0, panels, children, slots, matrix, factor_out, updates_out)
                failures_out[member] = _eliminate_front(fronts[member], factor_out, updates_out)
            take_from_counter(counters, places[index, FINISHED])
        elif kind == ASSEMBLE:
            for child in children[front[CHILD_START] : front[CHILD_END]]:
                wait_until(counters, places[child, FINISHED], places[child, FINISHED_AT])
            first, last = panels_of_chunk(front, row)
            assemble_rows(fronts, index, first, last, children, slots, matrix, factor_out, updates_out)
            take_from_counter(counters, progress + row)
        elif kind == ELIMINATE:
            wait_until(counters, progress + row, 1 + column)
            wait_until(counters, progress + column, 1 + column + (row != column))
            failure = eliminate_chunk(front, row, column, factor_out)
            if failure >= 0 and failures_out[index] < 0:
                failures_out[index] = failure
            take_from_counter(counters, progress + row)
        else:
            first_trailing = progress + chunk_count(front[PIVOTS])
            wait_until(counters, first_trailing + row, 1 + chunk_count(front[PIVOTS]))
            wait_until(counters, first_trailing + column, 1 + chunk_count(front[PIVOTS]))
            update_chunk(front, row, column, factor_out, updates_out)
            take_from_counter(counters, places[index, FINISHED])


@compiled
def _eliminate_front(front, factor_out, updates_out):
    pivot_chunks, trailing_chunks = chunk_count(front[PIVOTS]), chunk_count(front[TRAILING])
    failure = -1
    for column in range(pivot_chunks):
        for row in range(column, pivot_chunks + trailing_chunks):
            found = eliminate_chunk(front, row, column, factor_out)
            if failure < 0:
                failure = found
    for row in range(trailing_chunks):
        for column in range(row + 1):
            update_chunk(front, row, column, factor_out, updates_out)
    return failure
