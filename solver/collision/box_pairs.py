"""All pairs of primitives whose boxes overlap and which may meet, out of one tree or of two.

Chunks of primitives are searched for in rounds, and write to places of their own, so that the pairs, and their order,
are the same on any number of threads; where a chunk has too little room it is done again.
"""

import numpy as np
from numba import int32, int64, prange

from ..jit_cache import kernel
from .box_search import CHUNK_SIZE, Scope, SearchedSet, search_chunks

ROUND = 128  # chunks that are searched before their pairs are put together: their room stays in the cache
FIRST_ROOM, MOST_ROOM = 8 * CHUNK_SIZE, 64 * CHUNK_SIZE  # pairs of a chunk, to begin with and at most
SPARE = 1.3  # times the pairs expected: what is not written to is no memory yet
SAMPLE = 256  # pairs of a chunk that say who has too many


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
    chunk_count = -(-len(own.order) // CHUNK_SIZE)
    found, count = np.empty((0, 2), np.int32), 0
    room = np.empty((FIRST_ROOM * min(ROUND, chunk_count), 2), np.int32)
    for first in range(0, chunk_count, ROUND):
        end = min(first + ROUND, chunk_count)
        counts, parts = _search_round(own, other, meets, scope, np.arange(first, end), room, most - count)
        if count + counts.sum() > most:
            raise PairsExceeded(_sample(own, other, meets, scope, chunk_count))
        found = _with_room(found, count, count + int(counts.sum()), chunk_count / end, most)
        _put_in_order(parts, counts, found[count:])
        count += int(counts.sum())
        wanted = int(np.clip(1.5 * counts.max(), FIRST_ROOM, MOST_ROOM)) * len(counts)
        room = room if wanted <= len(room) else np.empty((wanted, 2), np.int32)
    return found[:count] if 2 * count > len(found) else found[:count].copy()


def _search_round(own, other, meets, scope, chunks, room, most):
    """How many pairs each of some chunks has, and where they are: rows of chunks, first places, and the pairs.

    The room (r, 2) is divided among the chunks; those that need more get it in a second turn.
    """
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    counts, todo = np.zeros(len(chunks), np.int64), np.arange(len(chunks))
    rooms = np.full(len(chunks), len(room) // len(chunks))
    while len(todo) and counts.sum() <= most:
        starts, found = np.concatenate([[0], np.cumsum(rooms[todo])]), np.zeros(len(todo), np.int64)
        pairs = np.empty((starts[-1], 2), np.int32) if parts else room
        search_chunks(own, other, meets, scope, chunks[todo], starts, most, False, pairs, found)
        counts[todo] = found
        is_done = found <= rooms[todo]
        parts.append((todo[is_done], starts[:-1][is_done], pairs))
        todo = todo[~is_done]
        rooms[todo] = counts[todo]
    return counts, parts


def _sample(own, other, meets, scope, chunk_count):
    """The first pairs of each chunk: where the search was broken off depends on the threads, these do not."""
    starts, counts = SAMPLE * np.arange(chunk_count + 1), np.zeros(chunk_count, np.int64)
    pairs = np.empty((starts[-1], 2), np.int32)
    search_chunks(own, other, meets, scope, np.arange(chunk_count), starts, 2**62, True, pairs, counts)
    counts = np.minimum(counts, SAMPLE)
    sample = np.empty((counts.sum(), 2), np.int32)
    _put_in_order([(np.arange(chunk_count), starts[:-1], pairs)], counts, sample)
    return sample


def _with_room(found, count, needed, rest, most):
    """The first `count` rows and room for as many as are needed now, and for those of the rest of the chunks."""
    if needed <= len(found):
        return found
    larger = np.empty((max(needed, min(int(SPARE * rest * needed), most)), 2), np.int32)
    larger[:count] = found[:count]
    return larger


def _put_in_order(parts, counts, pairs_out):
    """The pairs of all chunks in their order."""
    targets = np.cumsum(counts) - counts
    for rows, sources, pairs in parts:
        copy_chunks(sources, targets[rows], counts[rows], pairs, pairs_out)


@kernel((int64[::1], int64[::1], int64[::1], int32[:, ::1], int32[:, ::1]), parallel=True)
def copy_chunks(sources, targets, counts, pairs, pairs_out):
    for chunk in prange(len(sources)):
        source, target = sources[chunk], targets[chunk]
        for offset in range(counts[chunk]):
            pairs_out[target + offset, 0] = pairs[source + offset, 0]
            pairs_out[target + offset, 1] = pairs[source + offset, 1]
