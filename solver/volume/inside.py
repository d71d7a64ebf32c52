"""Which points a closed surface encloses, for many points at once.

Space is divided into voxels. Those that the surface does not touch fall into connected regions, each wholly
inside or wholly outside, so one winding number a region settles them; only points in touched voxels need one each.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.ndimage import label

from .voxels import touched_voxels
from .winding import WindingTree, winding_numbers, winding_tree

VOXELS = 96  # along the longest side


class InsideTest(NamedTuple):
    """A closed surface, ready to be asked which points are inside."""

    surface: WindingTree
    low: np.ndarray  # corner of the first voxel                   (3,) [m]
    voxel_size: float  # [m]
    is_touched: np.ndarray  # by the surface                       (x, y, z) bool
    is_inside: np.ndarray  # and not touched                       (x, y, z) bool


def inside_test(positions: np.ndarray, triangles: np.ndarray) -> InsideTest:
    """Prepare a closed surface of positions (n, 3) [m] and triangles (t, 3)."""
    surface = winding_tree(positions, triangles)
    low, size = positions.min(axis=0), np.ptp(positions, axis=0)
    voxel_size = float(size.max()) / VOXELS
    x, y, z = (int(count) for count in np.ceil(size / voxel_size + 1e-9).clip(1))
    touched = touched_voxels((positions[triangles] - low) / voxel_size, (x, y, z))
    inside = enclosed_voxels(touched, lambda voxels: winding_numbers(surface, low + (voxels + 0.5) * voxel_size))
    return InsideTest(surface, low, voxel_size, touched, inside)


def are_inside(test: InsideTest, points: np.ndarray) -> np.ndarray:
    """Whether each point (p, 3) is inside (p,)."""
    voxels = np.floor((points - test.low) / test.voxel_size).astype(int)
    is_near = ((voxels >= 0) & (voxels < test.is_touched.shape)).all(axis=1)
    result = np.zeros(len(points), bool)
    places = tuple(voxels[is_near].T)
    result[is_near] = test.is_inside[places]
    is_near[is_near] = test.is_touched[places]
    result[is_near] = winding_numbers(test.surface, points[is_near]) > 0.5
    return result


def enclosed_voxels(touched: np.ndarray, winding_of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Untouched voxels (x, y, z) inside the surface; `winding_of` gives winding numbers at voxels (k, 3)."""
    labels, count = label(~touched)
    if not count:
        return np.zeros(touched.shape, bool)
    _, firsts = np.unique(labels, return_index=True)
    probes = np.array(np.unravel_index(firsts[-count:], touched.shape)).T
    return np.concatenate([[False], np.abs(winding_of(probes)) > 0.5])[labels]
