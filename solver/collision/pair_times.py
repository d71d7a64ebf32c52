"""Times of contact of all candidates, each looked at again only when its ends have moved so far that it matters."""

import math
from typing import NamedTuple

import numpy as np
from numba import float32, float64, int32, int64, prange, uint8

from ..jit_cache import compiled, kernel, tuple_of
from ..linear_algebra.vector3 import dot3, row3, sub3
from .continuous import NEVER, TOUCHES, edge_edge_time, point_triangle_time
from .growing_rows import GrowingRows
from .surface import POINTS

# Of its starting distance, what a pair must keep. Less would let pairs come so near in one step that the next has no
# digits left to tell their sides; more would take harmless approaches for hits. A pair that nears at full speed is
# held at a fifth, and needs ten steps of that to come from a hair's radius to 10 pm.
SHARE = 0.2
UNKNOWN = -1.0  # the path up to which a pair stays clear, when it was not looked at yet
ROUNDING = 1e-6  # of a path: more than single precision loses
CHUNK = 2048  # pairs whose hits are counted together


class Paths(NamedTuple):
    """How far the ends of primitives of one kind have moved."""

    lengths: np.ndarray  # in all checks so far, at least     (n,) float32 [m]
    has_moved: np.ndarray  # 1 where they did since the last  (n,) uint8


PATHS = tuple_of(Paths, float32[::1], uint8[::1])


def new_paths(count: int) -> Paths:
    return Paths(np.zeros(count, np.float32), np.zeros(count, np.uint8))


class SeenPairs:
    """What the last look at each pair has told."""

    def __init__(self):
        self._clear_until = GrowingRows(np.empty(0, np.float32))
        self._times = GrowingRows(np.empty(0))
        self.hit_counts = np.empty(0, np.int64)  # of each chunk, in the last check

    @property
    def times(self) -> np.ndarray:
        """Of contact (k,)."""
        return self._times.rows

    @property
    def arrays(self):
        """Both paths together, before which there is nothing to see (k,); times; hits of each chunk."""
        return self._clear_until.rows, self._times.rows, self.hit_counts

    def extend(self, count: int) -> None:
        """Make room for pairs that were added."""
        added = count - len(self.times)
        self._clear_until.add(np.full(added, UNKNOWN, np.float32))
        self._times.add(np.full(added, NEVER))
        self.hit_counts = np.zeros(-(-count // CHUNK), np.int64)

    def want_more(self, distance: float) -> None:
        """Pairs must stay apart by so much more [m] than in the looks before."""
        self._clear_until.rows[:] -= np.float32((1.0 + ROUNDING) * distance)

    def hits(self) -> np.ndarray:
        """Numbers of the pairs that meet in the step."""
        starts = np.concatenate([[0], np.cumsum(self.hit_counts)])
        hits = np.empty(starts[-1], np.int64)
        collect_hits(self.times, starts, hits)
        return hits


@compiled
def _rows(positions, corners):
    return (
        *(row3(positions, corners[0]), row3(positions, corners[1])),
        *(row3(positions, corners[2]), row3(positions, corners[3])),
    )


@compiled
def _separation(points, corners, first_count):
    """The sum of the smallest radii of both sides: what the boxes of the candidates are sure to reach."""
    radii = points.radii
    if points.objects[corners[0]] == points.objects[corners[3]]:
        radii = points.self_radii
    own, other = np.inf, np.inf
    for place in range(4):
        if place < first_count:
            own = min(own, radii[corners[place]])
        else:
            other = min(other, radii[corners[place]])
    return own + other


@compiled
def _box_gap(starts, ends, first_count):
    """How far apart an axis keeps the boxes that two primitives sweep; most candidates cost no more than this.

    As seen from a place that moves along with the four corners: what falls together does not sweep much.
    """
    best = -np.inf
    for axis in range(3):
        shift = 0.0
        for place in range(4):
            shift += 0.25 * (ends[place][axis] - starts[place][axis])
        low, high = np.inf, -np.inf
        other_low, other_high = np.inf, -np.inf
        for place in range(4):
            start, end = starts[place][axis], ends[place][axis] - shift
            if place < first_count:
                low, high = min(low, start, end), max(high, start, end)
            else:
                other_low, other_high = min(other_low, start, end), max(other_high, start, end)
        best = max(best, low - other_high, other_low - high)
    return best


@kernel((float64[:, ::1], float64[:, ::1], float32[::1]), parallel=True)
def put_moved(before, ends, moved_out):
    for point in prange(len(ends)):
        change = sub3(row3(ends, point), row3(before, point))
        moved_out[point] = (1.0 + ROUNDING) * math.sqrt(dot3(change, change))


# Not Paths: what a parallel loop writes to an array in a tuple is lost.
@kernel((float32[::1], int32[:, ::1], float32[::1], uint8[::1]), parallel=True)
def add_largest(moved, corners, lengths_out, has_moved_out):
    """Of what the corners of each primitive have moved."""
    for primitive in prange(len(corners)):
        largest = moved[corners[primitive, 0]]
        for corner in range(1, corners.shape[1]):
            largest = max(largest, moved[corners[primitive, corner]])
        lengths_out[primitive] = (1.0 + ROUNDING) * (lengths_out[primitive] + largest)
        has_moved_out[primitive] = largest != 0.0


@compiled
def _clear_until(path, clearance):
    """The path at which a pair can be as near as is wanted, if it stays clear of that now by so much [m]."""
    return (1.0 - ROUNDING) * (path + max(clearance, 0.0))


@compiled
def _was_seen(clear_until):
    """What boxes have parted once, and no longer do for sure, is worth a closer look: it tells of more clearance."""
    return clear_until >= 0.0


@compiled
def _is_hit(time):
    return TOUCHES < time < NEVER


@kernel(
    (
        *(POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64[:, ::1]),
        *(PATHS, float64, float32[::1], float64[::1], int64[::1]),
    ),
    parallel=True,
)
def edge_contact_times(
    points, edges, pairs, starts, ends, paths, thickness, clear_until_out, times_out, hit_counts_out
):
    for chunk in prange(len(hit_counts_out)):
        for pair in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(pairs))):
            own, other = pairs[pair, 0], pairs[pair, 1]
            path = paths.lengths[own] + paths.lengths[other]
            if clear_until_out[pair] > path:
                continue
            if not _was_seen(clear_until_out[pair]) or paths.has_moved[own] | paths.has_moved[other]:
                corners = edges[own, 0], edges[own, 1], edges[other, 0], edges[other, 1]
                before, after = _rows(starts, corners), _rows(ends, corners)
                wanted, time = thickness * _separation(points, corners, 2), NEVER
                clearance = _box_gap(before, after, 2) - wanted
                if clearance <= 0.0 or _was_seen(clear_until_out[pair]):
                    time, clearance = edge_edge_time(before, after, wanted, SHARE)
                clear_until_out[pair], times_out[pair] = _clear_until(path, clearance), time
            hit_counts_out[chunk] += _is_hit(times_out[pair])


