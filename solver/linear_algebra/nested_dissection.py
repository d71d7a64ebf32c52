"""Nested dissection: an order of elimination that keeps a sparse factor sparse.

A graph is cut in two by a small separator, which is eliminated last; both halves are cut again, down to handfuls of
nodes [George 1973]. All parts of one depth are cut at the same time.
"""

import numpy as np
from numba import get_num_threads, prange, set_num_threads

from ..jit_cache import compiled, kernel
from .shared_counters import take_from_counter
from .vertex_separator import LEFT, RIGHT, SEPARATOR, boundary_size, separate, split_at_median

LEAF_NODES = 12  # parts of this size are eliminated as one
LARGE_PART = 2000  # nodes, from which on all attempts to cut a part are refined
NODES_FOR_THREADS = 4000  # in all parts of a depth: less is done before other threads wake up
SHORT_AXIS = 0.5  # of the largest extent: cuts across shorter axes are not tried

INSIDE, UNCUT, FINISHED = (
    0,
    1,
    2,
)  # what a place in the order is: not the first of its part, or the first of such a part
NO_LABEL = -1  # of nodes whose part is finished


def dissect(offsets, columns, positions=None):
    """The order of elimination and where its parts begin.

    offsets (n + 1,) int32, columns (k,) int32: neighbours of each node, itself included or not
    positions (n, 3): where the nodes are, if known; straight cuts are then tried too
    returns order (n,) int32: nodes, first eliminated first; starts (p,) int32: first place of each part
    """
    count = len(offsets) - 1
    coordinates = np.zeros((0, 3)) if positions is None else np.ascontiguousarray(positions, np.float64)
    order = np.arange(count, dtype=np.int32)
    labels = np.zeros(count, np.int32)
    places = np.zeros(count, np.int8)
    places[:1] = UNCUT
    thread_count = get_num_threads()
    try:
        while np.any(places == UNCUT):
            parts = _uncut_parts(places)
            is_small = np.sum(parts[:, 1] - parts[:, 0]) < NODES_FOR_THREADS
            worker_count = 1 if is_small else min(thread_count, len(parts))
            set_num_threads(worker_count)
            _cut_parts(offsets, columns, coordinates, parts, np.zeros(1, np.int64), worker_count, order, labels, places)
    finally:
        set_num_threads(thread_count)
    return order, np.flatnonzero(places).astype(np.int32)


def _uncut_parts(places):
    """First and last place + 1 of the parts to cut, the largest first (p, 2)."""
    starts = np.flatnonzero(places)
    parts = np.column_stack([starts, np.append(starts[1:], len(places))])[places[starts] == UNCUT]
    return np.ascontiguousarray(parts[np.argsort(parts[:, 0] - parts[:, 1], kind="stable")], np.int32)


@kernel(
    "void(int32[::1], int32[::1], float64[:, ::1], int32[:, ::1], int64[::1], int64, "
    "int32[::1], int32[::1], int8[::1])",
    parallel=True,
)
def _cut_parts(offsets, columns, coordinates, parts, counter, worker_count, order_out, labels_out, places_out):
    """Cut parts in two and a separator; `labels_out` keeps the first place of a node's part, which is its name."""
    keys = np.empty((4, len(order_out)))
    distances = np.empty(len(order_out), np.int32)
    sides = np.empty((2, len(order_out)), np.int8)
    touching = np.empty((len(order_out), 2), np.int32)
    is_locked = np.zeros(len(order_out), np.bool_)
    for _ in prange(worker_count):
        while True:
            part = take_from_counter(counter, 0)
            if part >= len(parts):
                break
            start, end = parts[part]
            nodes = order_out[start:end]
            if end - start <= LEAF_NODES:
                _finish(nodes, start, labels_out, places_out)
            elif not _cut_into_components(offsets, columns, nodes, start, distances, labels_out, places_out):
                _fill_ends(offsets, columns, nodes, labels_out, distances, keys)
                best = _separate_best(
                    offsets, columns, coordinates, nodes, labels_out, keys, touching, is_locked, sides
                )
                _arrange(nodes, start, sides[best], labels_out, places_out)


@compiled
def _finish(nodes, start, labels_out, places_out):
    places_out[start] = FINISHED
    for node in nodes:
        labels_out[node] = NO_LABEL


