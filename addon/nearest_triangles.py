"""The nearest triangle to each of many points, exactly, also on meshes of very uneven density."""

from itertools import chain
from typing import NamedTuple

import numpy as np

CHUNK = 4096  # points searched at once, so that the candidate pairs fit in memory
ROUNDING = 1e-9  # relative; search radii are widened by it so that rounding loses no candidate
SMALLEST_SINE = 1e-7  # of a triangle's angle; below it, single precision does not know its normal


class SurfacePoints(NamedTuple):
    triangles: np.ndarray  # triangle that each point lies on     (p,)
    weights: np.ndarray  # of its three corners                   (p, 3)


def has_area(positions: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Which triangles are more than a line or a point (t,) bool."""
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    doubled_area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return doubled_area > SMALLEST_SINE * np.linalg.norm(b - a, axis=1) * np.linalg.norm(c - a, axis=1)


def nearest_triangles(points: np.ndarray, positions: np.ndarray, triangles: np.ndarray) -> SurfacePoints:
    """The nearest points (p) on triangles that have an area; the lowest index wins a tie."""
    usable = np.flatnonzero(has_area(positions, triangles))
    search = _Search(positions[triangles[usable]])
    found = [search.nearest(points[start : start + CHUNK]) for start in range(0, len(points), CHUNK)]
    ids, weights = (np.concatenate(parts) for parts in zip(*found))
    return SurfacePoints(usable[ids], weights)


class _Search:
    """Trees of the triangles' centres, one for each size of triangle.

    A triangle nearer than some bound has its centre within that bound plus its own radius; with one
    tree for all, a single large triangle would make every triangle a candidate.
    """

    def __init__(self, corners):
        from scipy.spatial import cKDTree  # slow to import, and only hair needs it

        self.corners = corners
        centres = corners.mean(axis=1)
        radii = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
        self.corner_tree = cKDTree(corners.reshape(-1, 3))
        self.groups = []  # members, largest radius, tree of centres
        sizes = np.frexp(radii)[1]
        for size in np.unique(sizes):
            members = np.flatnonzero(sizes == size)
            self.groups.append((members, radii[members].max(), cKDTree(centres[members])))

    def nearest(self, points):
        owners, candidates = self._candidates(points)
        distances, weights = _distances(points[owners], self.corners[candidates])
        order = np.lexsort((candidates, distances, owners))
        winners = order[np.flatnonzero(np.diff(owners[order], prepend=-1))]
        return candidates[winners], weights[winners]

    def _candidates(self, points):
        """Pairs of a point and a triangle that may be its nearest, as two arrays."""
        bounds = self.corner_tree.query(points)[0]
        owners, candidates = [], []
        for members, radius, tree in self.groups:
            lists = tree.query_ball_point(points, (bounds + radius) * (1 + ROUNDING))
            counts = np.fromiter(map(len, lists), np.int64, len(points))
            owners.append(np.repeat(np.arange(len(points)), counts))
            candidates.append(members[np.fromiter(chain.from_iterable(lists), np.int64, counts.sum())])
        return np.concatenate(owners), np.concatenate(candidates)


def _distances(points, corners):
    """Distance of each point (k, 3) to its triangle (k, 3, 3), and the weights of the nearest place."""
    options = np.stack([_inside_weights(points, corners)] + [_edge_weights(points, corners, i) for i in range(3)])
    gaps = np.linalg.norm(np.einsum("okc,kcx->okx", options, corners) - points, axis=2)
    gaps[0, (options[0] < 0).any(axis=1)] = np.inf  # the foot on the plane lies outside
    choice = gaps.argmin(axis=0)
    rows = np.arange(len(points))
    return gaps[choice, rows], options[choice, rows]


def _inside_weights(points, corners):
    """Barycentric weights (k, 3) of the foot on the triangle's plane."""
    a, b, c = corners.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    squared = np.einsum("kx,kx->k", normal, normal)
    at_b = np.einsum("kx,kx->k", np.cross(points - a, c - a), normal) / squared
    at_c = np.einsum("kx,kx->k", np.cross(b - a, points - a), normal) / squared
    return np.stack([1 - at_b - at_c, at_b, at_c], axis=1)


def _edge_weights(points, corners, first):
    """Weights (k, 3) of the nearest place on the edge that starts at corner `first`."""
    second = (first + 1) % 3
    start, edge = corners[:, first], corners[:, second] - corners[:, first]
    share = np.einsum("kx,kx->k", points - start, edge) / np.einsum("kx,kx->k", edge, edge)
    weights = np.zeros((len(points), 3))
    weights[:, second] = np.clip(share, 0, 1)
    weights[:, first] = 1 - weights[:, second]
    return weights
