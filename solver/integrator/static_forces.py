"""The forces on what is at rest: what an equilibrium balances (docs/theory/relaxation.md, equation 1)."""

from typing import NamedTuple

import numpy as np

from ..model import Model
from ..motion import positions_at
from ..state import State


class StaticForces(NamedTuple):
    """On what is free to move; zero elsewhere."""

    nodes: np.ndarray  # (n, 3) [N]
    twists: np.ndarray  # about the edges of strands (h,) [N m]


def static_forces(model: Model, state: State, time: float) -> StaticForces:
    """Forces on the nodes at the state's positions at a time [s], were they at rest; the frames are where they are."""
    still = np.zeros_like(state.positions)
    air = model.air.at(state.positions, still, time)
    dragged = (model.air_drag + air.rates)[:, None] * air.velocities
    forces = model.masses[:, None] * (positions_at(model.gravity, time) + air.accelerations + dragged)
    for nodes, stiffness, motion in model.node_springs:
        forces[nodes] += positions_at(stiffness, time)[:, None] * (positions_at(motion, time) - state.positions[nodes])
    torques = _add_strands(model, state, forces)
    _add_bodies(model, state, forces)
    forces[~model.is_free] = 0.0
    torques[~model.rods.is_free_edge] = 0.0
    return StaticForces(forces, torques)


def largest_acceleration(model: Model, forces: StaticForces) -> float:
    """With which a node starts to move [m/s²]; a torque counts as a force at the end of its edge."""
    pushes = np.linalg.norm(forces.nodes, axis=1)
    rows = model.strand_nodes
    pushes[rows] = np.maximum(pushes[rows], np.abs(forces.twists) / model.rods.rest_lengths)
    return float(np.divide(pushes, model.masses, out=np.zeros_like(pushes), where=model.masses > 0.0).max(initial=0.0))


def _add_strands(model, state, forces_out):
    """Returns the torques (h,) [N m]."""
    count = len(model.rods.masses)
    torques = np.zeros(count)
    if not count:
        return torques
    from ..rods.forces import rod_forces  # compiled when there are strands

    elastic = np.zeros((count, 3))
    rod_forces(model.rods, state.frames, state.positions[:count], state.twists, elastic, torques)
    forces_out[:count] += elastic
    if model.bound_points is not None:
        bound, of_bodies = model.bound_points, forces_out[model.body_nodes]
        np.add.at(of_bodies, bound.nodes, bound.weights[:, :, None] * forces_out[bound.points][:, None])
    return torques


def _add_bodies(model, state, forces_out):
    positions, of_bodies = state.positions[model.body_nodes], forces_out[model.body_nodes]
    for law, _ in model.laws:
        count, corners = law.nodes.shape
        gradients, hessians = np.zeros((count, corners, 3)), np.zeros((count, corners, corners, 3, 3))
        law.derivatives(positions, gradients, hessians)
        np.subtract.at(of_bodies, law.nodes, gradients)
