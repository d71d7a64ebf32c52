"""All that can touch or be touched, in one surface: points, the edges and triangles between them, and who meets whom.

A point is a weighted sum of nodes, or its motion is given (points of colliders have no nodes). Everything is two-sided
and has a radius: two primitives touch when they are as near as the sum of theirs.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int32, uint8

from ..jit_cache import tuple_of

NOTHING = -1  # in `grows_on`: collides with all objects


class SurfacePoints(NamedTuple):
    objects: np.ndarray  # the object that each belongs to                              (p,) int32
    is_given: np.ndarray  # True where the motion of a point is given                   (p,) bool
    radii: np.ndarray  # half the thickness                                             (p,) [m]
    self_radii: np.ndarray  # the same against its own object: at most what its own neighbours leave free  (p,) [m]
    friction: np.ndarray  # coefficient of Coulomb's law                                (p,)
    grows_on: (
        np.ndarray
    )  # object that a point grows on or is tied to, and does not collide with, or NOTHING  (p,) int32
    strands: np.ndarray  # number of the strand; NOTHING for points of meshes           (p,) int32


class PointNodes(NamedTuple):
    """Which nodes move each point; none where it is a collider's."""

    offsets: np.ndarray  # first place of each point in the two below, and the end      (p + 1,) int32
    nodes: np.ndarray  # of the model                                                   (k,) int32
    weights: np.ndarray  # a point's sum to one                                         (k,)


class MeshFeatures(NamedTuple):
    """How triangles, edges and points hang together."""

    triangle_edges: np.ndarray  # from corner 0 to 1, 1 to 2, 2 to 0                    (t, 3) int32
    edge_triangle_offsets: np.ndarray  # first place of each edge in the next           (e + 1,) int32
    edge_triangles: np.ndarray  # around each edge; none around a hair's segment        (k,) int32
    point_edge_offsets: np.ndarray  # first place of each point in the next             (p + 1,) int32
    point_edges: np.ndarray  # edges that end at each point                             (k,) int32


class CollisionSurface(NamedTuple):
    names: tuple[str, ...]  # of the objects                                            (o,)
    firsts: np.ndarray  # first point of each object, and the end                       (o + 1,) int32
    has_inside: np.ndarray  # True for closed, oriented surfaces of solids              (o,) bool
    meets: np.ndarray  # which objects collide, themselves on the diagonal              (o, o) uint8
    points: SurfacePoints
    nodes: PointNodes
    edges: np.ndarray  # of triangles, each once, and segments of strands               (e, 2) int32
    triangles: np.ndarray  # (t, 3) int32
    features: MeshFeatures


POINTS = tuple_of(
    SurfacePoints, int32[::1], boolean[::1], float64[::1], float64[::1], float64[::1], int32[::1], int32[::1]
)
POINT_NODES = tuple_of(PointNodes, int32[::1], int32[::1], float64[::1])
FEATURES = tuple_of(MeshFeatures, int32[:, ::1], int32[::1], int32[::1], int32[::1], int32[::1])
MEETS = uint8[:, ::1]
