"""How far a solution left the place where it was linearized: the change of edges, over their lengths.

A sheet that only moves is as linear as can be, however far it goes; one that turns by an angle θ is stretched by its
linearization by θ²/2.
"""

import math

import numpy as np

from ..jit_cache import kernel
from ..model import Model


def triangles_of_sheets(model: Model) -> np.ndarray:
    """Nodes (t, 3) int32 of the bodies' triangles; none if something else than sheets is simulated."""
    laws = [damped.law for damped in model.laws]
    if len(model.rods.masses) or not all(getattr(law, "is_of_sheets", False) for law in laws):
        return np.zeros((0, 3), np.int32)
    triangles = [law.nodes for law in laws if law.nodes.shape[1] == 3]
    return triangles[0] if triangles else np.zeros((0, 3), np.int32)


@kernel("float64(int32[:, ::1], float64[:, ::1], float64[:, ::1])")
def largest_turn(triangles, before, after):
    """The largest change of an edge of triangles (t, 3) between two positions (n, 3), over its length before."""
    largest = 0.0
    for triangle in range(len(triangles)):
        for corner in range(3):
            first, second = triangles[triangle, corner], triangles[triangle, (corner + 1) % 3]
            length, change = 0.0, 0.0
            for axis in range(3):
                edge = before[second, axis] - before[first, axis]
                length += edge * edge
                change += (after[second, axis] - after[first, axis] - edge) ** 2
            if not change <= largest * length:  # true for what is not a number, too
                largest = change / length if length > 0.0 else math.inf
    return math.sqrt(largest)
