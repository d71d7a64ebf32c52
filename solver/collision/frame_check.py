"""What of a frame intersects, for its report."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..frame import Frame
from ..scene import Scene
from .intersections import Crossings, find_crossings
from .scene_surface import given_positions, start_surface
from .start_state import described_crossings
from .surface import CollisionSurface

MOST_SENTENCES = 10  # in a report


@dataclass
class FrameIntersections:
    """Crossings of edges and triangles; those of objects that do not collide do not count."""

    surface: CollisionSurface
    crossings: Crossings

    @property
    def count(self) -> int:
        return len(self.crossings.edges)

    @property
    def sentences(self) -> list[str]:
        """Which objects, how often, how deep and where, for the first few pairs of objects."""
        found = [sentence for _, sentence, _, _ in described_crossings(self.surface, self.crossings)]
        return found[:MOST_SENTENCES]


def intersection_finder(scene: Scene, surface: CollisionSurface | None = None) -> Callable[[Frame], FrameIntersections]:
    """A function that finds what intersects in a frame of the scene, whose surface may be known already."""
    surface = start_surface(scene)[0] if surface is None else surface

    def find(frame: Frame) -> FrameIntersections:
        given = given_positions(scene, scene.time_of(frame.number))
        points = [frame.positions[name] if own is None else own for name, own in zip(surface.names, given, strict=True)]
        return FrameIntersections(surface, find_crossings(surface, np.concatenate(points), only_colliding=True))

    return find


def intersection_counter(scene: Scene) -> Callable[[Frame], int]:
    """A function that only counts."""
    find = intersection_finder(scene)
    return lambda frame: find(frame).count
