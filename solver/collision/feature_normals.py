"""Which way triangles, edges and points face, and whether a neighbour of theirs is nearer to what they touch."""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, row3, scale3, sub3

SLACK = 0.05  # cosine: neighbours that are flat but for this do not lead nearer


@compiled
def unit3(vector):
    """A vector of length one; zero stays zero."""
    length = norm3(vector)
    return scale3(1.0 / length, vector) if length > 0.0 else (0.0, 0.0, 0.0)


@compiled
def triangle_normal(positions, triangles, triangle):
    """Of length one, outward where corners run anticlockwise; zero for a triangle without area."""
    first = row3(positions, triangles[triangle, 0])
    second, third = row3(positions, triangles[triangle, 1]), row3(positions, triangles[triangle, 2])
    return unit3(cross3(sub3(second, first), sub3(third, first)))


@compiled
def edge_normal(positions, triangles, features, edge):
    """The sum of the normals of the triangles around; zero where there are none."""
    total = 0.0, 0.0, 0.0
    for place in range(features.edge_triangle_offsets[edge], features.edge_triangle_offsets[edge + 1]):
        total = add3(total, triangle_normal(positions, triangles, features.edge_triangles[place]))
    return total


@compiled
def point_normal(positions, edges, triangles, features, point):
    """The same, each weighted with its angle at the point, which tells inside from outside [Bærentzen, Aanæs 2005]."""
    total = 0.0, 0.0, 0.0
    for place in range(features.point_edge_offsets[point], features.point_edge_offsets[point + 1]):
        edge = features.point_edges[place]
        for around in range(features.edge_triangle_offsets[edge], features.edge_triangle_offsets[edge + 1]):
            triangle = features.edge_triangles[around]
            angle = _angle_at(positions, triangles, triangle, point)
            total = add3(total, scale3(angle, triangle_normal(positions, triangles, triangle)))
    return total


@compiled
def _angle_at(positions, triangles, triangle, point):
    place = 0
    for corner in range(3):
        if triangles[triangle, corner] == point:
            place = corner
    origin = row3(positions, point)
    first = sub3(row3(positions, triangles[triangle, (place + 1) % 3]), origin)
    second = sub3(row3(positions, triangles[triangle, (place + 2) % 3]), origin)
    return math.atan2(norm3(cross3(first, second)), dot3(first, second))


@compiled
def leads_from_point(positions, edges, features, point, direction):
    """Whether an edge at a point runs along a direction, so that something beside the point lies further that way."""
    origin = row3(positions, point)
    for place in range(features.point_edge_offsets[point], features.point_edge_offsets[point + 1]):
        edge = features.point_edges[place]
        end = edges[edge, 1] if edges[edge, 0] == point else edges[edge, 0]
        along = sub3(row3(positions, end), origin)
        if dot3(along, direction) > SLACK * norm3(along):
            return True
    return False


@compiled
def leads_from_edge(positions, edges, triangles, features, edge, direction):
    """The same of the triangles at an edge, across it."""
    start, end = edges[edge, 0], edges[edge, 1]
    origin = row3(positions, start)
    along = unit3(sub3(row3(positions, end), origin))
    for place in range(features.edge_triangle_offsets[edge], features.edge_triangle_offsets[edge + 1]):
        triangle = features.edge_triangles[place]
        opposite = triangles[triangle, 0]
        for corner in range(3):
            if triangles[triangle, corner] != start and triangles[triangle, corner] != end:
                opposite = triangles[triangle, corner]
        across = sub3(row3(positions, opposite), origin)
        across = sub3(across, scale3(dot3(across, along), along))
        if dot3(across, direction) > SLACK * norm3(across):
            return True
    return False
