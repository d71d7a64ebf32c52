"""The part of a time step that belongs to one body of elements."""

import numpy as np

from ..linear_algebra.sparse_cholesky import NotPositiveDefinite
from ..model import ElementBody
from ..state import State
from .element_dynamics import ElementDynamics
from .newton_settings import NewtonSettings


class BodySteps:
    """Moves one body over a step, whose first guess is in the state."""

    def __init__(self, body: ElementBody, positions: np.ndarray, is_free: np.ndarray):
        self.rows = slice(body.first, body.end)
        self.dynamics = ElementDynamics(body.laws, positions[self.rows], is_free[self.rows], body.damping)

    def advance(self, state: State, inertia, time_step: float, settings: NewtonSettings) -> None:
        positions, velocities = state.positions[self.rows], state.velocities[self.rows]
        inertia = inertia[0][self.rows], inertia[1][self.rows]
        try:
            self._iterate(positions, velocities, inertia, time_step, settings)
        except NotPositiveDefinite:
            positions[:] = np.nan  # numbers beyond all bounds: the simulation says which object it was

    def _iterate(self, positions, velocities, inertia, time_step, settings):
        self.dynamics.start_step(positions)
        for _ in range(settings.most_iterations):
            if settings.tolerance is None:
                self.dynamics.iterate(positions, velocities, inertia, time_step)
            elif self.dynamics.iterate_with_line_search(positions, velocities, inertia, time_step) < settings.tolerance:
                break
