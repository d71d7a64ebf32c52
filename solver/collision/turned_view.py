"""How far two primitives stay apart as one sees them who moves and turns along with their four corners.

Seen so, what turns as a whole does not move at all, and nothing is much nearer than in fact, whatever turn is taken out
[docs/theory/collision.md, (8a) and (8b)]. One direction then tells that a pair stays clear, where without it the
direction has to follow the turn.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, scale3, sub3

LARGEST_TURN = 0.5  # [rad] in a step: beyond, ways are too curved for this to gain anything
# Of the moments of inertia, added to all of them: corners along one line leave a turn about it undefined. The turn is
# found in as many rounds; the later ones are for pairs so near that nothing of it may be left.
GROUNDS = (1e-3, 1e-8, 1e-8)


@compiled
def clearance_along(normal, starts, ends, wanted, first_count):
    """By how much more than wanted [m] primitives stay apart along a direction; it may be below zero.

    Until ends have moved by so much, those of both together, the pair stays as far apart as is wanted.
    """
    arms, targets = _about_centre(starts), _about_centre(ends)
    turned, curve, clearance = arms, 0.0, -1.0
    for ground in GROUNDS:
        turn = _turn(turned, targets, ground)
        curve += norm3(turn)
        if not curve <= LARGEST_TURN:
            break
        turned = _rotated(turned, turn)
        clearance = max(clearance, _clearance(normal, arms, turned, targets, curve, wanted, first_count))
        if clearance > 0.0:
            break
    return clearance


@compiled
def _clearance(normal, arms, turned, targets, curve, wanted, first_count):
    """(8b), for arms that come to lie at targets, turned by no more than `curve` [rad]."""
    lead, ways = math.inf, 0.0
    for own in range(first_count):
        left = sub3(targets[own], turned[own])
        for other in range(first_count, 4):
            other_left = sub3(targets[other], turned[other])
            height = dot3(normal, sub3(arms[own], arms[other]))
            lead = min(lead, height, height + dot3(normal, sub3(left, other_left)))
            ways = max(ways, norm3(left) + norm3(other_left))
    nearest = math.cos(0.5 * curve) * (lead - 2.0 * math.tan(0.5 * curve) * ways)
    return (nearest - wanted) / (1.0 + curve)


@compiled
def _about_centre(corners):
    centre = scale3(0.25, add3(add3(corners[0], corners[1]), add3(corners[2], corners[3])))
    return sub3(corners[0], centre), sub3(corners[1], centre), sub3(corners[2], centre), sub3(corners[3], centre)


@compiled
def _turn(arms, targets, ground_share):
    """Of arms towards their targets: moments of ways over moments of inertia."""
    xx, yy, zz, xy, yz, zx = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    moment = (0.0, 0.0, 0.0)
    for place in range(4):
        arm = arms[place]
        moment = add3(moment, cross3(arm, sub3(targets[place], arm)))
        xx, yy, zz = xx + arm[0] * arm[0], yy + arm[1] * arm[1], zz + arm[2] * arm[2]
        xy, yz, zx = xy + arm[0] * arm[1], yz + arm[1] * arm[2], zx + arm[2] * arm[0]
    ground = ground_share * (xx + yy + zz)
    first, second, third = (yy + zz + ground, -xy, -zx), (-xy, zz + xx + ground, -yz), (-zx, -yz, xx + yy + ground)
    rows = cross3(second, third), cross3(third, first), cross3(first, second)
    determinant = dot3(first, rows[0])
    if determinant <= 0.0:  # all corners in one place
        return 0.0, 0.0, 0.0
    return scale3(1.0 / determinant, (dot3(rows[0], moment), dot3(rows[1], moment), dot3(rows[2], moment)))


@compiled
def _rotated(arms, turn):
    """By Cayley's rotation about the turn, through no more than its length: the tangent of half of it is half that."""
    half = scale3(0.5, turn)
    scale = 2.0 / (1.0 + dot3(half, half))
    return (
        *(_rotated_arm(arms[0], half, scale), _rotated_arm(arms[1], half, scale)),
        *(_rotated_arm(arms[2], half, scale), _rotated_arm(arms[3], half, scale)),
    )


@compiled
def _rotated_arm(arm, half, scale):
    across = cross3(half, arm)
    return add3(arm, scale3(scale, add3(across, cross3(half, across))))
