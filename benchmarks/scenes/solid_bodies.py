"""More meshes of solids [Verschoor and Jalba 2019]: cubes, strings, spheres of a bearing, a doll for its Armadillo."""

from functools import cache
from itertools import product

import numpy as np
from scipy.spatial import ConvexHull, cKDTree

from stiction.solver.volume.fill import fill

from .rigid_meshes import icosphere
from .shapes import spread_directions
from .solid_building import (
    SolidMesh,
    boundary,
    evenly_spread,
    flipped,
    outward,
    reaches,
    split,
    turned_out,
    without_inside,
)
from .surface_flips import delaunay_flipped

CUBE_SIDE = 0.05  # [m]


@cache
def cube() -> SolidMesh:
    """44 tetrahedra, 27 vertices, 48 faces: two thousand have the paper's 88k elements.

    All tetrahedra meet in the middle, but that every other corner is cut off.
    """
    middle, tetrahedra = (0, 0, 0), []
    for corner in product((-1, 1), repeat=3):
        mids = [tuple(np.where(np.arange(3) == axis, 0, corner)) for axis in range(3)]  # of the edges at the corner
        for axis in range(3):
            face = tuple(np.where(np.arange(3) == axis, corner, 0))
            tetrahedra.append((middle, face, mids[axis - 1], mids[axis - 2]))
        if np.prod(corner) > 0:
            tetrahedra += [(corner, *mids), (middle, *mids)]
        else:
            tetrahedra += [(middle, corner, mids[axis - 1], mids[axis - 2]) for axis in range(3)]
    points = sorted(product((-1, 0, 1), repeat=3), key=lambda point: point == middle)
    numbers = {point: number for number, point in enumerate(points)}
    nodes = 0.5 * CUBE_SIDE * np.array(points, float)
    solid = turned_out(nodes, np.array([[numbers[tuple(map(int, p))] for p in corners] for corners in tetrahedra]))
    return SolidMesh(nodes, solid, boundary(solid))


STRING_LENGTH, STRING_WIDTH, STRING_CELLS = 0.6, 0.012, 50  # [m]


@cache
def string(length: float = STRING_LENGTH, cell_count: int = STRING_CELLS) -> SolidMesh:
    """A square bar along x around the origin: six tetrahedra a cell."""
    along, across, upward = (part.ravel() for part in np.mgrid[: cell_count + 1, :2, :2])
    places = length * (along / cell_count - 0.5)
    points = np.column_stack([places, STRING_WIDTH * (across - 0.5), STRING_WIDTH * (upward - 0.5)])
    numbers = np.arange(len(points)).reshape(cell_count + 1, 2, 2)
    return without_inside(points, split(numbers, np.ones((cell_count, 1, 1), bool)))


SPHERE_DEPTHS = (0.0, 0.35, 0.6, 0.82)  # of inner nodes, over the radius
SPHERE_INNER_NODES = 0.397  # over those on the surface
SPHERE_TETRAHEDRA, SPHERE_LEVELS = 12_851, 4


@cache
def sphere(radius: float, levels: int = SPHERE_LEVELS) -> SolidMesh:
    """Of 20 · 4^levels faces; with four levels 12,851 tetrahedra and 5,120 faces, as in the paper's bearing."""
    points, triangles = icosphere(1.0, levels)
    depths = np.concatenate([depth * points for depth in SPHERE_DEPTHS])
    inner = depths[evenly_spread(depths, round(SPHERE_INNER_NODES * len(points)), 0)]
    mesh = fill(radius * points, triangles, inner_points=radius * inner)
    tetrahedra = mesh.tetrahedra
    if levels == SPHERE_LEVELS:
        tetrahedra = flipped(mesh.nodes, tetrahedra, SPHERE_TETRAHEDRA)
    return SolidMesh(mesh.nodes, tetrahedra, triangles)


DOLL_HALF_AXES = (0.085, 0.1, 0.14)  # of the trunk [m]: depth, width, height
# Where they are seen from its middle, height over it [m] and width [rad]: head, ears, arms, legs and belly.
DOLL_LOBES = (
    ((0.0, 0.0, 1.0), 0.09, 0.42),
    ((0.0, 0.4, 1.0), 0.06, 0.2),
    ((0.0, -0.4, 1.0), 0.06, 0.2),
    ((0.0, 1.0, 0.35), 0.12, 0.325),
    ((0.0, -1.0, 0.35), 0.12, 0.325),
    ((0.0, 0.5, -1.0), 0.12, 0.325),
    ((0.0, -0.5, -1.0), 0.12, 0.325),
    ((1.0, 0.0, -0.2), 0.02, 0.5),
)
DOLL_FACES, DOLL_NODES = 20_978, 66_700  # of the paper's; its nodes by their unknowns, "roughly 200K"
OVERSAMPLING = 8  # directions for each vertex that is chosen from them
ROOM_BELOW_SURFACE = 0.5  # free of inner nodes, over the spacing of these


@cache
def doll(node_count: int = DOLL_NODES) -> SolidMesh:
    """A trunk with head, ears, arms and legs, spread along y, of about so many nodes."""
    vertex_count = round((0.5 * DOLL_FACES + 2) * (node_count / DOLL_NODES) ** (2 / 3))
    directions = spread_directions(OVERSAMPLING * vertex_count)
    points = _doll_reaches(directions)[:, None] * directions
    chosen = evenly_spread(points, vertex_count, 0)
    triangles = outward(ConvexHull(directions[chosen]).simplices, directions[chosen])
    triangles = delaunay_flipped(points[chosen], triangles)
    mesh = fill(points[chosen], triangles, inner_points=_inner_points(points, node_count - vertex_count))
    return SolidMesh(mesh.nodes, mesh.tetrahedra, triangles)


def _doll_reaches(directions):
    return reaches(directions, DOLL_HALF_AXES, DOLL_LOBES)


def _inner_points(surface, count):
    """About so many points (i, 3) [m] of a body-centred lattice inside the doll, away from points (s, 3) on it."""
    tree, low, high = cKDTree(surface), surface.min(axis=0), surface.max(axis=0)
    spacing = (2.0 * np.prod(high - low) / count) ** (1 / 3)
    for _ in range(4):
        axes = [np.arange(first, last, spacing) for first, last in zip(low, high)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        points = np.concatenate([grid, grid + 0.5 * spacing])
        lengths = np.maximum(np.linalg.norm(points, axis=1), 1e-9)
        points = points[lengths < _doll_reaches(points / lengths[:, None])]
        points = points[tree.query(points)[0] > ROOM_BELOW_SURFACE * spacing]
        spacing *= (len(points) / count) ** (1 / 3)
    return points
