"""The time of contact of two primitives whose corners move along straight lines, from below: nothing is missed.

Take the direction n between the nearest points at a time t. Along n, the lowest corner of one primitive less the
highest of the other is a concave function of time, because the corners move linearly. At t it is the distance d; let
it be g at the end of the step. Being concave it stays above the chord from d to g: if g is above the wanted separation
ξ, the primitives stay apart by it, and otherwise for the share (d − ξ) / (d − g) of the time that is left. Go there,
take the new direction, and so on. Motion along the surfaces costs nothing, and head-on motion is found at once.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, dot3, scale3, sub3
from .closest_points import edge_edge_offset, point_triangle_offset

NEVER = 2.0  # a time after the step: no contact
MOST_ITERATIONS = 64  # what has not come apart by then is taken for a contact at the time that was reached
NEAR_ENOUGH = 1e-3  # of the way from the start's distance to the separation: contact
ROUNDING = 1e-14  # of the size and motion of a pair: what the distance may be wrong by


@compiled
def point_triangle_time(starts, ends, separation):
    """A time in [0, 1] before which the corners (point, then triangle) are further apart than a separation [m].

    NEVER if they are throughout. `starts` and `ends` are four points each.
    """
    return _time_of_contact(starts, ends, separation, 1)


@compiled
def edge_edge_time(starts, ends, separation):
    """The same for the ends of two edges."""
    return _time_of_contact(starts, ends, separation, 2)


@compiled
def _time_of_contact(starts, ends, separation, first_count):
    """The first `first_count` of the four corners are one primitive, the rest the other."""
    origin = starts[0]  # near the corners few digits are lost, wherever in the world they are
    starts = _relative(starts, origin)
    ends = _relative(ends, origin)
    noise = ROUNDING * (_size(starts) + _size(ends))
    time, corners = 0.0, starts
    wanted = separation + noise
    limit = -1.0  # distance that passes for contact, known after the first look
    for _ in range(MOST_ITERATIONS):
        offset = _offset(corners, first_count)
        distance = math.sqrt(dot3(offset, offset))
        if limit < 0.0:
            limit = wanted + NEAR_ENOUGH * max(distance - wanted, 0.0)
        if distance <= limit:
            return time
        normal = scale3(1.0 / distance, offset)
        end_gap = _gap_along(normal, ends, first_count)
        if end_gap > wanted:
            return NEVER
        time += (1.0 - time) * (distance - wanted) / (distance - end_gap)
        if time >= 1.0:
            return 1.0
        corners = _at(starts, ends, time)
    return time


@compiled
def _relative(corners, origin):
    return sub3(corners[0], origin), sub3(corners[1], origin), sub3(corners[2], origin), sub3(corners[3], origin)


@compiled
def _size(corners):
    largest = 0.0
    for corner in corners:
        largest = max(largest, abs(corner[0]), abs(corner[1]), abs(corner[2]))
    return largest


@compiled
def _offset(corners, first_count):
    if first_count == 1:
        return point_triangle_offset(corners[0], corners[1], corners[2], corners[3])
    return edge_edge_offset(corners[0], corners[1], corners[2], corners[3])


@compiled
def _gap_along(normal, corners, first_count):
    """The lowest of the first corners along a direction, less the highest of the others."""
    lowest, highest = math.inf, -math.inf
    for place in range(4):
        height = dot3(normal, corners[place])
        if place < first_count:
            lowest = min(lowest, height)
        else:
            highest = max(highest, height)
    return lowest - highest


@compiled
def _at(starts, ends, time):
    return (
        _between(starts[0], ends[0], time),
        _between(starts[1], ends[1], time),
        _between(starts[2], ends[2], time),
        _between(starts[3], ends[3], time),
    )


@compiled
def _between(start, end, time):
    return add3(scale3(1.0 - time, start), scale3(time, end))
