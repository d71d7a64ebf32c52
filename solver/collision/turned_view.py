"""How far two primitives stay apart as one sees them who moves and turns along with their four corners.

Seen so, what turns as a whole does not move at all, and nothing is nearer than in fact: the map of (1b) brings nothing
nearer, whatever motion it takes out [docs/theory/collision.md, (8a) and (8b)]. One direction then tells that a pair
stays clear, where without it the direction has to follow the turn.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, scale3, sub3

LARGEST_TURN = 0.5  # [rad] in a step: beyond, ways are too curved for this to gain anything
# Of the moments of inertia, added to all of them: corners along one line leave a turn about it undefined.
UNDEFINED = 1e-3


@compiled
def clearance_along(normal, starts, ends, wanted, first_count):
    """By how much more than wanted [m] primitives stay apart along a direction; it may be below zero.

    Until ends have moved by so much, those of both together, the pair stays as far apart as is wanted.
    """
    centre, shift = _mean(starts), sub3(_mean(ends), _mean(starts))
    turn = _turn(starts, ends, centre, shift)
    curve = norm3(turn)
    if not curve <= LARGEST_TURN:
        return -1.0
    lead, lead_at_end, ways = math.inf, math.inf, 0.0
    for own in range(first_count):
        height, left = _seen(normal, starts[own], ends[own], centre, shift, turn)
        for other in range(first_count, 4):
            other_height, other_left = _seen(normal, starts[other], ends[other], centre, shift, turn)
            lead = min(lead, height - other_height)
            lead_at_end = min(lead_at_end, height - other_height + dot3(normal, sub3(left, other_left)))
            ways = max(ways, norm3(left) + norm3(other_left))
    return (min(lead, lead_at_end) - wanted - curve * ways) / (1.0 + curve)


@compiled
def _mean(corners):
    return scale3(0.25, add3(add3(corners[0], corners[1]), add3(corners[2], corners[3])))


@compiled
def _turn(starts, ends, centre, shift):
    """Of the corners about their centre: moments of ways over moments of inertia."""
    xx, yy, zz, xy, yz, zx = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    moment = (0.0, 0.0, 0.0)
    for place in range(4):
        arm = sub3(starts[place], centre)
        moment = add3(moment, cross3(arm, sub3(sub3(ends[place], starts[place]), shift)))
        xx, yy, zz = xx + arm[0] * arm[0], yy + arm[1] * arm[1], zz + arm[2] * arm[2]
        xy, yz, zx = xy + arm[0] * arm[1], yz + arm[1] * arm[2], zx + arm[2] * arm[0]
    ground = UNDEFINED * (xx + yy + zz)
    first, second, third = (yy + zz + ground, -xy, -zx), (-xy, zz + xx + ground, -yz), (-zx, -yz, xx + yy + ground)
    rows = cross3(second, third), cross3(third, first), cross3(first, second)
    determinant = dot3(first, rows[0])
    if determinant <= 0.0:  # all corners in one place
        return 0.0, 0.0, 0.0
    return scale3(1.0 / determinant, (dot3(rows[0], moment), dot3(rows[1], moment), dot3(rows[2], moment)))


@compiled
def _seen(normal, start, end, centre, shift, turn):
    """The height of a corner along a direction, and what is left of its way."""
    arm = sub3(start, centre)
    return dot3(normal, arm), sub3(sub3(sub3(end, start), shift), cross3(turn, arm))
