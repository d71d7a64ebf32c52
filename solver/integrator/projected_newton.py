"""Implicit Euler by Projected Newton: a fixed number of iterations on the incremental potential.

𝒜(v) = ½ Σ m ‖v − v̂‖² + Ψ(x + Δt v), with v̂ the velocity after gravity and air. Each iteration solves
A δ = −∇𝒜 with A = M + Δt² K + Δt D, the Hessians K of the elements made positive semi-definite. Bodies do
not touch each other here, so each is solved by itself.

Strands and bodies of elements are imported when there are some: compiling their kernels takes a while.
"""

import numpy as np

from ..model import Model
from ..motion import positions_at
from ..state import State
from .newton_settings import NewtonSettings


class ProjectedNewton:
    """Moves the state over a time step; holds the storage of the linear systems between steps."""

    def __init__(self, model: Model, positions: np.ndarray):
        self.model = model
        self.settings = NewtonSettings()
        self.strands = _strand_steps(model)
        self.bodies = _body_steps(model, positions)
        self.is_loose = _is_loose(model)

    def advance(self, state: State, time_step: float) -> None:
        start = state.positions.copy()
        end_time = (state.step + 1) * time_step
        inertia = self._inertia(state.velocities, time_step)
        state.velocities[self.is_loose] = (inertia[1] / inertia[0][:, None])[self.is_loose]
        self._move_given(state, start, end_time, time_step)
        state.positions[:] = start + time_step * state.velocities
        if self.strands:
            self.strands.advance(state, start, inertia, time_step, self.settings)
        for body in self.bodies:
            body.advance(state, inertia, time_step, self.settings)
        self._put_given(state, end_time)
        state.step += 1

    def _move_given(self, state, start, end_time, time_step):
        """The velocity that brings nodes with a given motion to the end of the step."""
        for nodes, motion in self.model.kinematics:
            if len(nodes):
                state.velocities[nodes] = (positions_at(motion, end_time) - start[nodes]) / time_step

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


def _strand_steps(model):
    if not len(model.rods.masses):
        return None
    from .strand_steps import StrandSteps

    return StrandSteps(model)


def _body_steps(model, positions):
    if not model.bodies:
        return []
    from .body_steps import BodySteps

    return [BodySteps(body, positions, model.is_free) for body in model.bodies]


def _is_loose(model):
    """Nodes without elasticity: only inertia, gravity and air move them."""
    is_loose = np.ones(len(model.masses), bool)
    is_loose[: len(model.rods.masses)] = False
    for body in model.bodies:
        is_loose[body.first : body.end] = False
    return is_loose
