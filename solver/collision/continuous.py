"""The time of contact of two primitives whose corners move along straight lines, from below: nothing is missed.

Take the direction n between the nearest points at a time t: every corner of one primitive is further along it than
every corner of the other, by the distance at least. Such a lead is linear in time; until the first of them has shrunk
to the wanted separation ξ the primitives stay apart by it [docs/theory/collision.md, equations (7) and (8)]. Go there,
take the new direction, and so on. Motion along the surfaces costs nothing, and head-on motion is found at once. Where
primitives turn as they approach, this closes in slowly, and the time when the corners can lie in one plane
(`coplanarity.py`) is often later: both are bounds, so that the later one holds.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, dot3, scale3, sub3
from .closest_points import edge_edge_offset, point_triangle_offset
from .coplanarity import ROUNDING as VOLUME_ROUNDING
from .coplanarity import spanned_volume, time_above
from .parting_directions import squared_direction
from .turned_view import clearance_along

NEVER = 2.0  # a time after the step: no contact
TOUCHES = -1.0  # a time before the step: they touch at its start, as far as can be told
MOST_ITERATIONS = 64  # what has not come apart by then is taken for a contact at the time that was reached
NEAR_ENOUGH = 1e-2  # of the way from the start's distance to the separation: contact
PATIENCE = 2  # iterations before the plane is asked: most pairs are done by then
NEARLY_MET = 1e-6  # of the size and motion of a pair: nearer than that, rounding turns the direction between them
ROUNDING = 1e-14  # of the size and motion of a pair: what the distance may be wrong by


@compiled
def point_triangle_time(starts, ends, separation, share):
    """A time in [0, 1] before which the corners (point, then triangle) are further apart than a separation [m].

    NEVER if they are throughout; TOUCHES if their starting distance is nothing but rounding. `starts` and `ends` are
    four points each. Of a pair that starts nearer, only this share of its starting distance is asked for, so that what
    touches already may slide and part. With the time comes how much further apart they stay throughout, at least [m].
    """
    return _time_of_contact(starts, ends, separation, share, 1)


@compiled
def edge_edge_time(starts, ends, separation, share):
    """The same for the ends of two edges."""
    return _time_of_contact(starts, ends, separation, share, 2)


@compiled
def _time_of_contact(starts, ends, separation, share, first_count):
    """The first `first_count` of the four corners are one primitive, the rest the other."""
    origin = starts[0]  # near the corners few digits are lost, wherever in the world they are
    starts = _relative(starts, origin)
    ends = _relative(ends, origin)
    size = _size(starts) + _size(ends)
    noise = ROUNDING * size
    offset = _offset(starts, first_count)
    distance = math.sqrt(dot3(offset, offset))
    if distance <= noise:
        return TOUCHES, 0.0
    wanted = min(separation, share * distance) + noise
    enough = wanted + NEAR_ENOUGH * max(distance - wanted, 0.0)
    time, corners, volume, volume_limit = 0.0, starts, (0.0, 0.0, 0.0, 0.0), 0.0
    for iteration in range(MOST_ITERATIONS):
        if distance <= enough:
            return time, 0.0
        normal = scale3(1.0 / distance, offset)
        if distance < NEARLY_MET * size:
            normal = squared_direction(normal, corners, first_count)
        later, lead = _time_along(normal, corners, ends, time, wanted, first_count)
        if iteration == 0 and later <= 1.0:
            clearance = clearance_along(normal, starts, ends, wanted, first_count)
            if clearance > 0.0:
                return NEVER, clearance
        if iteration == PATIENCE:
            volume, largest_normal, faces = spanned_volume(starts, ends, first_count)
            volume_limit = largest_normal * wanted + VOLUME_ROUNDING * size * faces
        if iteration >= PATIENCE and later <= 1.0:
            later = max(later, time_above(volume, volume_limit, time))
        if later > 1.0:
            return NEVER, (lead - wanted if iteration == 0 else 0.0)
        time = later
        corners = _at(starts, ends, time)
        offset = _offset(corners, first_count)
        distance = math.sqrt(dot3(offset, offset))
    return time, 0.0


@compiled
def _time_along(normal, corners, ends, time, wanted, first_count):
    """When the primitives can next be as near along a direction as is wanted; NEVER if not in the step.

    And how far apart they are along it at least, from now on.
    """
    earliest, lead = NEVER, math.inf
    for own in range(first_count):
        height, end_height = dot3(normal, corners[own]), dot3(normal, ends[own])
        for other in range(first_count, 4):
            gap, end_gap = height - dot3(normal, corners[other]), end_height - dot3(normal, ends[other])
            lead = min(lead, gap, end_gap)
            if gap <= wanted:
                return time, lead  # so near that the direction is rounding noise
            if end_gap <= wanted:
                earliest = min(earliest, time + (1.0 - time) * (gap - wanted) / (gap - end_gap))
    return earliest, lead


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