@compiled
def _cut_into_components(offsets, columns, nodes, start, distances, labels_out, places_out):
    """If the part is not connected, sort it by component and return true."""
    queue = np.empty_like(nodes)
    for node in nodes:
        distances[node] = -1
    count = _spread(offsets, columns, labels_out, nodes[0], queue, distances)
    if count == len(nodes):
        nodes[:] = queue
        return False
    name = labels_out[nodes[0]]
    begin = 0
    for node in nodes:
        if distances[node] < 0:
            places_out[start + begin] = UNCUT
            begin, count = count, count + _spread(offsets, columns, labels_out, node, queue[count:], distances)
    places_out[start + begin] = UNCUT
    nodes[:] = queue
    for index in range(len(nodes)):
        if places_out[start + index] == UNCUT:
            name = start + index
        labels_out[nodes[index]] = name
    return True


@compiled
def _spread(offsets, columns, labels, first, queue_out, distances_out):
    """Breadth-first search inside the part of `first` over nodes of negative distance; returns how many it met."""
    name = labels[first]
    queue_out[0] = first
    distances_out[first] = 0
    done, count = 0, 1
    while done < count:
        node = queue_out[done]
        done += 1
        for slot in range(offsets[node], offsets[node + 1]):
            neighbour = columns[slot]
            if labels[neighbour] == name and distances_out[neighbour] < 0:
                distances_out[neighbour] = distances_out[node] + 1
                queue_out[count] = neighbour
                count += 1
    return count


@compiled
def _separate_best(offsets, columns, coordinates, nodes, labels, keys, touching, is_locked, sides_out):
    """Try several halvings of a connected part; returns the row of `sides_out` that has the smallest separator.

    Of large parts, which matter most, each is refined; of small ones, that with the shortest boundary.
    """
    best, best_cost = 0, np.inf
    is_large = len(nodes) >= LARGE_PART
    for attempt in range(len(keys) + (3 if len(coordinates) > 0 else 0)):
        sides = sides_out[1 - best]
        if attempt < len(keys):
            split_at_median(keys[attempt], nodes, sides)
        elif _is_long(coordinates, nodes, attempt - len(keys)):
            split_at_median(coordinates[:, attempt - len(keys)], nodes, sides)
        else:
            continue
        if is_large:
            cost = separate(offsets, columns, labels, nodes, touching, is_locked, sides)
        else:
            cost = float(boundary_size(offsets, columns, labels, nodes, sides))
        if cost < best_cost:
            best, best_cost = 1 - best, cost
    if not is_large:
        separate(offsets, columns, labels, nodes, touching, is_locked, sides_out[best])
    return best


@compiled
def _fill_ends(offsets, columns, nodes, labels, distances, keys_out):
    """How much nearer a node is to one end of the part than to the other, for several pairs of ends.

    On a square sheet, ends are opposite corners; sum and difference of both pairs' keys lead from side to side.
    """
    queue = np.empty_like(nodes)
    end = nodes[-1]  # the last node that a search met: far from where it began
    for number in range(4):
        for node in nodes:
            distances[node] = -1
        _spread(offsets, columns, labels, end, queue, distances)
        pair = number // 2
        for node in nodes:
            if number % 2 == 0:
                keys_out[pair, node] = distances[node]
                keys_out[2, node] = min(distances[node], keys_out[2, node]) if number > 0 else distances[node]
            else:
                keys_out[2, node] = min(distances[node], keys_out[2, node])
                keys_out[pair, node] -= distances[node]
        end = queue[-1]
        if number == 1:
            for node in nodes:
                if keys_out[2, node] > keys_out[2, end]:
                    end = node
    for node in nodes:
        keys_out[2, node] = keys_out[0, node] + keys_out[1, node]
        keys_out[3, node] = keys_out[0, node] - keys_out[1, node]


@compiled
def _is_long(coordinates, nodes, axis):
    low, high = _bounds(coordinates, nodes)
    return high[axis] - low[axis] >= SHORT_AXIS * np.max(high - low)


@compiled
def _bounds(coordinates, nodes):
    low = coordinates[nodes[0]].copy()
    high = low.copy()
    for node in nodes:
        for axis in range(3):
            low[axis] = min(low[axis], coordinates[node, axis])
            high[axis] = max(high[axis], coordinates[node, axis])
    return low, high


@compiled
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
