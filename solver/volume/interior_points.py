"""Points inside a surface: as dense as its vertices near them, sparser further in."""

import numpy as np
from scipy.spatial import cKDTree

from .inside import InsideTest, are_inside

GROWTH = 0.7  # of the spacing with the distance from the surface [m/m]
CELL_PER_EDGE = 1.35  # cells of centres and corners whose shortest links are as long as the surface's edges
SHIFT = 0.04  # of the spacing: lattice points in common planes and spheres make flat tetrahedra
CLEARANCE = 0.45  # least distance to the surface, in its edges; nearer points make flat tetrahedra
COARSEST_LEVEL = 2  # at least four cells along the longest side, so that the octree has somewhere to start
FINEST_LEVEL = 10


def interior_points(positions, triangles, test: InsideTest, coarsest: float) -> np.ndarray:
    """Points (m, 3) for the inside of a closed surface whose longest side is one.

    Centres and corners of an octree: where cells are alike these are a body-centred cubic lattice, whose
    Delaunay tetrahedra are well shaped. `coarsest` bounds the spacing away from the surface.
    """
    samples, spacings = _size_samples(positions, triangles)
    tree = cKDTree(samples)
    centers, corners = _octree(positions, lambda points: _wanted_size(tree, spacings, points, coarsest))
    points = np.concatenate([centers, corners])
    distance, nearest = tree.query(points)
    shift = np.random.default_rng(0).uniform(-SHIFT, SHIFT, points.shape)
    points += shift * np.minimum(spacings[nearest] + GROWTH * distance, coarsest)[:, None]
    points = points[distance > CLEARANCE * spacings[nearest]]
    points = points[_outside_protecting_balls(points, positions, triangles)]
    return points[are_inside(test, points)]


def _size_samples(positions, triangles):
    """Points on the surface, and the length of the edges there."""
    sides = positions[triangles] - positions[np.roll(triangles, -1, axis=1)]
    lengths = np.linalg.norm(sides, axis=2)
    sums = np.bincount(triangles.ravel(), np.repeat(lengths.mean(axis=1), 3), minlength=len(positions))
    counts = np.bincount(triangles.ravel(), minlength=len(positions))
    return (
        np.concatenate([positions, positions[triangles].mean(axis=1)]),
        np.concatenate([sums / np.maximum(counts, 1), lengths.mean(axis=1)]),
    )


def _wanted_size(tree, spacings, points, coarsest):
    distance, nearest = tree.query(points)
    near = spacings[nearest]
    return CELL_PER_EDGE * np.minimum(near + GROWTH * distance, np.maximum(near, coarsest))


def _octree(positions, wanted_size):
    """Centres and corners of the leaves of an octree over the bounding box."""
    low = positions.min(axis=0)
    level_cells = np.argwhere(
        np.ones(np.maximum(1, np.ceil(np.ptp(positions, axis=0) * 2**COARSEST_LEVEL)).astype(int))
    )
    centers, corner_keys = [], []
    for level in range(COARSEST_LEVEL, FINEST_LEVEL + 1):
        size = 0.5**level
        middle = low + (level_cells + 0.5) * size
        is_leaf = wanted_size(middle) >= size if level < FINEST_LEVEL else np.ones(len(middle), bool)
        centers.append(middle[is_leaf])
        corner_keys.append((level_cells[is_leaf][:, None] + _UNIT_CORNERS).reshape(-1, 3) << (FINEST_LEVEL - level))
        level_cells = (2 * level_cells[~is_leaf][:, None] + _UNIT_CORNERS).reshape(-1, 3)
        if not len(level_cells):
            break
    corners = np.unique(np.concatenate(corner_keys), axis=0)
    return np.concatenate(centers), low + corners * 0.5**FINEST_LEVEL


_UNIT_CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])


def _outside_protecting_balls(points, positions, triangles):
    """Points that leave every surface triangle Delaunay: none in the smallest ball around a triangle."""
    keep = np.ones(len(points), bool)
    if len(points):
        centers, radii = _smallest_balls(positions[triangles])
        for found in cKDTree(points).query_ball_point(centers, radii):
            keep[found] = False
    return keep


def _smallest_balls(corners):
    """Centre (t, 3) and radius (t,) of the smallest ball around each triangle (t, 3, 3)."""
    squares = ((np.roll(corners, -1, axis=1) - np.roll(corners, -2, axis=1)) ** 2).sum(axis=2)  # opposite each corner
    weights = squares * (squares.sum(axis=1, keepdims=True) - 2.0 * squares)  # barycentric, of the circumcentre
    is_obtuse = (weights <= 0.0).any(axis=1)
    longest = np.argmax(squares, axis=1)
    weights[is_obtuse] = 1.0
    weights[is_obtuse, longest[is_obtuse]] = 0.0  # the middle of the longest side
    weights /= weights.sum(axis=1, keepdims=True)
    centers = np.einsum("tc,tci->ti", weights, corners)
    return centers, np.linalg.norm(corners - centers[:, None], axis=2).max(axis=1)
