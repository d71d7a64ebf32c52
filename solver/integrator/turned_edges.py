"""How far a solution left the place where it was linearized: the change of edges, over their lengths.

A sheet that only moves is as linear as can be, however far it goes; one that turns by an angle θ is stretched by its
linearization by θ²/2.
"""

import numpy as np

from ..jit_cache import kernel
from ..model import Model

STRAIGHT = 0.1  # edges that change by less, over their lengths, need not be linearized again,
FEW = 1e-3  # nor sheets of whose edges no more than this share changes by more


class SheetTurns:
    """How much the sheets of a scene turn, if there is nothing else in it."""

    def __init__(self, model: Model):
        self.triangles = triangles_of_sheets(model)
        self._rows = model.body_nodes

    def are_small(self, linearized_at: np.ndarray, positions: np.ndarray) -> bool:
        """Whether a linearization is good enough: another gains less than shorter steps would."""
        if not len(self.triangles):
            return False
        turned = count_turned(self.triangles, linearized_at[self._rows], positions[self._rows], STRAIGHT)
        return turned <= FEW * self.triangles.size


def triangles_of_sheets(model: Model) -> np.ndarray:
    """Nodes (t, 3) int32 of the bodies' triangles; none if something else than sheets is simulated."""
    laws = [damped.law for damped in model.laws]
    if len(model.rods.masses) or not all(getattr(law, "is_of_sheets", False) for law in laws):
        return np.zeros((0, 3), np.int32)
    triangles = [law.nodes for law in laws if law.nodes.shape[1] == 3]
    return triangles[0] if triangles else np.zeros((0, 3), np.int32)


@kernel("int64(int32[:, ::1], float64[:, ::1], float64[:, ::1], float64)")
def count_turned(triangles, before, after, limit):
    """How many edges of triangles (t, 3), each counted in all of its triangles, change by `limit` or more between two
    positions (n, 3), over their lengths before."""
    count = 0
    for triangle in range(len(triangles)):
        for corner in range(3):
            first, second = triangles[triangle, corner], triangles[triangle, (corner + 1) % 3]
            length, change = 0.0, 0.0
            for axis in range(3):
                edge = before[second, axis] - before[first, axis]
                length += edge * edge
                change += (after[second, axis] - after[first, axis] - edge) ** 2
            if not change < limit * limit * length:  # true for what is not a number, too
                count += 1
    return count
