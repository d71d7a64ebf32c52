"""Reference frames carried along as the strands move."""

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import norm3, row3, scale3, sub3
from .frames import any_perpendicular, parallel_transport, perpendicular_part, transported_twist
from .rods import FRAME_TYPES, RodFrames


@compiled
def edge_of(positions, point):
    """The edge from a point to the next, as unit tangent and length."""
    edge = sub3(row3(positions, point + 1), row3(positions, point))
    length = norm3(edge)
    return scale3(1.0 / length, edge), length


@compiled
def write3(array, row, vector):
    array[row, 0], array[row, 1], array[row, 2] = vector


@kernel((int32[::1], float64[:, ::1], FRAME_TYPES))
def start_frames(offsets, positions, frames_out):
    """Frames that do not turn along each strand, from an arbitrary one at its root."""
    for strand in range(len(offsets) - 1):
        before, _ = edge_of(positions, offsets[strand])
        director = any_perpendicular(before)
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
    turns_out = frames_out.turns  # numba drops what a parallel loop writes to a field of a tuple
    for strand in prange(len(offsets) - 1):
        for point in range(offsets[strand], offsets[strand + 1] - 1):
            tangent, _ = edge_of(positions, point)
            director = parallel_transport(row3(frames.directors, point), row3(frames.tangents, point), tangent)
            write3(frames_out.tangents, point, tangent)
            write3(frames_out.directors, point, perpendicular_part(director, tangent))
        for point in range(offsets[strand] + 1, offsets[strand + 1] - 1):
            turns_out[point] = transported_twist(
                frames.turns[point],
                row3(frames_out.directors, point - 1),
                row3(frames_out.tangents, point - 1),
                row3(frames_out.directors, point),
                row3(frames_out.tangents, point),
            )


@kernel((int32[::1], float64[:, ::1], FRAME_TYPES))
def turn_root_frames(offsets, root_directors, frames_out):
    """Let the frame of each first edge follow a given direction, such as the scalp's."""
    for strand in range(len(offsets) - 1):
        first = offsets[strand]
        director = perpendicular_part(row3(root_directors, strand), row3(frames_out.tangents, first))
        write3(frames_out.directors, first, director)
        if offsets[strand + 1] - first > 2:
            frames_out.turns[first + 1] = transported_twist(
                frames_out.turns[first + 1],
                director,
                row3(frames_out.tangents, first),
                row3(frames_out.directors, first + 1),
                row3(frames_out.tangents, first + 1),
            )


def new_frames(offsets, positions) -> RodFrames:
    """Frames for strands at rest."""
    count = len(positions)
    frames = RodFrames(np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count))
    start_frames(offsets, positions, frames)
    return frames
