"""How much of a frame intersects, for its report."""

from collections.abc import Callable

import numpy as np

from ..frame import Frame
from ..scene import Scene
from .intersections import find_crossings
from .scene_surface import given_positions, start_surface


def intersection_counter(scene: Scene) -> Callable[[Frame], int]:
    """A function that counts the crossings of edges and triangles in a frame of the scene.

    Those of objects that do not collide do not count.
    """
    surface, _ = start_surface(scene)

    def count(frame: Frame) -> int:
        given = given_positions(scene, scene.time_of(frame.number))
        points = [frame.positions[name] if own is None else own for name, own in zip(surface.names, given, strict=True)]
        return int(find_crossings(surface, np.concatenate(points)).collides.sum())

    return count
