"""How much objects are stretched at each vertex: the mean over its edges of length / rest length − 1."""

import numpy as np

from .scene import Hair, SimulatedObject, SurfaceObject


class StretchMeter:
    """Of one object; edges without a rest length do not count."""

    def __init__(self, item: SimulatedObject):
        edges = _edges_of(item)
        rest = getattr(item, "rest_shape", item.positions)
        lengths = np.linalg.norm(rest[edges[:, 1]] - rest[edges[:, 0]], axis=1)
        self.edges, self.rest_lengths = edges[lengths > 0.0], lengths[lengths > 0.0]
        self.counts = np.maximum(np.bincount(self.edges.ravel(), minlength=len(rest)), 1)

    def measure(self, positions: np.ndarray) -> np.ndarray:
        """Of vertices at positions (n, 3) [m]: stretch (n,), negative where it is pressed together."""
        start, end = self.edges.T
        stretches = np.linalg.norm(positions[end] - positions[start], axis=1) / self.rest_lengths - 1.0
        sums = sum(np.bincount(ends, stretches, len(positions)) for ends in (start, end))
        return sums / self.counts


def _edges_of(item) -> np.ndarray:
    """Pairs of vertices (e, 2), each once."""
    if isinstance(item, Hair):
        ends = np.arange(1, len(item.positions))
        ends = np.setdiff1d(ends, item.strand_offsets)  # the first vertex of a strand ends no segment
        return np.column_stack([ends - 1, ends])
    assert isinstance(item, SurfaceObject)
    corners = item.triangles
    edges = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    return np.unique(edges, axis=0)
