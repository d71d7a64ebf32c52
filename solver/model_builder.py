"""From what was asked (Scene) to flat arrays (Model and State)."""

import numpy as np

from .air.air import Air
from .bodies.body_laws import body_laws, surface_drag_of
from .bodies.keyed_stiffness import keyed_stiffness
from .bodies.pins import kinematics_of, moved_tethers_of, node_springs_of
from .bodies.placement import Placed, place
from .bodies.strands import root_directors_of, strands_of
from .errors import Problem, warning_about
from .model import Model
from .rigid.rigid_bodies import NODES, rigid_bodies
from .scene import Scene
from .state import State, new_state


def build(scene: Scene) -> tuple[Model, State, list[Problem]]:
    """The model and the start state of a validated scene, and warnings about its objects."""
    return build_placed(scene, place(scene))


def build_placed(scene: Scene, placed: list[Placed]) -> tuple[Model, State, list[Problem]]:
    """The same, of objects that have their nodes already."""
    masses = np.concatenate([entry.body.masses for entry in placed])
    positions = np.concatenate([entry.body.positions for entry in placed])
    rods, frames, bound_points = strands_of(scene, placed)
    kinematics, moved_tethers = tuple(kinematics_of(placed)), tuple(moved_tethers_of(placed))
    surface_drag = surface_drag_of(placed)
    model = Model(
        spans=tuple(entry.span for entry in placed),
        masses=masses,
        air_drag=_per_node(placed, [entry.item.material.air_drag for entry in placed]),
        is_free=_is_free(len(masses), kinematics, bound_points),
        kinematics=kinematics,
        node_springs=tuple(node_springs_of(placed)),
        moved_tethers=moved_tethers,
        root_directors=tuple(root_directors_of(placed)),
        rods=rods,
        bound_points=bound_points,
        laws=body_laws(scene, placed, moved_tethers, surface_drag),
        gravity=scene.gravity if callable(scene.gravity) else np.array(scene.gravity),
        air=Air(scene),
        surface_drag=surface_drag,
        keyed_stiffness=tuple(keyed_stiffness(scene, placed, rods)),
        rigid=_rigid(placed, positions),
    )
    velocities = _per_node(placed, [entry.item.start_velocity for entry in placed])
    return model, new_state(positions, velocities, frames), _warnings(placed)


def _is_free(node_count, kinematics, bound_points):
    is_free = np.ones(node_count, bool)
    for moved in kinematics:
        is_free[moved.nodes] = False
    if bound_points is not None:
        is_free[bound_points.points] = False
    return is_free


def _rigid(placed, positions):
    firsts = [entry.span.first for entry in placed if entry.body.is_rigid]
    if not firsts:
        return None
    nodes = np.array(firsts, np.int32)[:, None] + np.arange(NODES, dtype=np.int32)
    return rigid_bodies(nodes, positions)


def _per_node(placed, values):
    counts = [entry.span.end - entry.span.first for entry in placed]
    return np.ascontiguousarray(np.repeat(np.array(values, np.float64), counts, axis=0))


def _warnings(placed):
    return [warning_about(entry.item.name, sentence) for entry in placed for sentence in entry.body.warnings]
