"""From what was asked (Scene) to flat arrays (Model and State)."""

import numpy as np

from .masses import node_masses
from .model import Kinematics, Model, ObjectSpan
from .scene import Scene
from .state import State


def build(scene: Scene) -> tuple[Model, State]:
    """The model and the start state of a validated scene."""
    spans = _spans(scene)
    kinematics = tuple(_kinematics(item, span) for item, span in zip(scene.simulated, spans, strict=True))
    positions = np.concatenate([item.positions for item in scene.simulated])
    is_free = np.ones(len(positions), bool)
    for moved in kinematics:
        is_free[moved.nodes] = False
    model = Model(
        spans=spans,
        masses=np.concatenate([node_masses(item) for item in scene.simulated]),
        air_drag=_per_node(spans, [item.material.air_drag for item in scene.simulated]),
        is_free=is_free,
        kinematics=kinematics,
        gravity=np.array(scene.gravity),
        wind=np.array(scene.wind),
    )
    velocities = _per_node(spans, [item.start_velocity for item in scene.simulated])
    return model, State(step=0, positions=positions, velocities=velocities)


def _spans(scene):
    ends = np.cumsum([len(item.positions) for item in scene.simulated])
    starts = [0, *ends[:-1]]
    names = [item.name for item in scene.simulated]
    return tuple(ObjectSpan(*row) for row in zip(names, map(int, starts), map(int, ends), strict=True))


def _kinematics(item, span):
    motion = item.positions[item.pinned] if item.pin_motion is None else item.pin_motion
    return Kinematics((item.pinned + span.first).astype(np.int32), motion)


def _per_node(spans, values):
    counts = [span.end - span.first for span in spans]
    return np.ascontiguousarray(np.repeat(np.array(values, np.float64), counts, axis=0))
