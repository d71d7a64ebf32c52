"""The strands' part of a time step."""

import numpy as np

from ..model import Model
from ..motion import positions_at
from ..rods.assembly import RodInertia, RodTrial
from ..rods.dynamics import RodDynamics
from ..rods.transport import transport_frames, turn_root_frames
from ..state import State
from .newton_settings import NewtonSettings


class StrandSteps:
    """Moves all strands over a step, whose first guess is in the state."""

    def __init__(self, model: Model):
        self.model = model
        self.dynamics = RodDynamics(model.rods)

    def advance(self, state: State, start, inertia, time_step: float, settings: NewtonSettings) -> None:
        """`start` (n, 3) are the positions where the step begins; `inertia` is that of all nodes."""
        rods, count = self.model.rods, len(self.model.rods.masses)
        self.dynamics.start_step(state.frames, start[:count], state.twists, time_step)
        inertia = RodInertia(inertia[0][:count], inertia[1][:count], rods.inertias * state.twist_velocities)
        trial = RodTrial(state.positions[:count], state.velocities[:count], state.twists, state.twist_velocities)
        trial.twists[:] += time_step * trial.twist_velocities
        transport_frames(rods.offsets, trial.positions, state.frames, state.frames)
        end_time = (state.step + 1) * time_step
        self._turn_roots(state, end_time)
        for _ in range(settings.most_iterations):
            if settings.tolerance is None:
                self.dynamics.iterate(state.frames, trial, inertia, time_step)
            elif self.dynamics.iterate_with_line_search(state.frames, trial, inertia, time_step) < settings.tolerance:
                break
            self._turn_roots(state, end_time)

    def _turn_roots(self, state, end_time):
        for strands, motion in self.model.root_directors:
            offsets = self.model.rods.offsets[strands[0] : strands[-1] + 2]
            turn_root_frames(offsets, np.ascontiguousarray(positions_at(motion, end_time)), state.frames)
