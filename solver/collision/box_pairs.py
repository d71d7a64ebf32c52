"""All pairs of boxes that overlap, out of one tree or of two.

The eight primitives of a lowest node descend the tree together. Chunks of such nodes write to places of their own, so
that the pairs, and their order, are the same on any number of threads; where a chunk has too little room it is done
again.
"""

import numpy as np
from numba import boolean, int32, int64, prange

from ..jit_cache import compiled, kernel
from .wide_tree import TREE, WIDTH, WideTree

CHUNK = 64  # lowest nodes
DEEPEST = 12 * WIDTH  # of the stack: more than 8¹¹ primitives do not exist
FIRST_ROOM = 8  # pairs a primitive, to begin with


class TooManyPairs(MemoryError):
    """More pairs than asked for at most."""


def overlapping_pairs(tree: WideTree, others: WideTree | None = None, most: int = 2**31) -> np.ndarray:
    """Primitives (k, 2) int32 of overlapping boxes: of `tree` and of `others`, or of `tree` alone, each pair once.

    Raises TooManyPairs beyond `most` pairs.
    """
    is_self = others is None
    target = tree if others is None else others
    chunk_count = -(-int(tree.level_starts[1]) // CHUNK)
    room = np.full(chunk_count, FIRST_ROOM * CHUNK * WIDTH, np.int64)
    counts = np.zeros(chunk_count, np.int64)
    todo = np.arange(chunk_count, dtype=np.int64)
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while len(todo):
        starts = np.concatenate([[0], np.cumsum(room[todo])]).astype(np.int64)
        pairs = np.empty((starts[-1], 2), np.int32)
        search_chunks(tree, target, is_self, todo, starts, pairs, counts)
        if counts.sum() > most:
            raise TooManyPairs(f"{int(counts.sum())} pairs of boxes overlap.")
        done = counts[todo] <= room[todo]
        found.append((todo[done], starts[:-1][done], pairs))
        todo = todo[~done]
        room[todo] = counts[todo]
    return _joined(found, counts)


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
def _compare(boxes, node, query, hits_out):
    """Which of a node's eight boxes overlap the query box; whether any does."""
    for child in range(WIDTH):
        hits_out[child] = (
            (boxes[node, 0, child] <= query[3])
            & (boxes[node, 1, child] <= query[4])
            & (boxes[node, 2, child] <= query[5])
            & (boxes[node, 3, child] >= query[0])
            & (boxes[node, 4, child] >= query[1])
            & (boxes[node, 5, child] >= query[2])
        )


@compiled
def _union(boxes, node, query_out):
    """The box around all of a node's boxes."""
    for axis in range(3):
        low, high = np.float32(np.inf), np.float32(-np.inf)
        for child in range(WIDTH):
            low = min(low, boxes[node, axis, child])
            high = max(high, boxes[node, 3 + axis, child])
        query_out[axis], query_out[3 + axis] = low, high


@kernel((TREE, TREE, boolean, int64[::1], int64[::1], int32[:, ::1], int64[::1]), parallel=True)
def search_chunks(tree, target, is_self, chunks, starts, pairs_out, counts_out):
    for task in prange(len(chunks)):
        chunk = chunks[task]
        query, own_box, hits = np.empty(6, np.float32), np.empty(6, np.float32), np.empty(WIDTH, np.uint8)
        nodes, levels = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
        count = 0
        for leaf in range(CHUNK * chunk, min(CHUNK * (chunk + 1), tree.level_starts[1])):
            _union(tree.boxes, leaf, query)
            top = len(target.level_starts) - 2
            nodes[0], levels[0], depth = 0, top, 1
            while depth > 0:
                depth -= 1
                node, level = nodes[depth], levels[depth]
                if level == 0:
                    count = _put_pairs(
                        *(tree, target, is_self, leaf, node, own_box, hits, count),
                        *(starts[task], starts[task + 1], pairs_out),
                    )
                    continue
                _compare(target.boxes, target.level_starts[level] + node, query, hits)
                size = 1 << 3 * (level - 1)  # lowest nodes below a child
                for child in range(WIDTH - 1, -1, -1):
                    lower = WIDTH * node + child
                    if hits[child] and not (is_self and (lower + 1) * size <= leaf):
                        nodes[depth], levels[depth] = lower, level - 1
                        depth += 1
        counts_out[chunk] = count


@compiled
def _put_pairs(tree, target, is_self, leaf, node, query, hits, count, start, end, pairs_out):
    """Compare the primitives of two lowest nodes, each with each; returns the new count of the chunk."""
    for own in range(min(WIDTH, len(tree.order) - WIDTH * leaf)):
        for bound in range(6):
            query[bound] = tree.boxes[leaf, bound, own]
        _compare(target.boxes, node, query, hits)
        first = own + 1 if is_self and node == leaf else 0
        for other in range(first, WIDTH):
            if hits[other]:
                if start + count < end:
                    pairs_out[start + count, 0] = tree.order[WIDTH * leaf + own]
                    pairs_out[start + count, 1] = target.order[WIDTH * node + other]
                count += 1
    return count
