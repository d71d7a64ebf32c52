"""All pairs of primitives whose boxes overlap and which may meet, out of one tree or of two.

The eight primitives of a lowest node descend the other tree together. Chunks of such nodes write to places of their
own, so that the pairs, and their order, are the same on any number of threads; where a chunk has too little room it is
done again.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float32, int32, int64, prange, uint8

from ..jit_cache import compiled, kernel, tuple_of
from .box_overlaps import EVERYWHERE, NOWHERE, WIDTH, box_of, lowest_bit, overlap_mask, union_box
from .pair_filter import may_meet
from .surface import MEETS

CHUNK = 64  # lowest nodes
DEEPEST = 12 * WIDTH  # of the stack: more than 8¹¹ primitives do not exist
FIRST_ROOM = 32  # pairs a primitive, to begin with; what is not written to is no memory yet
LOOK_AROUND = 1 << 18  # pairs after which a chunk looks whether all have found too many
NO_BOXES = np.empty((0, 6, WIDTH), np.float32)
NO_MARKS = np.empty(0, np.uint8)


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


class PairsExceeded(Exception):
    """More pairs than asked for at most; carries those (k, 2) that each chunk met first."""

    def __init__(self, sample: np.ndarray):
        super().__init__("too many pairs of boxes overlap")
        self.sample = sample


def overlapping_pairs(
    own: SearchedSet, other: SearchedSet, meets: np.ndarray, scope: Scope, most: int = 2**31
) -> np.ndarray:
    """Numbers (k, 2) int32 of primitives, of the first and of the second set.

    Raises PairsExceeded beyond `most` pairs.
    """
    chunk_count = -(-int(own.level_starts[1]) // CHUNK)
    room = np.full(chunk_count, FIRST_ROOM * CHUNK * WIDTH, np.int64)
    counts = np.zeros(chunk_count, np.int64)
    todo = np.arange(chunk_count, dtype=np.int64)
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while len(todo):
        starts = np.concatenate([[0], np.cumsum(room[todo])]).astype(np.int64)
        pairs = np.empty((starts[-1], 2), np.int32)
        search_chunks(own, other, meets, scope, todo, starts, most, False, pairs, counts)
        if counts.sum() > most:
            raise PairsExceeded(_sample(own, other, meets, scope, chunk_count))
        done = counts[todo] <= room[todo]
        found.append((todo[done], starts[:-1][done], pairs))
        todo = todo[~done]
        room[todo] = counts[todo]
    return _joined(found, counts)


def _sample(own, other, meets, scope, chunk_count):
    """The first pairs of each chunk: where the search was broken off depends on the threads, these do not."""
    starts = FIRST_ROOM * WIDTH * np.arange(chunk_count + 1)
    pairs = np.empty((starts[-1], 2), np.int32)
    counts = np.zeros(chunk_count, np.int64)
    search_chunks(own, other, meets, scope, np.arange(chunk_count), starts, 2**62, True, pairs, counts)
    counts = np.minimum(counts, FIRST_ROOM * WIDTH)
    return _joined([(np.arange(chunk_count), starts[:-1], pairs)], counts)


def _joined(found, counts):
    """The pairs of all chunks in their order."""
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    joined = np.empty((starts[-1], 2), np.int32)
    for chunks, sources, pairs in found:
        copy_chunks(chunks, sources, starts, pairs, joined)
    return joined


@kernel((int64[::1], int64[::1], int64[::1], int32[:, ::1], int32[:, ::1]), parallel=True)
def copy_chunks(chunks, sources, starts, pairs, joined_out):
    for place in prange(len(chunks)):
        chunk, source = chunks[place], sources[place]
        for offset in range(starts[chunk + 1] - starts[chunk]):
            joined_out[starts[chunk] + offset, 0] = pairs[source + offset, 0]
            joined_out[starts[chunk] + offset, 1] = pairs[source + offset, 1]


@compiled
def _around(other, node):
    """The box around those of a lowest node, as the node above it holds it; no bounds where there is none above."""
    if len(other.level_starts) == 2:
        return EVERYWHERE
    return box_of(other.boxes, other.level_starts[1] + node // WIDTH, node % WIDTH)


@compiled
def _query(own, scope, leaf):
    """The box around those of a lowest node's primitives, of the grown ones in a local search; upside down for none."""
    query = NOWHERE
    for child in range(min(WIDTH, len(own.order) - WIDTH * leaf)):
        if not scope.is_local or own.is_grown[WIDTH * leaf + child]:
            query = union_box(query, box_of(own.boxes, leaf, child))
    return query


@kernel(
    (SET, SET, MEETS, SCOPE, int64[::1], int64[::1], int64, boolean, int32[:, ::1], int64[::1]),
    parallel=True,
)
def search_chunks(own, other, meets, scope, chunks, starts, most, stops_when_full, pairs_out, counts_out):
    """Search for the primitives of some chunks; `counts_out` says how many pairs each has, stored or not."""
    for task in prange(len(chunks)):
        chunk = chunks[task]
        nodes, levels = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
        count, next_look, is_enough = 0, LOOK_AROUND, False
        for leaf in range(CHUNK * chunk, min(CHUNK * (chunk + 1), own.level_starts[1])):
            query = _query(own, scope, leaf)
            nodes[0], levels[0] = 0, len(other.level_starts) - 2
            depth = 1 if query[0] <= query[3] else 0
            while depth > 0 and not is_enough:
                depth -= 1
                node, level = nodes[depth], levels[depth]
                if level == 0:
                    count = _put_pairs(
                        own, other, meets, scope, leaf, node, count, starts[task], starts[task + 1], pairs_out
                    )
                    counts_out[chunk] = count
                    is_enough = stops_when_full and count >= starts[task + 1] - starts[task]
                    if count >= next_look:
                        # What others have found by now is at most what they will have found in the end.
                        next_look = count + LOOK_AROUND
                        is_enough |= counts_out.sum() > most
                    continue
                mask = overlap_mask(other.boxes, other.level_starts[level] + node, query)
                if scope.is_self and not scope.is_local:
                    # Children before the one that holds the leaf itself have met it already.
                    first = (leaf >> 3 * (level - 1)) - WIDTH * node
                    mask &= -1 << max(first, 0)
                while mask != 0:
                    nodes[depth], levels[depth] = WIDTH * node + lowest_bit(mask), level - 1
                    depth += 1
                    mask &= mask - 1
        counts_out[chunk] = count


@compiled
def _put_pairs(own, other, meets, scope, leaf, node, count, start, end, pairs_out):
    """Compare the primitives of two lowest nodes, each with each; returns the new count of the chunk."""
    own_mask = overlap_mask(own.boxes, leaf, _around(other, node))
    while own_mask != 0:
        child = lowest_bit(own_mask)
        own_mask &= own_mask - 1
        place = WIDTH * leaf + child
        if scope.is_local and not own.is_grown[place]:
            continue
        mask = overlap_mask(other.boxes, node, box_of(own.boxes, leaf, child))
        while mask != 0:
            other_place = WIDTH * node + lowest_bit(mask)
            mask &= mask - 1
            if _is_wanted(own, other, scope, place, other_place) and may_meet(meets, own, place, other, other_place):
                if start + count < end:
                    pairs_out[start + count, 0] = own.order[place]
                    pairs_out[start + count, 1] = other.order[other_place]
                count += 1
    return count


@compiled
def _is_wanted(own, other, scope, place, other_place):
    """Each pair once, and in a local search only what is new."""
    if not scope.is_local:
        return not scope.is_self or other_place > place
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
