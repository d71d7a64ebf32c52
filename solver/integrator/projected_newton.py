"""Implicit Euler by Projected Newton: a fixed number of iterations on the incremental potential.

𝒜(v) = ½ Σ m ‖v − v̂‖² + Ψ(x + Δt v), with v̂ the velocity after gravity and air. Each iteration solves
A δ = −∇𝒜 with A = M + Δt² K + Δt D, the Hessians K of the elements made positive semi-definite.
"""

import numpy as np

from ..model import Model
from ..motion import positions_at
from ..rods.assembly import RodInertia, RodTrial
from ..rods.dynamics import RodDynamics
from ..rods.transport import transport_frames, turn_root_frames
from ..state import State
from .free_motion import advance_free_nodes

MOST_ITERATIONS = 100  # with a tolerance; what has not converged by then is as good as it gets


class ProjectedNewton:
    """Moves the state over a time step; holds the storage of the linear systems between steps."""

    def __init__(self, model: Model, iterations: int = 2, tolerance: float | None = None):
        """With a `tolerance` [m], iterate with a line search until no point moves more than that."""
        self.model = model
        self.iterations = iterations
        self.tolerance = tolerance
        self.rods = RodDynamics(model.rods)

    def advance(self, state: State, time_step: float) -> None:
        start = state.positions.copy()
        end_time = (state.step + 1) * time_step
        strand_nodes = len(self.model.rods.masses)
        before = state.velocities[:strand_nodes].copy()
        advance_free_nodes(self.model, time_step, strand_nodes, state.positions, state.velocities)
        self._move_given(state, start, end_time, time_step)
        if strand_nodes:
            self._advance_strands(state, start, before, end_time, time_step)
        state.step += 1

    def _move_given(self, state, start, end_time, time_step):
        """Nodes with a given motion go to the end of the step, and their velocity tells how."""
        for nodes, motion in self.model.kinematics:
            if len(nodes):
                targets = positions_at(motion, end_time)
                state.velocities[nodes] = (targets - start[nodes]) / time_step
                state.positions[nodes] = targets

    def _advance_strands(self, state, start, before, end_time, time_step):
        count = len(before)
        self.rods.start_step(state.frames, start[:count], state.twists, time_step)
        inertia = self._inertia(before, state.twist_velocities, time_step)
        trial = RodTrial(state.positions[:count], state.velocities[:count], state.twists, state.twist_velocities)
        trial.positions[:] = start[:count] + time_step * trial.velocities
        trial.twists[:] += time_step * trial.twist_velocities
        transport_frames(self.model.rods.offsets, trial.positions, state.frames, state.frames)
        self._turn_roots(state, end_time)
        for _ in range(self.iterations if self.tolerance is None else MOST_ITERATIONS):
            if self.tolerance is None:
                self.rods.iterate(state.frames, trial, inertia, time_step)
            elif self.rods.iterate_with_line_search(state.frames, trial, inertia, time_step) < self.tolerance:
                break
            self._turn_roots(state, end_time)

    def _inertia(self, velocities, twist_velocities, time_step):
        """Drag is implicit: it adds to the mass, and the wind to the momentum."""
        rods, model = self.model.rods, self.model
        count = len(rods.masses)
        drag = (time_step * rods.masses * model.air_drag[:count])[:, None]
        pushed = rods.masses[:, None] * (velocities + time_step * model.gravity) + drag * model.wind
        return RodInertia(rods.masses + drag[:, 0], pushed, rods.inertias * twist_velocities)

    def _turn_roots(self, state, end_time):
        for strands, motion in self.model.root_directors:
            offsets = self.model.rods.offsets[strands[0] : strands[-1] + 2]
            turn_root_frames(offsets, np.ascontiguousarray(positions_at(motion, end_time)), state.frames)
