"""Implicit Euler by Projected Newton: a fixed number of iterations on the incremental potential.

𝒜(v) = ½ Σ m ‖v − v̂‖² + Ψ(x + Δt v), with v̂ the velocity after gravity and air. Each iteration solves
A δ = −∇𝒜 with A = M + Δt² K + Δt D, the Hessians K of the elements made positive semi-definite. Bodies do
not touch each other here, so each is solved by itself.
"""

import numpy as np

from ..linear_algebra.sparse_cholesky import NotPositiveDefinite
from ..model import Model
from ..motion import positions_at
from ..rods.assembly import RodInertia, RodTrial
from ..rods.dynamics import RodDynamics
from ..rods.transport import transport_frames, turn_root_frames
from ..state import State
from .element_dynamics import ElementDynamics

MOST_ITERATIONS = 100  # with a tolerance; what has not converged by then is as good as it gets


class ProjectedNewton:
    """Moves the state over a time step; holds the storage of the linear systems between steps."""

    def __init__(self, model: Model, positions: np.ndarray, iterations: int = 2, tolerance: float | None = None):
        """With a `tolerance` [m], iterate with a line search until no point moves more than that."""
        self.model = model
        self.iterations = iterations
        self.tolerance = tolerance
        self.rods = RodDynamics(model.rods)
        self.bodies = [
            ElementDynamics(
                body.laws, positions[body.first : body.end], model.is_free[body.first : body.end], body.damping
            )
            for body in model.bodies
        ]
        self.is_loose = _is_loose(model)

    def advance(self, state: State, time_step: float) -> None:
        start = state.positions.copy()
        end_time = (state.step + 1) * time_step
        inertia = self._inertia(state.velocities, time_step)
        state.velocities[self.is_loose] = (inertia[1] / inertia[0][:, None])[self.is_loose]
        self._move_given(state, start, end_time, time_step)
        state.positions[:] = start + time_step * state.velocities
        if len(self.model.rods.masses):
            self._advance_strands(state, start, inertia, end_time, time_step)
        for body, dynamics in zip(self.model.bodies, self.bodies, strict=True):
            self._advance_body(dynamics, state, slice(body.first, body.end), inertia, time_step)
        self._put_given(state, end_time)
        state.step += 1

    def _move_given(self, state, start, end_time, time_step):
        """The velocity that brings nodes with a given motion to the end of the step."""
        for nodes, motion in self.model.kinematics:
            if len(nodes):
                targets = positions_at(motion, end_time)
                state.velocities[nodes] = (targets - start[nodes]) / time_step

    def _put_given(self, state, end_time):
        """To the last bit: x + Δt (x′ − x)/Δt is x′ but for rounding."""
        for nodes, motion in self.model.kinematics:
            if len(nodes):
                state.positions[nodes] = positions_at(motion, end_time)

    def _inertia(self, velocities, time_step):
        """Diagonal (n,) and momentum (n, 3). Drag is implicit: it adds to the mass, and the wind to the momentum."""
        model = self.model
        drag = time_step * model.masses * model.air_drag
        pushed = model.masses[:, None] * (velocities + time_step * model.gravity) + drag[:, None] * model.wind
        return model.masses + drag, pushed

    def _advance_strands(self, state, start, inertia, end_time, time_step):
        count = len(self.model.rods.masses)
        self.rods.start_step(state.frames, start[:count], state.twists, time_step)
        spin = self.model.rods.inertias * state.twist_velocities
        inertia = RodInertia(inertia[0][:count], inertia[1][:count], spin)
        trial = RodTrial(state.positions[:count], state.velocities[:count], state.twists, state.twist_velocities)
        trial.twists[:] += time_step * trial.twist_velocities
        transport_frames(self.model.rods.offsets, trial.positions, state.frames, state.frames)
        self._turn_roots(state, end_time)
        for _ in range(self._most_iterations):
            if self.tolerance is None:
                self.rods.iterate(state.frames, trial, inertia, time_step)
            elif self.rods.iterate_with_line_search(state.frames, trial, inertia, time_step) < self.tolerance:
                break
            self._turn_roots(state, end_time)

    def _advance_body(self, dynamics, state, rows, inertia, time_step):
        positions, velocities = state.positions[rows], state.velocities[rows]
        inertia = inertia[0][rows], inertia[1][rows]
        try:
            dynamics.start_step(positions)
            for _ in range(self._most_iterations):
                if self.tolerance is None:
                    dynamics.iterate(positions, velocities, inertia, time_step)
                elif dynamics.iterate_with_line_search(positions, velocities, inertia, time_step) < self.tolerance:
                    break
        except NotPositiveDefinite:
            positions[:] = np.nan  # numbers beyond all bounds: the simulation says which object it was

    @property
    def _most_iterations(self):
        return self.iterations if self.tolerance is None else MOST_ITERATIONS

    def _turn_roots(self, state, end_time):
        for strands, motion in self.model.root_directors:
            offsets = self.model.rods.offsets[strands[0] : strands[-1] + 2]
            turn_root_frames(offsets, np.ascontiguousarray(positions_at(motion, end_time)), state.frames)


def _is_loose(model):
    """Nodes without elasticity: only inertia, gravity and air move them."""
    is_loose = np.ones(len(model.masses), bool)
    is_loose[: len(model.rods.masses)] = False
    for body in model.bodies:
        is_loose[body.first : body.end] = False
    return is_loose
