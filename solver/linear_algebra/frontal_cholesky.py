"""Multifrontal Cholesky: each front gathers its part of the matrix and its children's updates, eliminates its pivots,
and leaves the update of its parent [Duff and Reid 1983]."""

from numba import float32, float64, int32, int64, prange

from ..jit_cache import compiled, kernel
from .front_assembly import assemble_rows, matrix_entries_type
from .front_elimination import chunk_count, eliminate_chunk, panels_of_chunk, panels_of_rows, update_chunk
from .front_layout import CHILD_END, CHILD_START, PIVOTS, TRAILING, fronts_type
from .front_schedule import ASSEMBLE, ELIMINATE, FINISHED, FINISHED_AT, PROGRESS, SUBTREE, factor_tasks_type
from .shared_counters import take_from_counter, wait_until


def _types_with(numbers):
    """Arguments of a factorisation, for a factor of this precision."""
    plan = int64, factor_tasks_type, int64[::1], fronts_type
    return (*plan, matrix_entries_type, numbers[::1], numbers[::1], int32[::1])


@kernel(_types_with(float64), _types_with(float32), parallel=True)
def factorize(thread_count, schedule, counters, fronts, matrix, factor_out, updates_out, failures_out):
    """All tasks of a schedule, with the same bits on any number of threads.

    counters (c,) zeros; updates_out: workspace; failures_out (f,): first unknown of each front, among its pivots,
    that has no positive pivot; −1 before and if none
    """
    if thread_count == 1:
        _work(schedule, counters, fronts, matrix, factor_out, updates_out, failures_out)
    else:
        for _ in prange(thread_count):
            _work(schedule, counters, fronts, matrix, factor_out, updates_out, failures_out)


@compiled
def _work(schedule, counters, fronts, matrix, factor_out, updates_out, failures_out):
    tasks, places = schedule
    while True:
        number = take_from_counter(counters, 0)
        if number >= len(tasks):
            break
        kind, index, row, column = tasks[number, 0], tasks[number, 1], tasks[number, 2], tasks[number, 3]
        front = fronts.table[index]
        progress = places[index, PROGRESS]
        if kind == SUBTREE:
            for member in range(row, index + 1):
                panels = panels_of_rows(fronts.table[member])
                assemble_rows(fronts, member, panels, matrix, factor_out, updates_out)
                failures_out[member] = _eliminate_front(fronts.table[member], factor_out, updates_out)
            take_from_counter(counters, places[index, FINISHED])
        elif kind == ASSEMBLE:
            for item in range(front[CHILD_START], front[CHILD_END]):
                child = fronts.children[item]
                wait_until(counters, places[child, FINISHED], places[child, FINISHED_AT])
            assemble_rows(fronts, index, panels_of_chunk(front, row), matrix, factor_out, updates_out)
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
