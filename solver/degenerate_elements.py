"""Elements without size: segments of strands without length, triangles without area."""

from functools import reduce
from itertools import combinations

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
    axes = range(corners.shape[2])  # one by one: numpy is slow along so short an axis
    first, second = ([corners[:, end, axis] - corners[:, 0, axis] for axis in axes] for end in (1, 2))
    sizes = reduce(np.maximum, [np.abs(lengths) for lengths in (*first, *second)])
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    first, second = ([lengths / sizes for lengths in edge] for edge in (first, second))  # their squares may overflow
    turns = [first[i] * second[j] - first[j] * second[i] for i, j in combinations(axes, 2)]
    return np.sqrt(_squares(turns)) <= FLAT * np.maximum(_squares(first), _squares(second))


def _squares(vectors):
    """Squared lengths (t,) of vectors that are given axis by axis."""
    return sum(numbers * numbers for numbers in vectors)
