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
        super().__init__(
            f"More than {most:,} pairs of edges and faces come near each other in one step{_between(object_names)}. "
            "Raise the steps per frame if something jumps, or lower the thickness."
        )


class TooManyContacts(SimulationFailed):
    """More places touch, or would meet in a step, than memory is meant for."""

    def __init__(self, most: int, object_names: tuple[str, str]):
        self.object_names = object_names
        super().__init__(
            f"More than {most:,} places touch each other in one step{_between(object_names)}. "
            "Move apart what lies in the same place, raise the steps per frame if something jumps, or lower the "
            "thickness."
        )


class TooMuchIntersects(SimulationFailed):
    """What intersects cannot be listed within reasonable time and memory."""

    def __init__(self, object_name: str):
        self.object_name = object_name
        super().__init__(
            f'"{object_name}" lies in so much of the scene that what intersects cannot be listed. Look for edges that '
            "are far too long, for a thickness that is far too large, or for many objects in the same place."
        )


def commonest(surface: CollisionSurface, owners: np.ndarray) -> tuple[str, str]:
    """Names of the two objects that occur most often together in rows (k, 2) int."""
    low, high = owners.min(axis=1).astype(np.int64), owners.max(axis=1)
    pairs, counts = np.unique(low * len(surface.names) + high, return_counts=True)
    first, second = divmod(int(pairs[np.argmax(counts)]), len(surface.names))
    return surface.names[first], surface.names[second]


def _between(object_names):
    if object_names is None:
        return ""
    first, second = object_names
    who = f'"{first}" with itself' if first == second else f'"{first}" and "{second}"'
    return f", most of them between {who}"
