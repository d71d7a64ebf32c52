"""Small sets of nodes that cut a graph in two halves."""

import heapq
from typing import NamedTuple

import numpy as np
from numba import int8, int32

from ..jit_cache import compiled, compiled_with_arrays, tuple_of

LEFT, RIGHT, SEPARATOR = 0, 1, 2

LARGEST_SHARE = 0.6  # of the nodes on one side: a smaller separator is worth that much imbalance
PASSES = 6  # of refinement; it mostly ends before, when a pass finds nothing
BINS = 1024  # of a median's histogram
PATIENCE = 20  # moves without a gain before a pass is given up, and one more for each node of the separator
_COST = 1 << 40  # more than twice the nodes: an entry of the heap is cost · _COST + 2 node + side


class Cutting(NamedTuple):
    """A graph in parts, and what refining a separator writes about its nodes."""

    offsets: np.ndarray  # first neighbour of each node, and the end             (n + 1,) int32
    columns: np.ndarray  # neighbours                                            (k,) int32
    labels: np.ndarray  # names of the nodes' parts                              (n,) int32
    touching: np.ndarray  # neighbours of a separator's node on both sides       (n, 2) int32
    is_locked: np.ndarray  # 0 between refinements                               (n,) int8


cutting_type = tuple_of(Cutting, int32[::1], int32[::1], int32[::1], int32[:, ::1], int8[::1])


@compiled_with_arrays
def split_at_median(keys, nodes, sides_out):
    """The half of the nodes with the smallest keys goes left, the other half right; ties in the order of `nodes`."""
    low, high = bounds(keys, nodes)
    scale = (BINS - 1) / (high - low) if high > low else 0.0
    counts = np.zeros(BINS, np.int64)
    for node in nodes:
        counts[int((keys[node] - low) * scale)] += 1
    left = len(nodes) // 2
    middle = 0
    while counts[middle] <= left:
        left -= counts[middle]
        middle += 1
    for node in nodes:
        bin_of_node = int((keys[node] - low) * scale)
        goes_left = bin_of_node < middle or (bin_of_node == middle and left > 0)
        left -= bin_of_node == middle
        sides_out[node] = LEFT if goes_left else RIGHT


@compiled
def bounds(keys, nodes):
    low = high = keys[nodes[0]]
    for node in nodes:
        low = min(low, keys[node])
        high = max(high, keys[node])
    return low, high


@compiled
def boundary_size(cutting, nodes, sides):
    """How many nodes on the right touch the left."""
    size = 0
    for node in nodes:
        size += sides[node] == RIGHT and _touches(cutting, sides, node, LEFT)
    return size


@compiled
def _touches(cutting, sides, node, side):
    for slot in range(cutting.offsets[node], cutting.offsets[node + 1]):
        neighbour = cutting.columns[slot]
        if cutting.labels[neighbour] == cutting.labels[node] and sides[neighbour] == side:
            return True
    return False


@compiled_with_arrays
def separate(cutting, nodes, sides_out):
    """Make a separator of the nodes on the right that touch the left, refine it, and return its cost.

    The cost is its size, for parts of equal balance; imbalance raises it.
    """
    sizes = np.zeros(3, np.int64)
    for node in nodes:
        if sides_out[node] == RIGHT and _touches(cutting, sides_out, node, LEFT):
            sides_out[node] = SEPARATOR
        sizes[sides_out[node]] += 1
    separator = [np.int64(node) for node in nodes if sides_out[node] == SEPARATOR]
    for _ in range(PASSES):
        before = sizes[SEPARATOR]
        separator = _refine(cutting, separator, sizes, sides_out)
        if sizes[SEPARATOR] >= before:
            break
    return sizes[SEPARATOR] / (max(sizes[LEFT], 1) * max(sizes[RIGHT], 1))


