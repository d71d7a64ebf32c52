"""Painted pins: vertices of full weight follow the animation, springs draw those of less."""

import numpy as np

from ..solver.scene import SimulatedObject, SoftPins
from .marked_object import MarkedObject
from .read_mesh import MeshSampler
from .read_motion import Track
from .read_weights import read_weights

HARD_WEIGHT = 0.999  # brushes and smoothing seldom leave a weight of exactly one


class VertexSampler:
    """Where some vertices of an object are, at whatever frame the depsgraph shows."""

    def __init__(self, sampler: MeshSampler, vertices: np.ndarray):
        self.sampler = sampler
        self.vertices = vertices

    def __call__(self, depsgraph) -> np.ndarray:
        """Positions (p, 3) [m]."""
        return self.sampler(depsgraph, self.vertices)


def read_pins(marked: MarkedObject, item: SimulatedObject, sampler: MeshSampler, depsgraph) -> list[Track]:
    """Pin vertices of a mesh as its pin group tells; what follows them through the animation."""
    if not marked.settings.pin_group:
        return []
    weights = read_weights(marked, marked.settings.pin_group, "pin", depsgraph)
    hard = np.flatnonzero(weights >= HARD_WEIGHT).astype(np.int32)
    soft = np.flatnonzero((weights > 0.0) & (weights < HARD_WEIGHT)).astype(np.int32)
    tracks = []
    if len(hard):
        item.pinned, item.pin_motion = hard, item.positions[hard]
        tracks.append(Track(item, "pin_motion", VertexSampler(sampler, hard)))
    if len(soft):
        stiffness = marked.settings.pin_stiffness * weights[soft] / (1.0 - weights[soft])
        item.soft_pins = SoftPins(soft, stiffness, item.positions[soft])
        tracks.append(Track(item.soft_pins, "motion", VertexSampler(sampler, soft)))
    return tracks
