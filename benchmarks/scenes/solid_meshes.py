"""Tetrahedral meshes of the solids [Verschoor and Jalba 2019, table 1], with as many elements, vertices and faces."""

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from scipy.spatial import ConvexHull

from stiction.solver.volume.fill import fill
from stiction.solver.volume.mesh import outward_faces, tetrahedron_qualities, tetrahedron_volumes

from .shapes import spread_directions


class SolidMesh(NamedTuple):
    """Nodes of the surface come first."""

    nodes: np.ndarray  # (n, 3) [m]
    tetrahedra: np.ndarray  # (t, 4) int32
    triangles: np.ndarray  # of the surface, seen counter-clockwise from outside  (f, 3) int32

    @property
    def surface_count(self) -> int:
        return int(self.triangles.max()) + 1


RING_SEGMENTS = 18
RING_RADIUS, RING_WIDTH = 0.08, 0.028  # of the middle line, and of the square section [m]


@cache
def ring() -> SolidMesh:
    """108 tetrahedra, 72 vertices, 144 faces."""
    around, outward, upward = (part.ravel() for part in np.mgrid[: RING_SEGMENTS + 1, :2, :2])
    angle = 2.0 * np.pi * around / RING_SEGMENTS
    distance = RING_RADIUS + RING_WIDTH * (outward - 0.5)
    points = np.column_stack([distance * np.cos(angle), distance * np.sin(angle), RING_WIDTH * (upward - 0.5)])
    numbers = np.arange(len(points)).reshape(RING_SEGMENTS + 1, 2, 2)
    numbers[-1] = numbers[0]
    return _without_inside(points, _split(numbers, np.ones((RING_SEGMENTS, 1, 1), bool)))


BLOCK_CELLS, BLOCK_SIDE, BLOCK_HEIGHT = 12, 0.24, 0.04  # along each side; [m]
# Columns and rows of the slots through a block: the middle one is wider and shorter.
SLOTS = ((slice(1, 3), slice(1, 11)), (slice(4, 8), slice(2, 10)), (slice(9, 11), slice(1, 11)))


@cache
def block() -> SolidMesh:
    """A grate with three slots: 432 tetrahedra, 260 vertices, 528 faces."""
    is_solid = np.ones((BLOCK_CELLS, BLOCK_CELLS, 1), bool)
    for columns, rows in SLOTS:
        is_solid[columns, rows] = False
    x, y, z = (part.ravel() for part in np.mgrid[: BLOCK_CELLS + 1, : BLOCK_CELLS + 1, :2])
    side = BLOCK_SIDE / BLOCK_CELLS
    points = np.column_stack([side * x, side * y, BLOCK_HEIGHT * z]) - 0.5 * np.array(
        [BLOCK_SIDE, BLOCK_SIDE, BLOCK_HEIGHT]
    )
    numbers = np.arange(len(points)).reshape(BLOCK_CELLS + 1, BLOCK_CELLS + 1, 2)
    return _without_inside(points, _split(numbers, is_solid))


BUNNY_HALF_AXES = (0.07, 0.055, 0.06)  # of the trunk [m]
# Where they are seen from its middle, height over it [m] and width [rad]: head, ears, haunches and tail.
BUNNY_LOBES = (
    ((0.9, 0.0, 0.5), 0.045, 0.5),
    ((0.35, 0.3, 1.0), 0.08, 0.28),
    ((0.35, -0.3, 1.0), 0.08, 0.28),
    ((-0.5, 0.7, -0.5), 0.015, 0.45),
    ((-0.5, -0.7, -0.5), 0.015, 0.45),
    ((-1.0, 0.0, 0.1), 0.025, 0.3),
)
BUNNY_VERTICES, BUNNY_TETRAHEDRA = 371, 1270
BUNNY_DEPTHS = (0.0, 0.3, 0.65)  # of inner nodes, over the surface's distance from the middle
BUNNY_INNER_NODES, BUNNY_FIRST = 32, 0  # and the first vertex: some nodes are added, so that there are 410 of them


@cache
def bunny(first=BUNNY_FIRST) -> SolidMesh:
    """A ball with head, ears, haunches and a tail: 1,270 tetrahedra, 410 vertices, 738 faces."""
    directions = spread_directions(20 * BUNNY_VERTICES)
    points = _reaches(directions)[:, None] * directions
    chosen = _evenly_spread(points, BUNNY_VERTICES, first)
    triangles = _outward(ConvexHull(directions[chosen]).simplices, directions[chosen])
    depths = np.concatenate([depth * points for depth in BUNNY_DEPTHS])
    mesh = fill(points[chosen], triangles, inner_points=depths[_evenly_spread(depths, BUNNY_INNER_NODES, 0)])
    return SolidMesh(mesh.nodes, _flipped(mesh.nodes, mesh.tetrahedra, BUNNY_TETRAHEDRA), triangles)


def _reaches(directions):
    """How far the surface is from the middle along unit vectors (n, 3): n distances [m]."""
    reaches = 1.0 / np.linalg.norm(directions / BUNNY_HALF_AXES, axis=1)
    for direction, height, width in BUNNY_LOBES:
        cosines = directions @ (np.array(direction) / np.linalg.norm(direction))
        reaches += height * np.exp(-((np.arccos(np.clip(cosines, -1.0, 1.0)) / width) ** 2))
    return reaches


def _evenly_spread(points, count, first):
    """Rows of points, each the farthest from those before."""
    chosen = [first]
    distances = np.linalg.norm(points - points[first], axis=1)
    while len(chosen) < count:
        chosen.append(int(distances.argmax()))
        distances = np.minimum(distances, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return np.array(chosen)


def _flipped(nodes, tetrahedra, count):
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


def _outward(triangles, points):
    """Turned so that they are seen counter-clockwise from far away; the origin is inside."""
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    is_inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0.0
    return np.where(is_inward[:, None], triangles[:, ::-1], triangles).astype(np.int32)


def _split(numbers, is_solid):
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


def _without_inside(points, tetrahedra):
    """The mesh of those points that are used, all of them on its surface."""
    used, tetrahedra = np.unique(tetrahedra, return_inverse=True)
    points, tetrahedra = points[used], tetrahedra.reshape(-1, 4).astype(np.int32)
    is_turned = tetrahedron_volumes(points, tetrahedra) < 0.0
    tetrahedra[is_turned] = tetrahedra[is_turned][:, [0, 2, 1, 3]]
    return SolidMesh(points, tetrahedra, _boundary(tetrahedra))


def _boundary(tetrahedra):
    faces = outward_faces(tetrahedra).reshape(-1, 3)
    _, places, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return np.ascontiguousarray(faces[np.sort(places[counts == 1])], np.int32)
