"""What can go wrong in a search, in the artist's words."""

import numpy as np

from ..errors import SimulationFailed
from .surface import CollisionSurface


class PositionsNotFinite(SimulationFailed):
    """Points are nowhere: a motion is broken, or the simulation has burst."""

    def __init__(self, surface: CollisionSurface, starts: np.ndarray, ends: np.ndarray):
        is_lost = ~(np.isfinite(starts) & np.isfinite(ends)).all(axis=1)
        first = int(np.argmax(is_lost))
        number = int(surface.points.objects[first])
        count = int(is_lost[surface.firsts[number] : surface.firsts[number + 1]].sum())
        self.object_name = surface.names[number]
        super().__init__(
            f'"{self.object_name}": {count} points have no position (first: {first - int(surface.firsts[number])}). '
            "Look for a broken animation or deformation, or for extreme settings."
        )


class TooManyPairs(SimulationFailed):
    """More primitives are near each other than memory is meant for."""

    def __init__(self, most: int, object_names: tuple[str, str] | None = None):
        self.object_names = object_names
        first, second = object_names or ("", "")
        who = f'"{first}" with itself' if first == second else f'"{first}" and "{second}"'
        who = f", most of them between {who}" if object_names else ""
        super().__init__(
            f"More than {most:,} pairs of edges and faces come near each other in one step{who}. "
            "Raise the steps per frame if something jumps, or lower the thickness."
        )
