"""The search of one tree of boxes in another.

The 64 primitives of eight lowest nodes (a group) descend the other tree together; where they meet other groups, nodes
and then primitives are compared eight with eight.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float32, int32, int64, prange, uint8

from ..jit_cache import compiled, inlined, kernel, tuple_of
from .box_overlaps import NOWHERE, WIDTH, box_of, lowest_bit, overlap_mask, pair_mask, union_box
from .pair_filter import may_meet
from .surface import MEETS

CHUNK = 8  # groups that are searched together
CHUNK_SIZE = CHUNK * WIDTH * WIDTH  # primitives
DEEPEST = 12 * WIDTH  # of the stack: more than 8¹¹ primitives do not exist
LOOK_AROUND = 1 << 18  # pairs after which a chunk looks whether all have found too many
NO_BOXES = np.empty((0, 6, WIDTH), np.float32)
NO_MARKS = np.empty(0, np.uint8)


def _bits_from_diagonal(offset):
    """The bits 8 i + j with j ≥ i + offset: of a node's pairs with itself, each once."""
    return int(np.packbits(np.triu(np.ones((WIDTH, WIDTH)), offset).astype(bool), bitorder="little").view(np.int64)[0])


ONCE_WITH_ITSELF, ONCE_WITH_OTHERS = _bits_from_diagonal(0), _bits_from_diagonal(1)


class SearchedSet(NamedTuple):
    """Primitives in a tree, who they are, and after some have got larger boxes: which, and the boxes before.

    Flat, because a parallel loop takes no tuple within a tuple.
    """

    order: np.ndarray  # of the tree                                                      (n,) int32
    corners: np.ndarray  # of the tree                                                    (n, k) int32
    level_starts: np.ndarray  # of the tree                                               (levels + 1,) int64
    boxes: np.ndarray  # of the tree                                                      (nodes, 6, WIDTH) float32
    objects: np.ndarray  # traits at each place of the tree                               (n,) int32
    grounds: np.ndarray  # traits at each place of the tree                               (n,) int32
    is_grown: np.ndarray = NO_MARKS  # 1 where the box at a place is larger than before   (n,) uint8
    boxes_before: np.ndarray = NO_BOXES  # of the tree's lowest level                     (leaves, 6, WIDTH) float32


class Scope(NamedTuple):
    """Which pairs of two sets are wanted."""

    is_self: bool  # the sets are the same: each pair once
    is_local: bool  # only pairs with a grown primitive of the first set whose boxes did not overlap before
    leaves_grown: bool  # not those with a grown primitive of the second set


SET = tuple_of(
    *(SearchedSet, int32[::1], int32[:, ::1], int64[::1], float32[:, :, ::1], int32[::1], int32[::1]),
    *(uint8[::1], float32[:, :, ::1]),
)
SCOPE = tuple_of(Scope, boolean, boolean, boolean)


@compiled
def _asked_leaves(own, scope, group):
    """A bit for each lowest node of a group with primitives that are asked for; in a local search, grown ones."""
    first, end = WIDTH * WIDTH * group, min(WIDTH * WIDTH * (group + 1), len(own.order))
    asked = 0
    for place in range(first, end, 1 if scope.is_local else WIDTH):
        if not scope.is_local or own.is_grown[place]:
            asked |= 1 << (place - first) // WIDTH
    return asked


@compiled
def _around(own, group, leaves):
    """The box around those of some lowest nodes of a group."""
    box = NOWHERE
    while leaves != 0:
        box = union_box(box, box_of(own.boxes, own.level_starts[1] + group, lowest_bit(leaves)))
        leaves &= leaves - 1
    return box