@compiled_with_arrays
def _refine(cutting, separator, sizes, sides_out):
    """One pass of Fiduccia and Mattheyses for separators; returns the separator's nodes.

    Move the node to that side where it is cheapest, also when the separator grows, each node once, then go back to
    the best state seen. The cost of a move is the number of nodes that the separator takes from the other side.
    """
    largest_side = LARGEST_SHARE * (sizes[LEFT] + sizes[RIGHT] + sizes[SEPARATOR])
    heap = [np.int64(0) for _ in range(0)]
    moves = [np.int64(0) for _ in range(0)]  # 4 node + side before
    for node in separator:
        _enter(cutting, sides_out, node, heap)
    best_size, best_imbalance, best_count = sizes[SEPARATOR], abs(sizes[LEFT] - sizes[RIGHT]), 0
    moves_left = PATIENCE + sizes[SEPARATOR]
    while len(heap) > 0 and moves_left > 0:
        entry = heapq.heappop(heap)
        node, side = (entry % _COST) // 2, entry % 2
        if sides_out[node] != SEPARATOR or cutting.is_locked[node] or sizes[side] >= largest_side:
            continue
        cost = cutting.touching[node, 1 - side]
        if cost != entry // _COST:
            if cost > entry // _COST:  # where it fell, a newer entry says so
                _push(heap, cost, node, side)
            continue
        cutting.is_locked[node] = 1
        _move(cutting, node, side, sizes, heap, moves, separator, sides_out)
        imbalance = abs(sizes[LEFT] - sizes[RIGHT])
        moves_left -= 1
        if sizes[SEPARATOR] < best_size or (sizes[SEPARATOR] == best_size and imbalance < best_imbalance):
            best_size, best_imbalance, best_count = sizes[SEPARATOR], imbalance, len(moves)
            moves_left = PATIENCE + sizes[SEPARATOR]
    _take_back(moves, best_count, sizes, cutting.is_locked, sides_out)
    return _without_doubles(separator, cutting.is_locked, sides_out)


@compiled_with_arrays
def _move(cutting, node, side, sizes, heap, moves, separator, sides_out):
    """Move a node from the separator to a side; its neighbours on the other side come into the separator."""
    moves.append(4 * node + SEPARATOR)
    sides_out[node] = side
    sizes[SEPARATOR] -= 1
    sizes[side] += 1
    for slot in range(cutting.offsets[node], cutting.offsets[node + 1]):
        neighbour = np.int64(cutting.columns[slot])
        if cutting.labels[neighbour] != cutting.labels[node]:
            continue
        if sides_out[neighbour] == SEPARATOR:
            cutting.touching[neighbour, side] += 1
        elif sides_out[neighbour] == 1 - side:
            moves.append(4 * neighbour + 1 - side)
            sides_out[neighbour] = SEPARATOR
            sizes[1 - side] -= 1
            sizes[SEPARATOR] += 1
            separator.append(neighbour)
            _enter(cutting, sides_out, neighbour, heap)
            _leave(cutting, sides_out, neighbour, 1 - side, heap)


@compiled_with_arrays
def _enter(cutting, sides, node, heap):
    """Count the neighbours of a node that is now in the separator, and offer it to both sides."""
    cutting.touching[node, LEFT] = cutting.touching[node, RIGHT] = 0
    for slot in range(cutting.offsets[node], cutting.offsets[node + 1]):
        neighbour = cutting.columns[slot]
        if cutting.labels[neighbour] == cutting.labels[node] and sides[neighbour] != SEPARATOR:
            cutting.touching[node, sides[neighbour]] += 1
    for side in range(2):
        _push(heap, cutting.touching[node, 1 - side], node, side)


@compiled_with_arrays
def _leave(cutting, sides, node, side, heap):
    """A node has left a side: its neighbours in the separator are cheaper to move to the other."""
    for slot in range(cutting.offsets[node], cutting.offsets[node + 1]):
        neighbour = np.int64(cutting.columns[slot])
        if cutting.labels[neighbour] == cutting.labels[node] and sides[neighbour] == SEPARATOR and neighbour != node:
            cutting.touching[neighbour, side] -= 1
            _push(heap, cutting.touching[neighbour, side], neighbour, 1 - side)


@compiled_with_arrays
def _push(heap, cost, node, side):
    heapq.heappush(heap, np.int64(cost * _COST + 2 * node + side))


@compiled_with_arrays
def _take_back(moves, keep, sizes, is_locked, sides_out):
    """Undo all moves but the first ones, and unlock all nodes."""
    for entry in moves:
        is_locked[entry // 4] = 0
    while len(moves) > keep:
        entry = moves.pop()
        node, side = entry // 4, entry % 4
        sizes[sides_out[node]] -= 1
        sides_out[node] = side
        sizes[side] += 1


@compiled_with_arrays
def _without_doubles(separator, is_marked, sides):
    """Those that are in the separator, each once: nodes may have come in several times."""
    kept = [np.int64(0) for _ in range(0)]
    for node in separator:
        if sides[node] == SEPARATOR and not is_marked[node]:
            is_marked[node] = 1
            kept.append(node)
    for node in kept:
        is_marked[node] = 0
    return kept
