"""What every integrator does with a step: where inertia and air would take the nodes, and what is given of them."""

import numpy as np

from ..air.air import inertia_in
from ..model import Model
from ..motion import positions_at
from ..state import State
from .newton_system import Inertia


def inertia_of(model: Model, state: State, end_time: float, time_step: float) -> Inertia:
    """Of the nodes in the air, in a step from the state; springs to given points are implicit."""
    start = state.positions
    air = model.air.at(start, state.velocities, end_time)
    if model.surface_drag:
        rows = model.body_nodes
        model.surface_drag.start_step(start[rows], state.velocities[rows], air.velocities[rows], time_step)
    momentum = model.masses[:, None] * (state.velocities + time_step * positions_at(model.gravity, end_time))
    diagonal, momentum = inertia_in(air, model.masses, model.air_drag, momentum, time_step)
    for nodes, stiffness, motion in model.node_springs:
        firmness = positions_at(stiffness, end_time)
        diagonal[nodes] += time_step * time_step * firmness
        momentum[nodes] += time_step * firmness[:, None] * (positions_at(motion, end_time) - start[nodes])
    return Inertia(diagonal, momentum, model.rods.inertias * state.twist_velocities)


def move_given(model: Model, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
    """The velocity that brings nodes with a given motion to the end of the step, where pins draw to, and stiffness."""
    for nodes, motion in model.kinematics:
        if len(nodes):
            state.velocities[nodes] = (positions_at(motion, end_time) - start[nodes]) / time_step
    for law, stiffness, motion in model.moved_tethers:
        law.elements.stiffness[:] = positions_at(stiffness, end_time)
        law.elements.targets[:] = positions_at(motion, end_time)
    for rows, at_start, ratio in model.keyed_stiffness:
        rows[:] = at_start * ratio(end_time)


def put_given(model: Model, state: State, end_time: float) -> None:
    """To the last bit: x + Δt (x′ − x)/Δt is x′ but for rounding."""
    for nodes, motion in model.kinematics:
        if len(nodes):
            state.positions[nodes] = positions_at(motion, end_time)