@kernel(
    (SET, SET, MEETS, SCOPE, int64[::1], int64[::1], int64, boolean, int32[:, ::1], int64[::1]),
    parallel=True,
)
def search_chunks(own, other, meets, scope, chunks, starts, most, stops_when_full, pairs_out, counts_out):
    """Search for the primitives of some chunks; `counts_out` says how many pairs each has, stored or not."""
    for task in prange(len(chunks)):
        nodes, levels = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
        count, next_look, is_enough = 0, LOOK_AROUND, False
        group_count = own.level_starts[2] - own.level_starts[1]
        for group in range(CHUNK * chunks[task], min(CHUNK * (chunks[task] + 1), group_count)):
            leaves = _asked_leaves(own, scope, group)
            query = _around(own, group, leaves)
            nodes[0], levels[0] = 0, len(other.level_starts) - 2
            depth = 1 if leaves != 0 else 0
            while depth > 0 and not is_enough:
                depth -= 1
                node, level = nodes[depth], levels[depth]
                if level == 1:
                    count = _put_pairs(
                        *(own, other, meets, scope, group, leaves, node),
                        *(count, starts[task], starts[task + 1], pairs_out),
                    )
                    counts_out[task] = count
                    is_enough = stops_when_full and count >= starts[task + 1] - starts[task]
                    if count >= next_look:
                        # What others have found by now is at most what they will have found in the end.
                        next_look = count + LOOK_AROUND
                        is_enough |= counts_out.sum() > most
                    continue
                mask = overlap_mask(other.boxes, other.level_starts[level] + node, query)
                if scope.is_self and not scope.is_local:
                    # Children before the one that holds the group itself have met it already.
                    first = (group >> 3 * (level - 2)) - WIDTH * node
                    mask &= -1 << max(first, 0)
                while mask != 0:
                    nodes[depth], levels[depth] = WIDTH * node + lowest_bit(mask), level - 1
                    depth += 1
                    mask &= mask - 1
        counts_out[task] = count


@inlined
def _put_pairs(own, other, meets, scope, group, leaves, other_group, count, start, end, pairs_out):
    """Compare the lowest nodes of two groups, each with each, and then their primitives; returns the new count."""
    is_once = scope.is_self and not scope.is_local
    near = pair_mask(own.boxes, own.level_starts[1] + group, other.boxes, other.level_starts[1] + other_group)
    if is_once and group == other_group:
        near &= ONCE_WITH_ITSELF
    while near != 0:
        bit = lowest_bit(near)
        near &= near - 1
        leaf, other_leaf = WIDTH * group + (bit >> 3), WIDTH * other_group + (bit & 7)
        if leaves >> (bit >> 3) & 1 == 0:
            continue
        mask = pair_mask(own.boxes, leaf, other.boxes, other_leaf)
        if is_once and leaf == other_leaf:
            mask &= ONCE_WITH_OTHERS
        while mask != 0:
            bit = lowest_bit(mask)
            mask &= mask - 1
            place, other_place = WIDTH * leaf + (bit >> 3), WIDTH * other_leaf + (bit & 7)
            if _is_wanted(own, other, scope, place, other_place) and may_meet(meets, own, place, other, other_place):
                if start + count < end:
                    pairs_out[start + count, 0] = own.order[place]
                    pairs_out[start + count, 1] = other.order[other_place]
                count += 1
    return count


@inlined
def _is_wanted(own, other, scope, place, other_place):
    """In a local search only what is new, each pair once."""
    if not scope.is_local:
        return True
    if not own.is_grown[place]:
        return False
    if other.is_grown[other_place] and (scope.leaves_grown or (scope.is_self and other_place <= place)):
        return False
    return not _overlapped_before(own, other, place, other_place)


@compiled
def _overlapped_before(own, other, place, other_place):
    boxes, other_boxes = own.boxes_before, other.boxes_before
    node, child, other_node, other_child = place // WIDTH, place % WIDTH, other_place // WIDTH, other_place % WIDTH
    overlaps = True
    for axis in range(3):
        overlaps &= boxes[node, axis, child] <= other_boxes[other_node, 3 + axis, other_child]
        overlaps &= boxes[node, 3 + axis, child] >= other_boxes[other_node, axis, other_child]
    return overlaps
