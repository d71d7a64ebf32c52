"""The strands' part of the Newton system of a scene."""

import numpy as np

from ..model import Model
from ..motion import positions_at
from ..rods.assembly import RodInertia, RodTrial
from ..rods.dynamics import RodDynamics
from ..rods.transport import transport_frames, turn_root_frames
from ..state import State


class StrandSystem:
    """Strands come first among the nodes."""

    def __init__(self, model: Model):
        self.model = model
        self.rows = model.strand_nodes
        self.dynamics = RodDynamics(model.rods, model.bound_points)

    def start_step(self, state: State, start, time_step: float) -> None:
        self.dynamics.start_step(state.frames, start[self.rows], state.twists, time_step)
        state.twists += time_step * state.twist_velocities

    def carry_frames(self, state: State, end_time: float) -> None:
        """To the points' new positions; roots point where they are told."""
        transport_frames(self.model.rods.offsets, state.positions[self.rows], state.frames, state.frames)
        for strands, motion in self.model.root_directors:
            directors = np.ascontiguousarray(positions_at(motion, end_time))
            turn_root_frames(strands, self.model.rods.offsets, directors, state.frames)

    def linearize(self, state: State, inertia, time_step: float, gradient_out) -> None:
        trial, inertia = self._trial(state), self._inertia(inertia)
        gradients = gradient_out.nodes[self.rows], gradient_out.twists
        self.dynamics.linearize(state.frames, trial, inertia, time_step, *gradients)

    def put_node_blocks(self, blocks_out) -> None:
        """Diagonal blocks of A (n, 3, 3) [kg]."""
        self.dynamics.put_point_blocks(blocks_out)

    def put_weighted(self, weights) -> None:
        self.dynamics.put_weighted(np.ascontiguousarray(weights))

    def solve(self, right, out) -> None:
        self.dynamics.solve(right.nodes[self.rows], right.twists, out.nodes[self.rows], out.twists)

    def potentials(self, state: State, inertia) -> np.ndarray:
        return self.dynamics.potentials(state.frames, self._trial(state), self._inertia(inertia))

    def _trial(self, state):
        return RodTrial(state.positions[self.rows], state.velocities[self.rows], state.twists, state.twist_velocities)

    def _inertia(self, inertia):
        return RodInertia(inertia.diagonal[self.rows], inertia.momentum[self.rows], inertia.twist_momentum)
