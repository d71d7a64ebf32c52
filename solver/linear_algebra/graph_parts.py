"""Connected parts of a graph, their ends, and threads that look at several parts at the same time."""

from typing import NamedTuple

import numpy as np
from numba import float64, int8, int32, int64, prange

from ..jit_cache import compiled, kernel, tuple_of
from .shared_counters import take_from_counter

LEAF_NODES = 12  # parts of this size are eliminated as one

# What a place in the order of elimination is: not the first of its part, or the first of such a part.
INSIDE, UNCUT, FINISHED = 0, 1, 2
NO_LABEL = -1  # of nodes whose part is finished


class Graph(NamedTuple):
    offsets: np.ndarray  # first neighbour of each node, and the end    (n + 1,) int32
    columns: np.ndarray  # neighbours; a node may be one of its own     (k,) int32


class Parts(NamedTuple):
    order: np.ndarray  # nodes, part after part                         (n,) int32
    labels: np.ndarray  # names of the nodes' parts: their first places (n,) int32
    places: np.ndarray  # INSIDE, UNCUT or FINISHED                     (n,) int8


class Tasks(NamedTuple):
    """Threads take one part after the other."""

    ranges: np.ndarray  # first and last place + 1 of each part         (p, 2) int64
    counter: np.ndarray  # how many are taken                           (1,) int64


graph_type = tuple_of(Graph, int32[::1], int32[::1])
parts_type = tuple_of(Parts, int32[::1], int32[::1], int8[::1])
tasks_type = tuple_of(Tasks, int64[:, ::1], int64[::1])


@kernel((int64, tasks_type, graph_type, parts_type, float64[:, ::1], int8[::1]), parallel=True)
def search_parts(thread_count, tasks, graph, parts_out, keys_out, is_connected_out):
    """Name small parts as finished, divide what is not connected, and find opposite ends of what is.

    keys_out (4, n): see `_fill_ends`; is_connected_out (p,): zeros before, 1 where keys are filled
    """
    order, labels, places = parts_out
    ranges, counter = tasks
    queue, distances = np.empty(len(order), np.int32), np.empty(len(order), np.int32)
    for _ in prange(thread_count):
        while True:
            part = take_from_counter(counter, 0)
            if part >= len(ranges):
                break
            start, end = ranges[part, 0], ranges[part, 1]
            nodes = order[start:end]
            if end - start <= LEAF_NODES:
                _finish(nodes, start, labels, places)
            elif not _divide(graph, nodes, start, queue[start:end], distances, labels, places):
                _fill_ends(graph, nodes, labels, queue[start:end], distances, keys_out)
                is_connected_out[part] = 1


@compiled
def _finish(nodes, start, labels_out, places_out):
    places_out[start] = FINISHED
    for node in nodes:
        labels_out[node] = NO_LABEL


@compiled
def _divide(graph, nodes, start, queue, distances, labels_out, places_out):
    """If the part is not connected, sort it by component and return true."""
    for node in nodes:
        distances[node] = -1
    count = _spread(graph, labels_out, nodes[0], queue, distances)
    is_connected = count == len(nodes)
    begin = 0
    for node in nodes:
        if distances[node] < 0:
            places_out[start + begin] = UNCUT
            begin, count = count, count + _spread(graph, labels_out, node, queue[count:], distances)
    places_out[start + begin] = UNCUT
    name = labels_out[nodes[0]]
    for index in range(len(nodes)):
        nodes[index] = queue[index]
        if places_out[start + index] == UNCUT:
            name = start + index
        labels_out[nodes[index]] = name
    return not is_connected


@compiled
def _spread(graph, labels, first, queue_out, distances_out):
    """Breadth-first search inside the part of `first` over nodes of negative distance; returns how many it met."""
    name = labels[first]
    queue_out[0] = first
    distances_out[first] = 0
    done, count = 0, 1
    while done < count:
        node = queue_out[done]
        done += 1
        for slot in range(graph.offsets[node], graph.offsets[node + 1]):
            neighbour = graph.columns[slot]
            if labels[neighbour] == name and distances_out[neighbour] < 0:
                distances_out[neighbour] = distances_out[node] + 1
                queue_out[count] = neighbour
                count += 1
    return count


@compiled
def _fill_ends(graph, nodes, labels, queue, distances, keys_out):
    """How much nearer a node is to one end of the part than to the other, for several pairs of ends.

    On a square sheet, ends are opposite corners; sum and difference of both pairs' keys lead from side to side.
    """
    end = nodes[-1]  # the last node that a search met: far from where it began
    for number in range(4):
        for node in nodes:
            distances[node] = -1
        _spread(graph, labels, end, queue, distances)
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
