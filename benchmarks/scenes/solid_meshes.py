"""Tetrahedral meshes of the solids [Verschoor and Jalba 2019, table 1], with as many elements, vertices and faces."""

from functools import cache

import numpy as np
from scipy.spatial import ConvexHull

from stiction.solver.volume.fill import fill

from .shapes import spread_directions
from .solid_building import SolidMesh, evenly_spread, flipped, outward, reaches, split, without_inside

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
    return without_inside(points, split(numbers, np.ones((RING_SEGMENTS, 1, 1), bool)))


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
    return without_inside(points, split(numbers, is_solid))


TABLE, TABLE_TOP = (0.4, 0.3, 0.25), 0.02  # sizes, and thickness of the top [m]


@cache
def table(cell_count: int) -> SolidMesh:
    """A top of so many cells along its length, on four legs a cell wide that stand on z = 0."""
    width = TABLE[0] / cell_count
    cells = cell_count, max(3, round(TABLE[1] / width)), max(2, round((TABLE[2] - TABLE_TOP) / width)) + 1
    is_solid = np.zeros(cells, bool)
    is_solid[:, :, -1] = True
    is_solid[np.ix_([0, -1], [0, -1])] = True
    x, y, z = (part.ravel() for part in np.mgrid[tuple(slice(count + 1) for count in cells)])
    heights = np.append(np.linspace(0.0, TABLE[2] - TABLE_TOP, cells[2]), TABLE[2])
    points = np.column_stack([TABLE[0] * (x / cells[0] - 0.5), TABLE[1] * (y / cells[1] - 0.5), heights[z]])
    numbers = np.arange(len(points)).reshape([count + 1 for count in cells])
    return without_inside(points, split(numbers, is_solid))


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
    points = reaches(directions, BUNNY_HALF_AXES, BUNNY_LOBES)[:, None] * directions
    chosen = evenly_spread(points, BUNNY_VERTICES, first)
    triangles = outward(ConvexHull(directions[chosen]).simplices, directions[chosen])
    depths = np.concatenate([depth * points for depth in BUNNY_DEPTHS])
    mesh = fill(points[chosen], triangles, inner_points=depths[evenly_spread(depths, BUNNY_INNER_NODES, 0)])
    return SolidMesh(mesh.nodes, flipped(mesh.nodes, mesh.tetrahedra, BUNNY_TETRAHEDRA), triangles)
