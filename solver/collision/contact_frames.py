"""One contact: its points and weights, its normal, its side, and whether its distance is a smallest one."""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, row3, scale3, sub3
from .closest_points import edge_edge_weights, point_edge_weight, point_triangle_weights, weighted_offset
from .contact_features import EDGE_EDGE, POINT_EDGE, POINT_TRIANGLE
from .feature_normals import edge_normal, leads_from_edge, leads_from_point, point_normal, triangle_normal, unit3

TOUCHING = 1e-12  # of the size of a pair: below it the direction of an offset is rounding noise


@compiled
def contact_corners(positions, edges, triangles, kind, first, second):
    """Four points of two features and their weights; A, with positive ones, comes first."""
    if kind == POINT_TRIANGLE:
        a, b, c = triangles[second, 0], triangles[second, 1], triangles[second, 2]
        u, v, w = point_triangle_weights(
            row3(positions, first), row3(positions, a), row3(positions, b), row3(positions, c)
        )
        return (first, a, b, c), (1.0, -u, -v, -w)
    if kind == EDGE_EDGE:
        a, b, c, d = edges[first, 0], edges[first, 1], edges[second, 0], edges[second, 1]
        s, t = edge_edge_weights(row3(positions, a), row3(positions, b), row3(positions, c), row3(positions, d))
        return (a, b, c, d), (1.0 - s, s, t - 1.0, -t)
    if kind == POINT_EDGE:
        a, b = edges[second, 0], edges[second, 1]
        t = point_edge_weight(row3(positions, first), row3(positions, a), row3(positions, b))
        return (first, a, b, first), (1.0, t - 1.0, -t, 0.0)
    return (first, second, first, first), (1.0, -1.0, 0.0, 0.0)


@compiled
def contact_normal(
    points, features, edges, triangles, has_inside, kind, first, second, corners, weights, positions, starts
):
    """Offset from B to A [m], normal, signed distance [m], and whether it runs through the inside of one object."""
    offset = weighted_offset(positions, corners, weights)
    own, other = points.objects[corners[0]], points.objects[corners[place_of_other_side(kind)]]
    outward = 0.0, 0.0, 0.0  # from B to A, as the insides have it
    if has_inside[other]:
        outward = add3(outward, unit3(_second_normal(positions, edges, triangles, features, kind, second)))
    if has_inside[own]:
        outward = sub3(outward, unit3(_first_normal(positions, edges, triangles, features, kind, first)))
    length = norm3(offset)
    is_inward = dot3(offset, outward) < 0.0
    if length > TOUCHING * _size(positions, corners):
        is_within = is_inward and own == other
        sign = -1.0 if is_inward and own != other else 1.0
        return offset, scale3(sign / length, offset), sign * length, is_within
    if dot3(outward, outward) > 0.0 and own != other:
        return offset, unit3(outward), 0.0, False
    normal = _touching_normal(positions, edges, triangles, features, kind, first, second, corners)
    side = dot3(weighted_offset(starts, corners, weights), normal)
    return offset, scale3(-1.0 if side < 0.0 else 1.0, normal), 0.0, False


@compiled
def place_of_other_side(kind):
    """The first of the four points that belongs to B."""
    return 2 if kind == EDGE_EDGE else 1


@compiled
def _size(positions, corners):
    """The largest coordinate among four points, measured from the first, and what is left of the first's digits."""
    origin, largest = row3(positions, corners[0]), 0.0
    for place in range(1, 4):
        apart = sub3(row3(positions, corners[place]), origin)
        largest = max(largest, abs(apart[0]), abs(apart[1]), abs(apart[2]))
    return largest + 1e-3 * max(abs(origin[0]), abs(origin[1]), abs(origin[2]))


@compiled
def _first_normal(positions, edges, triangles, features, kind, first):
    if kind == EDGE_EDGE:
        return edge_normal(positions, triangles, features, first)
    return point_normal(positions, edges, triangles, features, first)


@compiled
def _second_normal(positions, edges, triangles, features, kind, second):
    if kind == POINT_TRIANGLE:
        return triangle_normal(positions, triangles, second)
    if kind in (EDGE_EDGE, POINT_EDGE):
        return edge_normal(positions, triangles, features, second)
    return point_normal(positions, edges, triangles, features, second)


@compiled
def _touching_normal(positions, edges, triangles, features, kind, first, second, corners):
    """A direction for features that touch exactly: that of the faces, across edges; any, where nothing has one."""
    normal = 0.0, 0.0, 0.0
    if kind == EDGE_EDGE:
        along = sub3(row3(positions, corners[1]), row3(positions, corners[0]))
        other_along = sub3(row3(positions, corners[3]), row3(positions, corners[2]))
        normal = unit3(cross3(unit3(along), unit3(other_along)))
    if dot3(normal, normal) == 0.0:
        normal = unit3(_second_normal(positions, edges, triangles, features, kind, second))
    if dot3(normal, normal) == 0.0:
        normal = unit3(_first_normal(positions, edges, triangles, features, kind, first))
    if dot3(normal, normal) == 0.0 and (kind in (EDGE_EDGE, POINT_EDGE)):
        normal = _across(sub3(row3(positions, edges[second, 1]), row3(positions, edges[second, 0])))
    return normal if dot3(normal, normal) > 0.0 else (0.0, 0.0, 1.0)


@compiled
def _across(along):
    """A direction at right angles to an edge: to its largest part and another axis."""
    x, y, z = along
    if abs(z) >= abs(x) and abs(z) >= abs(y):
        return unit3((z, 0.0, -x))
    return unit3((-y, x, 0.0))


@compiled
def is_smallest_distance(positions, edges, triangles, features, kind, first, second, offset, tests_first, tests_second):
    """Whether no neighbour of either feature is nearer to the other: the offset lies in both normal cones."""
    towards_first = unit3(offset)
    if tests_first:
        towards_second = scale3(-1.0, towards_first)
        if kind == EDGE_EDGE:
            leads = leads_from_edge(positions, edges, triangles, features, first, towards_second)
        else:
            leads = leads_from_point(positions, edges, features, first, towards_second)
        if leads:
            return False
    if not tests_second or kind == POINT_TRIANGLE:
        return True
    if kind in (EDGE_EDGE, POINT_EDGE):
        return not leads_from_edge(positions, edges, triangles, features, second, towards_first)
    return not leads_from_point(positions, edges, features, second, towards_first)


@compiled
def mean_friction(points, corners, weights):
    """The geometric mean of the coefficients of both sides."""
    own, other = 0.0, 0.0
    for place in range(4):
        if weights[place] > 0.0:
            own += weights[place] * points.friction[corners[place]]
        else:
            other -= weights[place] * points.friction[corners[place]]
    return math.sqrt(own * other)
