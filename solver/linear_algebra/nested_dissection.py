"""Nested dissection: an order of elimination that keeps a sparse factor sparse.

A graph is cut in two by a small separator, which is eliminated last; both halves are cut again, down to handfuls of
nodes [George 1973]. All parts of one depth are cut at the same time.
"""

import numpy as np
from numba import float64, get_num_threads, int8, int64, prange, set_num_threads

from ..jit_cache import compiled, compiled_with_arrays, kernel
from .graph_parts import FINISHED, NO_LABEL, UNCUT, Graph, Parts, Tasks, parts_type, search_parts, tasks_type
from .shared_counters import take_from_counter
from .vertex_separator import (
    LEFT,
    RIGHT,
    SEPARATOR,
    Cutting,
    boundary_size,
    bounds,
    cutting_type,
    separate,
    split_at_median,
)

LARGE_PART = 2000  # nodes, from which on all attempts to cut a part are refined
NODES_FOR_THREADS = 4000  # in all parts of a depth: less is done before other threads wake up
SHORT_AXIS = 0.5  # of the largest extent: cuts across shorter axes are not tried


def dissect(offsets, columns, positions=None):
    """The order of elimination and where its parts begin.

    offsets (n + 1,) int32, columns (k,) int32: neighbours of each node, itself included or not
    positions (n, 3): where the nodes are, if known; straight cuts are then tried too
    returns order (n,) int32: nodes, first eliminated first; starts (p,) int32: first place of each part
    """
    count = len(offsets) - 1
    coordinates = np.empty((0, count)) if positions is None else np.ascontiguousarray(np.transpose(positions), float)
    graph = Graph(offsets, columns)
    parts = Parts(np.arange(count, dtype=np.int32), np.zeros(count, np.int32), np.zeros(count, np.int8))
    parts.places[:1] = UNCUT
    keys, sides = np.empty((4, count)), np.empty((2, count), np.int8)
    cutting = Cutting(offsets, columns, parts.labels, np.empty((count, 2), np.int32), np.zeros(count, np.int8))
    thread_count = get_num_threads()
    try:
        while np.any(parts.places == UNCUT):
            ranges = _uncut_parts(parts.places)
            is_connected = np.zeros(len(ranges), np.int8)
            search_parts(*_share(ranges, thread_count), graph, parts, keys, is_connected)
            shares = _share(ranges[is_connected > 0], thread_count)
            _cut_parts(*shares, cutting, coordinates, keys, sides, parts)
    finally:
        set_num_threads(thread_count)
    return parts.order, np.flatnonzero(parts.places).astype(np.int32)


def _uncut_parts(places):
    """First and last place + 1 of the parts to cut, the largest first (p, 2)."""
    starts = np.flatnonzero(places)
    parts = np.column_stack([starts, np.append(starts[1:], len(places))])[places[starts] == UNCUT]
    return np.ascontiguousarray(parts[np.argsort(parts[:, 0] - parts[:, 1], kind="stable")], np.int64)


def _share(ranges, thread_count):
    """The number of threads that are worth it, which is set, and their tasks."""
    is_small = np.sum(ranges[:, 1] - ranges[:, 0]) < NODES_FOR_THREADS
    worker_count = 1 if is_small else min(thread_count, len(ranges))
    set_num_threads(worker_count)
    return worker_count, Tasks(ranges, np.zeros(1, np.int64))


@kernel(
    (int64, tasks_type, cutting_type, float64[:, ::1], float64[:, ::1], int8[:, ::1], parts_type),
    parallel=True,
)
def _cut_parts(thread_count, tasks, cutting, coordinates, keys, sides, parts_out):
    """Cut connected parts in two and a separator; sides (2, n): workspace."""
    order, labels, places = parts_out
    ranges, counter = tasks
    for _ in prange(thread_count):
        while True:
            part = take_from_counter(counter, 0)
            if part >= len(ranges):
                break
            start = ranges[part, 0]
            nodes = order[start : ranges[part, 1]]
            best = _separate_best(cutting, nodes, coordinates, keys, sides)
            _arrange(nodes, start, sides[best], labels, places)


@compiled
def _separate_best(cutting, nodes, coordinates, keys, sides_out):
    """Try several halvings of a connected part; returns the row of `sides_out` that has the smallest separator.

    Of large parts, which matter most, each is refined; of small ones, that with the shortest boundary.
    """
    best, best_cost = 0, np.inf
    is_large = len(nodes) >= LARGE_PART
    longest = _longest_extent(coordinates, nodes)
    for attempt in range(len(keys) + len(coordinates)):
        sides = sides_out[1 - best]
        values = keys[attempt] if attempt < len(keys) else coordinates[attempt - len(keys)]
        if attempt >= len(keys) and _extent(values, nodes) < SHORT_AXIS * longest:
            continue
        split_at_median(values, nodes, sides)
        if is_large:
            cost = separate(cutting, nodes, sides)
        else:
            cost = float(boundary_size(cutting, nodes, sides))
        if cost < best_cost:
            best, best_cost = 1 - best, cost
    if not is_large:
        separate(cutting, nodes, sides_out[best])
    return best


@compiled
def _longest_extent(coordinates, nodes):
    longest = 0.0
    for axis in range(len(coordinates)):
        longest = max(longest, _extent(coordinates[axis], nodes))
    return longest


@compiled
def _extent(values, nodes):
    low, high = bounds(values, nodes)
    return high - low


@compiled_with_arrays
def _arrange(nodes, start, sides, labels_out, places_out):
    """Sort the nodes: left, right, separator; name the three parts."""
    unsorted = nodes.copy()
    count = 0
    for side in (LEFT, RIGHT, SEPARATOR):
        begin = count
        for node in unsorted:
            if sides[node] == side:
                nodes[count] = node
                labels_out[node] = NO_LABEL if side == SEPARATOR else start + begin
                count += 1
        if count > begin:
            places_out[start + begin] = FINISHED if side == SEPARATOR else UNCUT