@kernel(
    (
        *(POINTS, int32[:, ::1], int32[:, ::1], float64[:, ::1], float64[:, ::1]),
        *(PATHS, PATHS, float64, float32[::1], float64[::1], int64[::1]),
    ),
    parallel=True,
)
def point_triangle_contact_times(
    points, triangles, pairs, starts, ends, point_paths, paths, thickness, clear_until_out, times_out, counts_out
):
    for chunk in prange(len(counts_out)):
        for pair in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(pairs))):
            point, triangle = pairs[pair, 0], pairs[pair, 1]
            path = point_paths.lengths[point] + paths.lengths[triangle]
            if clear_until_out[pair] > path:
                continue
            if not _was_seen(clear_until_out[pair]) or point_paths.has_moved[point] | paths.has_moved[triangle]:
                corners = point, triangles[triangle, 0], triangles[triangle, 1], triangles[triangle, 2]
                before, after = _rows(starts, corners), _rows(ends, corners)
                wanted, time = thickness * _separation(points, corners, 1), NEVER
                clearance = _box_gap(before, after, 1) - wanted
                if clearance <= 0.0 or _was_seen(clear_until_out[pair]):
                    time, clearance = point_triangle_time(before, after, wanted, SHARE)
                clear_until_out[pair], times_out[pair] = _clear_until(path, clearance), time
            counts_out[chunk] += _is_hit(times_out[pair])


@kernel((float64[::1], int64[::1], int64[::1]), parallel=True)
def collect_hits(times, starts, hits_out):
    """Chunks without hits are passed over."""
    for chunk in prange(len(starts) - 1):
        place = starts[chunk]
        if starts[chunk + 1] > place:
            for pair in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(times))):
                if _is_hit(times[pair]):
                    hits_out[place] = pair
                    place += 1
