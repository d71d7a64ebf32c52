"""Frames along a strand: transported in time and along the strand without turning about the tangent."""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, scale3, sub3

ALMOST_OPPOSITE = 1e-9  # below this, 1 + t₀·t₁ is rounding noise, and no shortest rotation exists


@compiled
def parallel_transport(vector, start, end):
    """A vector turned by the shortest rotation that takes the unit vector `start` to `end`.

    R u = (t₀·t₁) u + b × u + b (b·u) / (1 + t₀·t₁), with b = t₀ × t₁ [Bergou 2008, section 4.2.2].
    """
    cosine = dot3(start, end)
    if 1.0 + cosine < ALMOST_OPPOSITE:
        return perpendicular_part(vector, end)  # a reversed edge: any direction across it will do
    axis = cross3(start, end)
    turned = add3(scale3(cosine, vector), cross3(axis, vector))
    return add3(turned, scale3(dot3(axis, vector) / (1.0 + cosine), axis))


@compiled
def perpendicular_part(vector, tangent):
    """The unit vector across `tangent` that is nearest to `vector`."""
    across = sub3(vector, scale3(dot3(vector, tangent), tangent))
    length = norm3(across)
    if length < 1e-12:  # the vector lies along the tangent: any direction across it will do
        return any_perpendicular(tangent)
    return scale3(1.0 / length, across)


@compiled
def any_perpendicular(tangent):
    """A unit vector across a unit vector."""
    if abs(tangent[0]) < 0.6:
        across = cross3(tangent, (1.0, 0.0, 0.0))
    else:
        across = cross3(tangent, (0.0, 1.0, 0.0))
    return scale3(1.0 / norm3(across), across)


@compiled
def turned_about(vector, axis, angle):
    """A vector across the unit vector `axis`, turned about it by an angle [rad]."""
    return add3(scale3(math.cos(angle), vector), scale3(math.sin(angle), cross3(axis, vector)))


@compiled
def signed_angle(start, end, axis):
    """The angle [rad] from one vector to another about `axis`, both across it."""
    return math.atan2(dot3(cross3(start, end), axis), dot3(start, end))


@compiled
def transported_twist(twist, director_before, tangent_before, director_after, tangent_after):
    """The angle by which the reference frame turns from one edge to the next, on the branch nearest to `twist`."""
    carried = parallel_transport(director_before, tangent_before, tangent_after)
    carried = turned_about(carried, tangent_after, twist)
    return twist + signed_angle(carried, director_after, tangent_after)
