"""Implicit Euler by Projected Newton: a fixed number of iterations on the incremental potential, or to a tolerance."""

import numpy as np

from ..air.air import inertia_in
from ..linear_algebra.errors import NotPositiveDefinite
from ..model import Model
from ..motion import positions_at
from ..state import State
from .line_search import LineSearch
from .newton_settings import NewtonSettings
from .newton_system import Inertia, NewtonSystem


class ProjectedNewton:
    """Moves the state over a time step."""

    def __init__(self, model: Model, positions: np.ndarray):
        self.model = model
        self.settings = NewtonSettings()
        self.system = NewtonSystem(model, positions)
        self.line_search = LineSearch(self.system)
        self.gradient, self.change = self.system.new_unknowns(), self.system.new_unknowns()

    def advance(self, state: State, time_step: float) -> None:
        start = state.positions.copy()
        end_time = (state.step + 1) * time_step
        inertia = self._inertia(state, start, end_time, time_step)
        self._move_given(state, start, end_time, time_step)
        state.positions[:] = start + time_step * state.velocities
        self.system.start_step(state, start, time_step)
        try:
            self._iterate(state, start, inertia, time_step)
        except NotPositiveDefinite as error:  # numbers beyond all bounds: the simulation says which object it was
            state.positions[self.model.body_nodes][error.node] = np.nan
        self._put_given(state, end_time)
        state.step += 1

    def _iterate(self, state, start, inertia, time_step):
        for _ in range(self.settings.most_iterations):
            self.system.linearize(state, inertia, time_step, self.gradient)
            self.system.factorize()
            self.system.solve(self.gradient, self.change)
            if self.settings.tolerance is None:
                self._move(state, start, time_step)
                continue
            self.line_search.move(state, start, self.gradient, self.change, inertia, time_step)
            if time_step * np.abs(self.change.nodes).max() < self.settings.tolerance:
                break

    def _move(self, state, start, time_step):
        """A full step."""
        state.velocities -= self.change.nodes
        state.positions -= time_step * self.change.nodes
        state.twist_velocities -= self.change.twists
        state.twists -= time_step * self.change.twists
        self.system.follow(state, start, time_step)

    def _move_given(self, state, start, end_time, time_step):
        """The velocity that brings nodes with a given motion to the end of the step, and where pins draw to."""
        for nodes, motion in self.model.kinematics:
            if len(nodes):
                state.velocities[nodes] = (positions_at(motion, end_time) - start[nodes]) / time_step
        for law, motion in self.model.moved_tethers:
            law.elements.targets[:] = positions_at(motion, end_time)

    def _put_given(self, state, end_time):
        """To the last bit: x + Δt (x′ − x)/Δt is x′ but for rounding."""
        for nodes, motion in self.model.kinematics:
            if len(nodes):
                state.positions[nodes] = positions_at(motion, end_time)

    def _inertia(self, state, start, end_time, time_step) -> Inertia:
        """Of the nodes in the air; springs to given points are implicit."""
        model = self.model
        air = model.air.at(start, state.velocities, end_time)
        if model.surface_drag:
            rows = model.body_nodes
            model.surface_drag.start_step(start[rows], state.velocities[rows], air.velocities[rows], time_step)
        momentum = model.masses[:, None] * (state.velocities + time_step * model.gravity)
        diagonal, momentum = inertia_in(air, model.masses, model.air_drag, momentum, time_step)
        for nodes, stiffness, motion in model.node_springs:
            diagonal[nodes] += time_step * time_step * stiffness
            momentum[nodes] += time_step * stiffness[:, None] * (positions_at(motion, end_time) - start[nodes])
        return Inertia(diagonal, momentum, model.rods.inertias * state.twist_velocities)
