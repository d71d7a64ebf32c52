"""The direction between the nearest points of two primitives that lie so near each other that it is mostly noise.

Along an edge on which a nearest point lies, the offset is off by rounding. Far from there the edge then leaves the
plane that the direction should keep it in, by that angle times its length: strands that lie 10⁻¹³ m from each other
seem to cross. What is square to such edges by construction does not have this error.
"""

from ..jit_cache import compiled
from ..linear_algebra.vector3 import cross3, dot3, scale3, sub3
from .closest_points import edge_edge_weights, point_triangle_weights
from .feature_normals import unit3


@compiled
def squared_direction(direction, corners, first_count):
    """The direction, made square to the edges or the triangle inside which the nearest points lie.

    The first `first_count` of the four corners are one primitive, the rest the other.
    """
    if first_count == 1:
        return _square_to_triangle(direction, corners)
    s, t = edge_edge_weights(corners[0], corners[1], corners[2], corners[3])
    first, second = sub3(corners[1], corners[0]), sub3(corners[3], corners[2])
    if 0.0 < s < 1.0 and 0.0 < t < 1.0:
        return _square_to_both(direction, first, second)
    if 0.0 < s < 1.0:
        return _square_to_edge(direction, first)
    return _square_to_edge(direction, second) if 0.0 < t < 1.0 else direction


@compiled
def _square_to_triangle(direction, corners):
    point, first, second, third = corners
    a, b, c = point_triangle_weights(point, first, second, third)
    if a > 0.0 and b > 0.0 and c > 0.0:
        return _square_to_both(direction, sub3(second, first), sub3(third, first))
    if a > 0.0 and b > 0.0:
        return _square_to_edge(direction, sub3(second, first))
    if b > 0.0 and c > 0.0:
        return _square_to_edge(direction, sub3(third, second))
    return _square_to_edge(direction, sub3(first, third)) if c > 0.0 and a > 0.0 else direction


@compiled
def _square_to_edge(direction, edge):
    rest = sub3(direction, scale3(dot3(direction, edge) / dot3(edge, edge), edge))
    return _or_else(unit3(rest), direction)


@compiled
def _square_to_both(direction, first, second):
    normal = unit3(cross3(first, second))
    side = -1.0 if dot3(normal, direction) < 0.0 else 1.0
    return _or_else(scale3(side, normal), direction)


@compiled
def _or_else(normal, direction):
    """The direction where edges leave no normal, as those that run side by side do."""
    return normal if dot3(normal, normal) > 0.0 else direction
