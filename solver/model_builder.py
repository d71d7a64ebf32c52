"""From what was asked (Scene) to flat arrays (Model and State)."""

import numpy as np

from .masses import node_masses
from .model import ElementBody, Kinematics, Model, ObjectSpan, RootDirectors
from .rods.rods import NO_FRAMES, NO_RODS
from .scene import Cloth, Hair, Scene
from .state import State, new_state


def build(scene: Scene) -> tuple[Model, State]:
    """The model and the start state of a validated scene."""
    items = sorted(scene.simulated, key=lambda item: not isinstance(item, Hair))  # strands first, else as they come
    hairs = [item for item in items if isinstance(item, Hair)]
    spans = _spans(items)
    kinematics = tuple(_kinematics(item, span) for item, span in zip(items, spans, strict=True))
    positions = np.concatenate([item.positions for item in items])
    masses = np.concatenate([node_masses(item) for item in items])
    rods, frames = _rods(hairs, masses)
    model = Model(
        spans=spans,
        masses=masses,
        air_drag=_per_node(spans, [item.material.air_drag for item in items]),
        is_free=_is_free(len(positions), kinematics),
        kinematics=kinematics,
        root_directors=tuple(_root_directors(hairs)),
        rods=rods,
        bodies=tuple(_bodies(items, spans)),
        gravity=np.array(scene.gravity),
        wind=np.array(scene.wind),
    )
    velocities = _per_node(spans, [item.start_velocity for item in items])
    return model, new_state(positions, velocities, frames)


def _spans(items):
    ends = np.cumsum([len(item.positions) for item in items])
    starts = [0, *ends[:-1]]
    names = [item.name for item in items]
    return tuple(ObjectSpan(*row) for row in zip(names, map(int, starts), map(int, ends), strict=True))


def _kinematics(item, span):
    motion = item.positions[item.pinned] if item.pin_motion is None else item.pin_motion
    return Kinematics((item.pinned + span.first).astype(np.int32), motion)


def _rods(hairs, masses):
    """Imported when there are strands: compiling the kernels takes a while."""
    if not hairs:
        return NO_RODS, NO_FRAMES
    from .rods.build import build_rods

    return build_rods(hairs, masses)


def _bodies(items, spans):
    for item, span in zip(items, spans, strict=True):
        if isinstance(item, Cloth):
            from .energies.cloth_laws import cloth_laws

            yield ElementBody(span.first, span.end, tuple(cloth_laws(item)), item.material.damping)


def _is_free(node_count, kinematics):
    is_free = np.ones(node_count, bool)
    for moved in kinematics:
        is_free[moved.nodes] = False
    return is_free


def _root_directors(hairs):
    first = 0
    for hair in hairs:
        count = len(hair.strand_offsets) - 1
        if hair.root_directors is not None:
            yield RootDirectors(np.arange(first, first + count, dtype=np.int32), hair.root_directors)
        first += count


def _per_node(spans, values):
    counts = [span.end - span.first for span in spans]
    return np.ascontiguousarray(np.repeat(np.array(values, np.float64), counts, axis=0))
