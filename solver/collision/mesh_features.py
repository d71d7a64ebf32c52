"""How the triangles, edges and points of a surface hang together, and how much room they leave each other."""

import numpy as np

from .surface import MeshFeatures


def unique_edges(triangles: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """The sides of triangles (t, 3) and the segments (s, 2), each once, its lower end first (e, 2) int32."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]], segments])
    lows, highs = np.divmod(np.unique(_keys(sides)), 2**32)
    return np.column_stack([lows, highs]).astype(np.int32)


def _keys(sides):
    """One number a side, whichever way it runs (n,) int64."""
    ends = np.sort(sides.astype(np.int64), axis=1)
    return ends[:, 0] * 2**32 + ends[:, 1]


def mesh_features(point_count: int, edges: np.ndarray, triangles: np.ndarray) -> MeshFeatures:
    """Neighbours among triangles (t, 3) and the `unique_edges` (e, 2) of a surface."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    triangle_edges = np.searchsorted(_keys(edges), _keys(sides)).reshape(3, -1).T
    edge_triangle_offsets, edge_triangles = _incidence(triangle_edges, len(edges))
    point_edge_offsets, point_edges = _incidence(edges, point_count)
    return MeshFeatures(
        triangle_edges=np.ascontiguousarray(triangle_edges, np.int32),
        edge_triangle_offsets=edge_triangle_offsets,
        edge_triangles=edge_triangles,
        point_edge_offsets=point_edge_offsets,
        point_edges=point_edges,
    )


def _incidence(parts, count):
    """Offsets (count + 1,) and rows: for each number, the rows of `parts` in which it occurs, in order."""
    numbers = parts.ravel()
    order = np.argsort(numbers, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count))])
    return offsets.astype(np.int32), (order // max(parts.shape[1], 1)).astype(np.int32)


def smallest_heights(rest: np.ndarray, segments: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The smallest height of the triangles, or length of the segments, around each point (p,) [m]; inf around none."""
    heights = np.full(len(rest), np.inf)
    lengths = np.linalg.norm(rest[segments[:, 1]] - rest[segments[:, 0]], axis=1)
    np.minimum.at(heights, segments, lengths[:, None])
    corners = rest[triangles]
    sides = corners[:, [1, 2, 0]] - corners
    double_areas = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    longest = np.linalg.norm(sides, axis=2).max(axis=1, initial=0.0)
    triangle_heights = np.divide(double_areas, longest, out=np.zeros_like(longest), where=longest > 0.0)
    np.minimum.at(heights, triangles, triangle_heights[:, None])
    return heights
