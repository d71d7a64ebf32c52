"""How often a surface winds around a point: 1 inside, 0 outside, in between for open surfaces.

The sum of the solid angles of all triangles over 4π [Jacobson 2013]; far clusters of triangles act
as one dipole and its first correction [Barill 2018, "Fast winding numbers for soups and clouds", section 3].
"""

import math
from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, compiled_with_arrays, kernel
from ..linear_algebra.vector3 import cross3, dot3, norm3, row3, sub3
from .triangle_tree import TriangleTree, triangle_tree

FAR = 2.3  # a cluster counts as one from this many of its radii on; the error then stays below 0.05


class WindingTree(NamedTuple):
    """A surface, ready to be asked for winding numbers."""

    tree: TriangleTree
    centers: np.ndarray  # of the area in each node of the tree    (m, 3) [m]
    area_vectors: np.ndarray  # sum of area times normal           (m, 3) [m²]
    spreads: np.ndarray  # area times normal ⊗ distance from center: xx, yy, zz, xy, yz, zx (symmetrised) (m, 6) [m³]
    radii: np.ndarray  # of a ball around the center that holds it (m,) [m]


def winding_tree(positions: np.ndarray, triangles: np.ndarray) -> WindingTree:
    """The dipoles of all clusters of a surface."""
    tree = triangle_tree(positions, triangles)
    a, b, c = tree.corners[:, 0], tree.corners[:, 1], tree.corners[:, 2]
    vectors = 0.5 * np.cross(b - a, c - a)
    areas = np.linalg.norm(vectors, axis=1)
    middles = (a + b + c) / 3.0
    outer = (vectors[:, :, None] * middles[:, None, :]).reshape(-1, 9)
    sums = _node_sums(
        np.add.reduceat(np.column_stack([vectors, areas, areas[:, None] * middles, outer]), tree.leaf_starts[:-1])
    )
    middle = 0.5 * (tree.lower + tree.upper)
    total = sums[:, 3:4]
    centers = np.where(total > 0.0, sums[:, 4:7] / np.where(total > 0.0, total, 1.0), middle)
    spread = sums[:, 7:].reshape(-1, 3, 3) - sums[:, :3, None] * centers[:, None, :]
    spread = spread + spread.swapaxes(1, 2)  # only its symmetric part acts
    spreads = np.column_stack([0.5 * spread[:, (0, 1, 2), (0, 1, 2)], spread[:, (0, 1, 2), (1, 2, 0)]])
    return WindingTree(tree, centers, np.ascontiguousarray(sums[:, :3]), spreads, _radii(tree, centers))


def _radii(tree, centers):
    """The distance from each node's center to its furthest corner; boxes would be half again as large."""
    radii = np.empty(len(centers))
    first, count = 0, 1
    while first < len(centers):
        starts = tree.leaf_starts[:: (len(tree.leaf_starts) - 1) // count]
        owners = np.repeat(centers[first : first + count], np.diff(starts), axis=0)
        reach = np.linalg.norm(tree.corners - owners[:, None], axis=2).max(axis=1)
        radii[first : first + count] = np.maximum.reduceat(reach, starts[:-1])
        first, count = first + count, 2 * count
    return radii


def _node_sums(leaves):
    levels = [leaves]
    while len(levels[-1]) > 1:
        levels.append(levels[-1][0::2] + levels[-1][1::2])
    return np.concatenate(levels[::-1])


def winding_numbers(surface: WindingTree, points: np.ndarray) -> np.ndarray:
    """The winding number (p,) of the surface around each point (p, 3)."""
    numbers = np.empty(len(points))
    tree = surface.tree
    _winding_numbers(
        *(tree.leaf_starts, tree.corners, surface.centers, surface.area_vectors, surface.spreads, surface.radii),
        np.ascontiguousarray(points, dtype=np.float64),
        numbers,
    )
    return numbers


@kernel(
    "void(int32[::1], float64[:, :, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[::1], "
    "float64[:, ::1], float64[::1])",
    parallel=True,
)
def _winding_numbers(leaf_starts, corners, centers, area_vectors, spreads, radii, points, numbers_out):
    for index in numba.prange(len(points)):
        numbers_out[index] = _winding_number(
            leaf_starts, corners, centers, area_vectors, spreads, radii, row3(points, index)
        )


@compiled_with_arrays
def _winding_number(leaf_starts, corners, centers, area_vectors, spreads, radii, point):
    first_leaf = len(leaf_starts) - 2
    stack = np.empty(64, np.int32)
    stack[0] = 0
    height = 1
    angle = 0.0
    while height > 0:
        height -= 1
        node = stack[height]
        away = sub3(row3(centers, node), point)
        distance = norm3(away)
        if distance > FAR * radii[node]:
            angle += _cluster_angle(row3(area_vectors, node), spreads, node, away, distance)
        elif node >= first_leaf:
            for row in range(leaf_starts[node - first_leaf], leaf_starts[node - first_leaf + 1]):
                angle += solid_angle(corners, row, point)
        else:
            stack[height] = 2 * node + 2
            stack[height + 1] = 2 * node + 1
            height += 2
    return angle / (4.0 * math.pi)


@compiled
def _cluster_angle(area_vector, spreads, node, away, distance):
    """The solid angle of a cluster: a·d/d³ + (tr S − 3 dᵀS d/d²)/d³ with its area vector a and spread S."""
    x, y, z = away
    trace = spreads[node, 0] + spreads[node, 1] + spreads[node, 2]
    along = spreads[node, 0] * x * x + spreads[node, 1] * y * y + spreads[node, 2] * z * z
    along += spreads[node, 3] * x * y + spreads[node, 4] * y * z + spreads[node, 5] * z * x
    square = distance * distance
    return (dot3(area_vector, away) + trace - 3.0 * along / square) / (square * distance)


@compiled
def solid_angle(corners, row, point):
    """The solid angle of a triangle of (t, 3, 3) seen from a point; positive from behind [van Oosterom 1983]."""
    a = sub3((corners[row, 0, 0], corners[row, 0, 1], corners[row, 0, 2]), point)
    b = sub3((corners[row, 1, 0], corners[row, 1, 1], corners[row, 1, 2]), point)
    c = sub3((corners[row, 2, 0], corners[row, 2, 1], corners[row, 2, 2]), point)
    la, lb, lc = norm3(a), norm3(b), norm3(c)
    numerator = dot3(a, cross3(b, c))
    denominator = la * lb * lc + dot3(a, b) * lc + dot3(b, c) * la + dot3(c, a) * lb
    return 2.0 * math.atan2(numerator, denominator)
