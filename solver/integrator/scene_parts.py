"""A model and its state in two parts, strands and bodies, for integrators that move one after the other."""

from collections.abc import Callable

import numpy as np

from ..model import Kinematics, Model, RootDirectors
from ..rods.bound_points import bound_directors, bound_positions
from ..rods.rods import NO_FRAMES, NO_RODS
from ..state import State, new_state


def strand_part(model: Model, body_positions: Callable[[], np.ndarray]) -> Model:
    """The strands alone; those that bodies carry are given to follow nodes at `body_positions` () (m, 3) [m]."""
    part = _rows_of(model, model.strand_nodes)._replace(laws=(), moved_tethers=(), surface_drag=None, bound_points=None)
    bound = model.bound_points
    if bound is None:
        return part
    carried = Kinematics(bound.points, lambda time: bound_positions(bound, body_positions()))
    turned = RootDirectors(bound.strands, lambda time: bound_directors(bound, body_positions()))
    return part._replace(
        kinematics=(*part.kinematics, carried),
        root_directors=(*part.root_directors, turned),
    )


def body_part(model: Model) -> Model:
    """The bodies alone, as if they carried no strands."""
    part = _rows_of(model, model.body_nodes)
    return part._replace(rods=NO_RODS, root_directors=(), bound_points=None)


def strand_state(model: Model, state: State) -> State:
    """The strands' part of a state; its arrays are those of the state."""
    rows = model.strand_nodes
    angles = state.twists, state.twist_velocities
    return State(
        state.step, state.positions[rows], state.velocities[rows], *angles, *state.frames, state.impulses[rows]
    )


def body_state(model: Model, state: State) -> State:
    """The bodies' part of a state; its arrays are those of the state."""
    part = new_state(state.positions[model.body_nodes], state.velocities[model.body_nodes], NO_FRAMES)
    part.step = state.step
    return part


def _rows_of(model, rows):
    return model._replace(
        spans=tuple(span for span in model.spans if rows.start <= span.first < rows.stop),
        masses=model.masses[rows],
        air_drag=model.air_drag[rows],
        is_free=model.is_free[rows],
        kinematics=_nodes_of(model.kinematics, rows),
        node_springs=_nodes_of(model.node_springs, rows),
    )


def _nodes_of(items, rows):
    """Those of an object in these rows, numbered from their start."""
    kept = (item for item in items if len(item.nodes) and rows.start <= item.nodes[0] < rows.stop)
    return tuple(item._replace(nodes=item.nodes - np.int32(rows.start)) for item in kept)
