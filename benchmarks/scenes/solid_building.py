"""How meshes of solids are put together."""

from itertools import permutations
from typing import NamedTuple

import numpy as np

from stiction.solver.volume.mesh import outward_faces, tetrahedron_qualities, tetrahedron_volumes


class SolidMesh(NamedTuple):
    """Nodes of the surface come first."""

    nodes: np.ndarray  # (n, 3) [m]
    tetrahedra: np.ndarray  # (t, 4) int32
    triangles: np.ndarray  # of the surface, seen counter-clockwise from outside  (f, 3) int32

    @property
    def surface_count(self) -> int:
        return int(self.triangles.max()) + 1


Lobes = tuple[tuple[tuple[float, float, float], float, float], ...]


def reaches(directions, half_axes, lobes: Lobes):
    """How far an ellipsoid with lobes reaches from its middle along unit vectors (n, 3): n distances [m].

    Of each lobe: where it is seen from the middle, height over the ellipsoid [m], and width [rad].
    """
    distances = 1.0 / np.linalg.norm(directions / half_axes, axis=1)
    for direction, height, width in lobes:
        cosines = directions @ (np.array(direction) / np.linalg.norm(direction))
        distances += height * np.exp(-((np.arccos(np.clip(cosines, -1.0, 1.0)) / width) ** 2))
    return distances


def evenly_spread(points, count, first):
    """Rows of points, each the farthest from those before."""
    chosen = [first]
    distances = np.linalg.norm(points - points[first], axis=1)
    while len(chosen) < count:
        chosen.append(int(distances.argmax()))
        distances = np.minimum(distances, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return np.array(chosen)


def flipped(nodes, tetrahedra, count):
    """So many tetrahedra (count, 4) of the same nodes: two with a common face become three around a new edge.

    Those are chosen that leave the best shapes.
    """
    while len(tetrahedra) < count:
        pairs, flips = _possible_flips(tetrahedra)
        qualities = tetrahedron_qualities(nodes, flips.reshape(-1, 4)).reshape(-1, 3).min(axis=1)
        best = int(qualities.argmax())
        tetrahedra = np.concatenate([np.delete(tetrahedra, pairs[best], axis=0), flips[best]])
    return tetrahedra


def _possible_flips(tetrahedra):
    """Pairs (k, 2) of tetrahedra with a common face a b c, and the three (k, 3, 4) between their tips d and e."""
    faces = outward_faces(tetrahedra).reshape(-1, 3)
    order = np.lexsort(np.sort(faces, axis=1).T)
    is_common = (np.diff(np.sort(faces[order], axis=1), axis=0) == 0).all(axis=1)
    own, other = order[:-1][is_common], order[1:][is_common]
    (a, b, c), d, e = faces[own].T, tetrahedra.ravel()[own], tetrahedra.ravel()[other]
    flips = [np.column_stack([d, *side, e]) for side in ((a, b), (b, c), (c, a))]
    return np.column_stack([own, other]) // 4, np.stack(flips, axis=1).astype(np.int32)


def outward(triangles, points):
    """Turned so that they are seen counter-clockwise from far away; the origin is inside."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    is_inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0.0
    return np.where(is_inward[:, None], triangles[:, ::-1], triangles).astype(np.int32)


def split(numbers, is_solid):
    """Six tetrahedra along a diagonal of each solid cell of a grid of numbered points: neighbours fit together."""
    tetrahedra = []
    for axes in permutations(range(3)):
        corner, corners = np.zeros(3, int), []
        for axis in (None, *axes):
            corner[axis if axis is not None else []] += 1
            places = tuple(slice(low, low + size) for low, size in zip(corner, is_solid.shape))
            corners.append(numbers[places][is_solid])
        tetrahedra.append(np.column_stack(corners))
    return np.concatenate(tetrahedra)


def without_inside(points, tetrahedra):
    """The mesh of those points that are used, all of them on its surface."""
    used, tetrahedra = np.unique(tetrahedra, return_inverse=True)
    points, tetrahedra = points[used], turned_out(points[used], tetrahedra.reshape(-1, 4))
    return SolidMesh(points, tetrahedra, boundary(tetrahedra))


def turned_out(points, tetrahedra):
    """With corners (t, 4) in such an order that all volumes are positive."""
    is_negative = tetrahedron_volumes(points, tetrahedra) < 0.0
    return np.where(is_negative[:, None], tetrahedra[:, [0, 2, 1, 3]], tetrahedra).astype(np.int32)


def boundary(tetrahedra):
    faces = outward_faces(tetrahedra).reshape(-1, 3)
    _, places, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.ascontiguousarray(faces[np.sort(places[counts == 1])], np.int32)
