"""The nearest points of two primitives, as weights of their corners.

Every case has an answer: edges without length, triangles without area, edges that run side by side (where all points of
an overlap are equally near, its middle is taken, which does not jump as the edges turn a little).
"""

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, row3, scale3, sub3

PARALLEL = 1e-12  # squared sine of the angle below which two edges run side by side


@compiled
def clamp01(value):
    return min(max(value, 0.0), 1.0)


@compiled
def point_edge_weight(point, start, end):
    """Where on an edge, from 0 to 1, the nearest point lies; 0 if the edge has no length."""
    edge = sub3(end, start)
    square = dot3(edge, edge)
    return clamp01(dot3(sub3(point, start), edge) / square) if square > 0.0 else 0.0


@compiled
def between(start, end, weight):
    """start + weight (end − start)."""
    return add3(scale3(1.0 - weight, start), scale3(weight, end))


@compiled
def edge_edge_weights(first_start, first_end, second_start, second_end):
    """Where on each of two edges, from 0 to 1, their nearest points lie."""
    first, second, apart = sub3(first_end, first_start), sub3(second_end, second_start), sub3(first_start, second_start)
    a, b, c = dot3(first, first), dot3(first, second), dot3(second, second)
    d, e = dot3(first, apart), dot3(second, apart)
    if a == 0.0:
        return 0.0, clamp01(e / c) if c > 0.0 else 0.0
    if c == 0.0:
        return clamp01(-d / a), 0.0
    normal = cross3(first, second)
    determinant = dot3(normal, normal)
    if determinant <= PARALLEL * a * c:
        return _side_by_side(a, b, c, d, e)
    s = clamp01((b * e - c * d) / determinant)
    t = (b * s + e) / c
    if t < 0.0:
        return clamp01(-d / a), 0.0
    if t > 1.0:
        return clamp01((b - d) / a), 1.0
    return s, t


@compiled
def _side_by_side(a, b, c, d, e):
    """The middle of the overlap of two parallel edges; their nearest ends if there is none."""
    start, end = -d / a, (b - d) / a  # of the second edge, measured along the first
    low, high = clamp01(min(start, end)), clamp01(max(start, end))
    s = 0.5 * (low + high)
    return s, clamp01((b * s + e) / c)


@compiled
def point_triangle_weights(point, first, second, third):
    """Weights of the corners of a triangle whose sum is its point nearest to another point."""
    u, v, w = sub3(second, first), sub3(third, first), sub3(point, first)
    normal = cross3(u, v)
    area = dot3(normal, normal)
    if area > 0.0:
        # Barycentric coordinates of the foot on the plane
        of_third = dot3(cross3(u, w), normal) / area
        of_second = dot3(cross3(w, v), normal) / area
        of_first = 1.0 - of_second - of_third
        if of_first >= 0.0 and of_second >= 0.0 and of_third >= 0.0:
            return of_first, of_second, of_third
    return _nearest_on_rim(point, first, second, third)


@compiled
def _nearest_on_rim(point, first, second, third):
    """The best of the three sides; the first side wins a tie."""
    along = point_edge_weight(point, first, second)
    best = _distance_square(point, between(first, second, along))
    weights = 1.0 - along, along, 0.0
    along = point_edge_weight(point, second, third)
    square = _distance_square(point, between(second, third, along))
    if square < best:
        best, weights = square, (0.0, 1.0 - along, along)
    along = point_edge_weight(point, third, first)
    if _distance_square(point, between(third, first, along)) < best:
        weights = along, 0.0, 1.0 - along
    return weights


@compiled
def _distance_square(point, other):
    apart = sub3(point, other)
    return dot3(apart, apart)


@compiled
def edge_edge_offset(first_start, first_end, second_start, second_end):
    """From the second edge's nearest point to the first's."""
    s, t = edge_edge_weights(first_start, first_end, second_start, second_end)
    return sub3(between(first_start, first_end, s), between(second_start, second_end, t))


@compiled
def point_triangle_offset(point, first, second, third):
    """From the triangle's nearest point to the point."""
    a, b, c = point_triangle_weights(point, first, second, third)
    return sub3(point, add3(add3(scale3(a, first), scale3(b, second)), scale3(c, third)))


@compiled
def weighted_offset(positions, corners, weights):
    """The sum of four weighted corners; weights of one side are positive, of the other negative, and all cancel."""
    origin = row3(positions, corners[0])  # nearby, few digits are lost, wherever in the world the corners are
    total = 0.0, 0.0, 0.0
    for place in range(1, 4):
        total = add3(total, scale3(weights[place], sub3(row3(positions, corners[place]), origin)))
    return total
