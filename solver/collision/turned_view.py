"""How far two primitives stay apart as one sees them who moves and turns along with their four corners.

Seen so, what turns as a whole does not move at all, and nothing is much nearer than in fact, whatever turn is taken out
[docs/theory/collision.md, (8a) and (8b)]. One direction then tells that a pair stays clear, where without it the
direction has to follow the turn. Where the corners do not turn as a whole, those are followed that are near the other
primitive: what is further away may move otherwise.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, scale3, sub3

LARGEST_TURN = 0.5  # [rad] in a step: beyond, ways are too curved for this to gain anything
# Of the moments of inertia, added to all of them: corners along one line leave a turn about it undefined. The turn is
# found in as many rounds; the later ones are for pairs so near that nothing of it may be left.
GROUNDS = (1e-3, 1e-8, 1e-8, 1e-8)
GROUNDS_NEARBY = (1e-6, 1e-12, 1e-12, 1e-12)
EVERY_CORNER = (1.0, 1.0, 1.0, 1.0)


@compiled
def clearance_along(normal, starts, ends, wanted, first_count):
    """By how much more than wanted [m] primitives stay apart along a direction; it may be below zero.

    Until ends have moved by so much, those of both together, the pair stays as far apart as is wanted.
    """
    clearance = _clearance_by(EVERY_CORNER, GROUNDS, normal, starts, ends, wanted, first_count)
    if clearance > 0.0:
        return clearance
    nearness = _nearness(normal, starts, first_count)
    return max(clearance, _clearance_by(nearness, GROUNDS_NEARBY, normal, starts, ends, wanted, first_count))


@compiled
def _nearness(normal, corners, first_count):
    """How much each corner counts: the less, the further it is from the other primitive, over the distance of both."""
    lowest, highest = math.inf, -math.inf  # of the first primitive, and of the other
    for place in range(4):
        height = dot3(normal, corners[place])
        if place < first_count:
            lowest = min(lowest, height)
        else:
            highest = max(highest, height)
    gap = lowest - highest
    if not gap > 0.0:
        return EVERY_CORNER
    return (
        *(_share(gap, lowest, highest, normal, corners[0]), _share(gap, lowest, highest, normal, corners[1])),
        *(_share(gap, lowest, highest, normal, corners[2]), _share(gap, lowest, highest, normal, corners[3])),
    )


@compiled
def _share(gap, lowest, highest, normal, corner):
    """Of a corner above the lowest one of the first primitive, or below the highest one of the other."""
    height = dot3(normal, corner)
    share = gap / (gap + max(height - lowest, highest - height))
    return share * share


@compiled
def _clearance_by(weights, grounds, normal, starts, ends, wanted, first_count):
    """As seen by one who turns along with the corners, each as much as its weight says."""
    arms, targets = _about_centre(weights, starts), _about_centre(weights, ends)
    turned, curve, clearance = arms, 0.0, -1.0
    for ground in grounds:
        turn = _turn(weights, turned, targets, ground)
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
    lead, bend = math.inf, 2.0 * math.tan(0.5 * curve)
    for own in range(first_count):
        for other in range(first_count, 4):
            height = dot3(normal, sub3(arms[own], arms[other]))
            left = sub3(sub3(targets[own], turned[own]), sub3(targets[other], turned[other]))
            lead = min(lead, min(height, height + dot3(normal, left)) - bend * norm3(left))
    return (math.cos(0.5 * curve) * lead - wanted) / (1.0 + curve)


@compiled
def _about_centre(weights, corners):
    total, centre = 0.0, (0.0, 0.0, 0.0)
    for place in range(4):
        total += weights[place]
        centre = add3(centre, scale3(weights[place], corners[place]))
    centre = scale3(1.0 / total, centre)
    return sub3(corners[0], centre), sub3(corners[1], centre), sub3(corners[2], centre), sub3(corners[3], centre)


@compiled
def _turn(weights, arms, targets, ground_share):
    """Of arms towards their targets: moments of ways over moments of inertia."""
    xx, yy, zz, xy, yz, zx = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    moment = (0.0, 0.0, 0.0)
    for place in range(4):
        weight, arm = weights[place], arms[place]
        moment = add3(moment, scale3(weight, cross3(arm, sub3(targets[place], arm))))
        xx, yy, zz = xx + weight * arm[0] * arm[0], yy + weight * arm[1] * arm[1], zz + weight * arm[2] * arm[2]
        xy, yz, zx = xy + weight * arm[0] * arm[1], yz + weight * arm[1] * arm[2], zx + weight * arm[2] * arm[0]
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
