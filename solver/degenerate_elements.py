"""Elements without size: segments of strands without length, triangles without area."""

import numpy as np

SHORTEST_SEGMENT = 1e-9  # [m]; below this a direction is rounding noise
FLAT = 1e-10  # height over length of a triangle that has no area to speak of; a membrane gives it no stiffness


def segments_without_length(positions: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """First points (k,) of the segments of strands that have no direction; positions (n, 3) [m], offsets (s + 1,)."""
    lengths = np.linalg.norm(np.diff(positions, axis=0), axis=1)
    is_inside = np.ones(len(lengths), bool)
    is_inside[offsets[1:-1] - 1] = False
    return np.flatnonzero(is_inside & (lengths < SHORTEST_SEGMENT))


def triangles_without_area(corners: np.ndarray) -> np.ndarray:
    """Which triangles (t,) bool lie on a line or a point; corners (t, 3, 2) or (t, 3, 3) [m]."""
    edges = corners[:, 1:] - corners[:, :1]
    sizes = np.abs(edges).max(axis=(1, 2), keepdims=True)
    edges = np.divide(edges, sizes, out=np.zeros_like(edges), where=sizes > 0.0)  # squares of the size may overflow
    if edges.shape[2] == 2:
        edges = np.pad(edges, ((0, 0), (0, 0), (0, 1)))
    doubled_areas = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    return doubled_areas <= FLAT * (edges**2).sum(axis=2).max(axis=1, initial=0.0)
