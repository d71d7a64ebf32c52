"""Reference frames carried along as the strands move."""

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import cross3, norm3, row3, scale3, sub3
from .frames import any_perpendicular, parallel_transport, perpendicular_part, transported_twist
from .rods import FRAME_TYPES, RodFrames

ALONG = 1e-6  # sine of the angle below which a director runs along its edge, and says nothing


@compiled
def edge_of(positions, point):
    """The edge from a point to the next, as unit tangent and length."""
    edge = sub3(row3(positions, point + 1), row3(positions, point))
    length = norm3(edge)
    return scale3(1.0 / length, edge), length


@compiled
def write3(array, row, vector):
    array[row, 0], array[row, 1], array[row, 2] = vector


@kernel((int32[::1], float64[:, ::1], float64[:, ::1], FRAME_TYPES))
def start_frames(offsets, positions, root_directors, frames_out):
    """Frames that do not turn along each strand, from a given direction at its root; zero: an arbitrary one."""
    for strand in range(len(offsets) - 1):
        before, _ = edge_of(positions, offsets[strand])
        director = any_perpendicular(before)
        given = row3(root_directors, strand)
        if norm3(cross3(given, before)) > ALONG * norm3(given):
            director = perpendicular_part(given, before)
        for point in range(offsets[strand], offsets[strand + 1] - 1):
            tangent, _ = edge_of(positions, point)
            director = parallel_transport(director, before, tangent)
            before = tangent
            write3(frames_out.tangents, point, tangent)
            write3(frames_out.directors, point, director)
            frames_out.turns[point] = 0.0


@kernel((int32[::1], float64[:, ::1], FRAME_TYPES, FRAME_TYPES), parallel=True)
def transport_frames(offsets, positions, frames, frames_out):
    """Carry the frames to new positions; the same arrays may be given twice."""
    for strand in prange(len(offsets) - 1):
        transport_strand(offsets[strand], offsets[strand + 1], positions, frames, frames_out)


@compiled
def transport_strand(first, end, positions, frames, frames_out):
    """Carry the frames of the points from `first` to before `end`."""
    for point in range(first, end - 1):
        tangent, _ = edge_of(positions, point)
        director = parallel_transport(row3(frames.directors, point), row3(frames.tangents, point), tangent)
        write3(frames_out.tangents, point, tangent)
        write3(frames_out.directors, point, perpendicular_part(director, tangent))
    for point in range(first + 1, end - 1):
        frames_out.turns[point] = transported_twist(
            frames.turns[point],
            row3(frames_out.directors, point - 1),
            row3(frames_out.tangents, point - 1),
            row3(frames_out.directors, point),
            row3(frames_out.tangents, point),
        )


@kernel((int32[::1], int32[::1], float64[:, ::1], FRAME_TYPES))
def turn_root_frames(strands, offsets, root_directors, frames_out):
    """Let the frames of some strands' first edges follow given directions, such as the scalp's."""
    for place in range(len(strands)):
        strand = strands[place]
        first = offsets[strand]
        director = perpendicular_part(row3(root_directors, place), row3(frames_out.tangents, first))
        write3(frames_out.directors, first, director)
        if offsets[strand + 1] - first > 2:
            frames_out.turns[first + 1] = transported_twist(
                frames_out.turns[first + 1],
                director,
                row3(frames_out.tangents, first),
                row3(frames_out.directors, first + 1),
                row3(frames_out.tangents, first + 1),
            )


def new_frames(offsets, positions, root_directors=None) -> RodFrames:
    """Frames for strands at rest, whose sections point along `root_directors` (s, 3) at the roots, where not zero."""
    if root_directors is None:
        root_directors = np.zeros((len(offsets) - 1, 3))
    count = len(positions)
    frames = RodFrames(np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count))
    start_frames(offsets, positions, root_directors, frames)
    return frames
