"""Implicit Euler by Projected Newton: a fixed number of iterations on the incremental potential, or to a tolerance."""

import numpy as np

from ..linear_algebra.errors import NotPositiveDefinite
from ..model import Model
from ..report import FrameReport
from ..state import State
from .line_search import LineSearch
from .newton_settings import NewtonSettings
from .newton_system import NewtonSystem
from .step_start import inertia_of, move_given, put_given


class ProjectedNewton:
    """Moves the state over a time step."""

    def __init__(self, model: Model, positions: np.ndarray):
        self.model = model
        self.settings = NewtonSettings()
        self.system = NewtonSystem(model, positions)
        self.line_search = LineSearch(self.system)
        self.gradient, self.change = self.system.new_unknowns(), self.system.new_unknowns()

    def start_frame(self) -> None:
        """Nothing goes from step to step but the state."""

    def tell(self, report: FrameReport) -> None:
        """Steps without contacts have nothing to tell."""

    def advance(self, state: State, time_step: float) -> None:
        start = state.positions.copy()
        end_time = (state.step + 1) * time_step
        inertia = inertia_of(self.model, state, end_time, time_step)
        move_given(self.model, state, start, end_time, time_step)
        state.positions[:] = start + time_step * state.velocities
        self.system.start_step(state, start, end_time, time_step)
        try:
            self._iterate(state, start, inertia, time_step)
        except NotPositiveDefinite as error:  # numbers beyond all bounds: the simulation says which object it was
            state.positions[self.model.body_nodes][error.node] = np.nan
        put_given(self.model, state, end_time)
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
