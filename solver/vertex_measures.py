"""What a bake keeps beside positions, if it is asked to: contact forces, stick or slip, and stretch of each vertex.

They stand in a point cache of their own, of twice as many points as the object has vertices: first the forces
(x, y, z) [N], then (state, stretch, 0) of each vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .frame import Frame
from .scene import Scene
from .stretch import StretchMeter

if TYPE_CHECKING:  # what is not imported is not compiled
    from .simulation import Simulation

MEASURES = "\0contact"  # after the name of an object: no object's name has it


def with_measures(point_counts: dict[str, int]) -> dict[str, int]:
    """The points of each file of a bake that keeps measures, too."""
    return point_counts | {name + MEASURES: 2 * count for name, count in point_counts.items()}


class VertexMeasures:
    """Measures the frames of a simulation, for the objects of which a bake has such files."""

    def __init__(self, scene: Scene, file_keys):
        keys = set(file_keys)
        self.meters = {item.name: StretchMeter(item) for item in scene.simulated if item.name + MEASURES in keys}

    def rows(self, simulation: Simulation, frame: Frame) -> dict[str, np.ndarray]:
        """By the key of each file (2n, 3)."""
        touch = simulation.touch() if self.meters else None
        touched = touch[0].of_vertices() if touch else {}
        return {name + MEASURES: self._rows_of(name, frame, touched.get(name)) for name in self.meters}

    def _rows_of(self, name, frame, touch):
        positions = frame.positions[name]
        rows = np.zeros((2 * len(positions), 3))
        if touch is not None:
            rows[: len(positions)], rows[len(positions) :, 0] = touch.forces, touch.states
        rows[len(positions) :, 1] = self.meters[name].measure(positions)
        return rows
