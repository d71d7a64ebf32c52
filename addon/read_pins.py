"""Painted pins: vertices of full weight follow the animation, springs draw those of less."""

import numpy as np

from ..solver.scene import SimulatedObject, SoftPins
from .animated_settings import animated_settings
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
    is_hard = weights >= HARD_WEIGHT
    by_springs = (weights > 0.0) if can_let_go(marked) else (weights > 0.0) & ~is_hard
    hard, soft = (np.flatnonzero(chosen).astype(np.int32) for chosen in (is_hard & ~by_springs, by_springs))
    tracks = []
    if len(hard):
        item.pinned, item.pin_motion = hard, item.positions[hard]
        tracks.append(Track(item, "pin_motion", VertexSampler(sampler, hard)))
    if len(soft):
        item.soft_pins = _springs(marked, item, soft, weights[soft])
        tracks.append(Track(item.soft_pins, "motion", VertexSampler(sampler, soft)))
    return tracks


def pin_points(marked: MarkedObject, item: SimulatedObject, points: np.ndarray, sampler) -> Track:
    """Let points (p,) of strands follow the animation that a sampler tells."""
    points = points.astype(np.int32)
    if can_let_go(marked):
        item.soft_pins = _springs(marked, item, points, np.ones(len(points)))
        return Track(item.soft_pins, "motion", sampler)
    item.pinned, item.pin_motion = points, item.positions[points]
    return Track(item, "pin_motion", sampler)


def can_let_go(marked: MarkedObject) -> bool:
    """Whether pins are not as firm as they are painted, now or later: all of them are springs then."""
    return marked.settings.pin_strength != 1.0 or "pin_strength" in animated_settings(marked.obj)


def _springs(marked, item, vertices, weights):
    settings = marked.settings
    stiffness = np.full(len(weights), np.inf)  # as firm as pins
    painted = weights < HARD_WEIGHT
    stiffness[painted] = settings.pin_stiffness * weights[painted] / (1.0 - weights[painted])
    return SoftPins(vertices, stiffness, item.positions[vertices], settings.pin_strength, settings.pin_stiffness)
