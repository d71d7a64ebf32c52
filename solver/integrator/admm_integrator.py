"""Implicit Euler by the alternating direction method of multipliers, for grooms of millions of points.

Strands take many cheap iterations, without a Newton system and with their twist always in equilibrium
(docs/theory/relaxation.md, 3 to 10). Bodies of elements move before them, by Projected Newton; strands that they carry
follow, and do not pull on them.
"""

from dataclasses import dataclass

import numpy as np

from ..model import Model
from ..motion import positions_at
from ..report import FrameReport
from ..rods.rigid_guess import carried_rigidly
from ..rods.splitting import StrandSplitting
from ..rods.transport import transport_frames, turn_root_frames
from ..state import State
from .newton_settings import NewtonSettings
from .newton_system import Inertia
from .projected_newton import ProjectedNewton
from .scene_parts import body_part, body_state, strand_part, strand_state
from .step_start import inertia_of, move_given, put_given

MOST_STRAIN = 0.2  # of an edge in the first guess; a strand that would be strained more starts from where it was


@dataclass
class AdmmSettings(NewtonSettings):
    """With a tolerance it iterates until no point moves more than that from one iteration to the next [m]."""

    iterations: int = 30
    most_with_tolerance: int = 1000

    @property
    def most_iterations(self) -> int:
        return self.iterations if self.tolerance is None else self.most_with_tolerance


class AdmmIntegrator:
    """Moves the state over a time step."""

    def __init__(self, model: Model, positions: np.ndarray):
        self.model = model
        self.settings = AdmmSettings()
        self.body_positions = positions[model.body_nodes]
        self.bodies = ProjectedNewton(body_part(model), self.body_positions) if model.laws else None
        self.strands = None
        if model.strand_nodes.stop:
            self.strands = AdmmStrands(strand_part(model, lambda: self.body_positions), self.settings)

    def start_frame(self) -> None:
        """Nothing goes from step to step but the state."""

    def tell(self, report: FrameReport) -> None:
        """Steps without contacts have nothing to tell."""

    def advance(self, state: State, time_step: float) -> None:
        if self.bodies:
            self.bodies.settings.tolerance = self.settings.tolerance
            self.bodies.advance(body_state(self.model, state), time_step)
            self.body_positions = state.positions[self.model.body_nodes]
        if self.strands:
            self.strands.advance(strand_state(self.model, state), time_step)
        state.step += 1


class AdmmStrands:
    """Strands alone."""

    def __init__(self, model: Model, settings: AdmmSettings | None = None):
        self.model = model
        self.settings = settings or AdmmSettings()
        self.splitting = StrandSplitting(model.rods)
        self.history: list[float] = []  # largest motion in each iteration of the last step [m]

    def advance(self, state: State, time_step: float) -> None:
        start, end_time = state.positions.copy(), (state.step + 1) * time_step
        inertia = inertia_of(self.model, state, end_time, time_step)
        move_given(self.model, state, start, end_time, time_step)
        state.positions[:] = start + time_step * state.velocities
        targets = self.start_step(state, start, inertia, end_time, time_step)
        self._iterate_splitting(state, targets)
        put_given(self.model, state, end_time)
        state.velocities[:] = (state.positions - start) / time_step
        state.twist_velocities[:] = 0.0
        state.step += 1

    def start_step(self, state: State, start: np.ndarray, inertia: Inertia, end_time: float, time_step: float):
        """Where inertia draws the points to (n, 3) [m], from `start`, where the frames are; the state has coasted."""
        targets = start + time_step * inertia.momentum / inertia.diagonal[:, None]
        stiffness = inertia.diagonal / time_step**2
        state.positions[:] = self._guess(start, state.positions)
        loads = stiffness * np.linalg.norm(targets - state.positions, axis=1) * self.model.is_free
        self.splitting.start_step(state.frames, start, state.twists, stiffness, loads, time_step)
        self.follow(state, end_time)
        return targets

    def _guess(self, start, coasted):
        """Where the points would coast; those of strands that this would strain go with what is given of them."""
        rods = self.model.rods
        is_usable = _is_usable(rods, coasted) | ~self.model.is_free
        return np.where(is_usable[:, None], coasted, carried_rigidly(rods, start, coasted))

    def follow(self, state: State, end_time: float) -> None:
        """Frames follow the points, roots point where they are told, and twists find their equilibrium."""
        rods = self.model.rods
        transport_frames(rods.offsets, state.positions, state.frames, state.frames)
        for strands, motion in self.model.root_directors:
            directors = np.ascontiguousarray(positions_at(motion, end_time))
            turn_root_frames(strands, rods.offsets, directors, state.frames)
        self.splitting.settle_twists(state.frames, state.positions, state.twists)

    def _iterate_splitting(self, state, targets):
        self.history = []
        for _ in range(self.settings.most_iterations):
            motion = self.splitting.iterate(state.frames, targets, state.positions, state.twists)
            self.history.append(motion)
            if self.settings.tolerance is not None and motion < self.settings.tolerance:
                break


def _is_usable(rods, guess):
    """Points (n,) of strands that a first guess does not stretch or compress much."""
    lengths = np.linalg.norm(np.diff(guess, axis=0, append=guess[-1:]), axis=1)
    strains = np.abs(lengths / rods.rest_lengths - 1.0)
    strains[rods.offsets[1:] - 1] = 0.0
    return np.repeat(np.maximum.reduceat(strains, rods.offsets[:-1]) < MOST_STRAIN, np.diff(rods.offsets))
