"""Better triangles of a closed surface with the same vertices."""

import numpy as np

ROUNDS = 100
LEAST_GAIN = 1e-6  # [rad]: equal ones are left alone
FOLD = 0.5  # cosine between the normals of two triangles that may be changed


def delaunay_flipped(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Triangles (t, 3) where no edge lies opposite two angles of more than π together, if it could be flipped."""
    triangles = triangles.copy()
    for _ in range(ROUNDS):
        own, other, corners = _pairs(triangles)
        excess = _angles(points, corners[:, [3, 0, 1]]) + _angles(points, corners[:, [2, 0, 1]]) - np.pi
        chosen = np.flatnonzero((excess > LEAST_GAIN) & _may_flip(points, triangles, corners))
        chosen = _independent(chosen[np.argsort(-excess[chosen], kind="stable")], own, other)
        if not len(chosen):
            break
        a, b, c, d = corners[chosen].T
        triangles[own[chosen]] = np.column_stack([a, d, c])
        triangles[other[chosen]] = np.column_stack([d, b, c])
    return triangles


def _pairs(triangles):
    """Two triangles at each edge, and corners (e, 4): the edge a b as the first has it, and the tips c and d."""
    edges = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    tips = np.concatenate([triangles[:, (k + 2) % 3] for k in range(3)])
    order = np.lexsort(np.sort(edges, axis=1).T)
    first, second = order[::2], order[1::2]  # a closed surface has each edge twice
    corners = np.column_stack([edges[first], tips[first], tips[second]])
    return first % len(triangles), second % len(triangles), corners


def _angles(points, corners):
    """At the first of three corners (e, 3) [rad]."""
    tip, a, b = (points[corners[:, k]] for k in range(3))
    first, second = a - tip, b - tip
    return np.arctan2(np.linalg.norm(np.cross(first, second), axis=1), np.einsum("ij,ij->i", first, second))


def _may_flip(points, triangles, corners):
    """Where the surface is nearly flat before and after, and the new edge is not there already."""
    a, b, c, d = corners.T
    normals = [_normals(points, three) for three in ((a, b, c), (b, a, d), (a, d, c), (d, b, c))]
    least = np.min([np.einsum("ij,ij->i", normals[0], normal) for normal in normals[1:]], axis=0)
    count = len(points)
    edges = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    known = edges[:, 0].astype(np.int64) * count + edges[:, 1]
    is_known = np.isin(c.astype(np.int64) * count + d, known) | np.isin(d.astype(np.int64) * count + c, known)
    return (least > FOLD) & ~is_known


def _normals(points, corners):
    a, b, c = (points[corner] for corner in corners)
    normals = np.cross(b - a, c - a)
    return normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]


def _independent(chosen, own, other):
    """Of edges in order of merit, those that share no triangle with a better one around it."""
    taken, kept = set(), []
    for edge in chosen:
        if own[edge] not in taken and other[edge] not in taken:
            kept.append(edge)
            taken.update((own[edge], other[edge]))
    return np.array(kept, int)
