"""Static equilibrium by pseudo-time: steps of implicit Euler from rest, each longer than the one before.

From rest a step of any length lowers the potential, and the inertia that holds it back falls with the square of its
length: short steps follow the motion, long ones are Newton's method on the equilibrium (docs/theory/relaxation.md, 2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ..air.air import Air
from ..model import Model
from ..motion import positions_at
from ..state import State
from .newton_settings import NewtonSettings
from .projected_newton import ProjectedNewton
from .static_forces import largest_acceleration, static_forces


@dataclass
class RelaxationSettings:
    acceleration: float = 1e-4  # at rest is what would start with less            [m/s²]
    motion: float = 1e-7  # or what goes no farther in the longest step            [m]
    newton_tolerance: float = 1e-9  # of the last steps                            [m]
    share_of_motion: float = 1e-3  # tolerance of the others, over the motion of the step before
    first_step: float = 0.01  # [s]
    growth: float = 2.0  # of a step over the one before
    longest_step: float = 100.0  # [s]
    most_steps: int = 200


class RelaxationReport(NamedTuple):
    is_at_rest: bool
    steps: int
    acceleration: float  # largest with which a free node would start to move      [m/s²]
    motion: float  # largest way that a node went, all in all                      [m]


class Integrator(Protocol):
    settings: NewtonSettings

    def advance(self, state: State, time_step: float) -> None: ...


def relax(
    model: Model,
    state: State,
    time: float = 0.0,
    settings: RelaxationSettings | None = None,
    make_integrator: Callable[[Model, np.ndarray], Integrator] = ProjectedNewton,
    before_step: Callable[[int], None] = lambda steps_done: None,
) -> RelaxationReport:
    """Bring the state to rest, in place, with pins, roots and air as they are at a time [s]; its step count stays.

    What `before_step` raises ends it. What flies apart is given back as it is.
    """
    settings = settings or RelaxationSettings()
    still = still_model(model, time)
    integrator = make_integrator(still, state.positions)
    tolerance = settings.newton_tolerance
    start, step_count = state.positions.copy(), state.step
    time_step, steps = settings.first_step, 0
    _stop(state)
    acceleration = largest_acceleration(still, static_forces(still, state, time))
    is_at_rest = acceleration <= settings.acceleration
    while not is_at_rest and steps < settings.most_steps and np.isfinite(acceleration):
        before_step(steps)
        before = state.positions.copy()
        integrator.settings.tolerance = tolerance
        integrator.advance(state, time_step)
        _stop(state)
        acceleration = largest_acceleration(still, static_forces(still, state, time))
        motion = _largest_motion(before, state)
        is_exact = time_step == settings.longest_step and tolerance == settings.newton_tolerance
        is_at_rest = acceleration <= settings.acceleration or (is_exact and motion <= settings.motion)
        tolerance = max(settings.newton_tolerance, settings.share_of_motion * motion)
        time_step = min(settings.growth * time_step, settings.longest_step)
        steps += 1
    state.step = step_count
    return RelaxationReport(is_at_rest, steps, acceleration, _largest_motion(start, state))


def _largest_motion(before, state):
    return float(np.linalg.norm(state.positions - before, axis=1).max(initial=0.0))


def still_model(model: Model, time: float) -> Model:
    """The model with all given motion as it is at a time [s], and without damping: an equilibrium knows none."""
    return model._replace(
        kinematics=tuple(item._replace(motion=positions_at(item.motion, time)) for item in model.kinematics),
        node_springs=tuple(_still_springs(item, time) for item in model.node_springs),
        moved_tethers=tuple(_still_springs(item, time) for item in model.moved_tethers),
        root_directors=tuple(item._replace(motion=positions_at(item.motion, time)) for item in model.root_directors),
        rods=model.rods._replace(damping=np.zeros_like(model.rods.damping)),
        laws=tuple(item._replace(damping=0.0) for item in model.laws),
        gravity=positions_at(model.gravity, time),
        keyed_stiffness=(),
        air=_StillAir(model.air, time),
    )


def _still_springs(springs, time):
    return springs._replace(stiffness=positions_at(springs.stiffness, time), motion=positions_at(springs.motion, time))


class _StillAir(Air):
    """The air of one moment."""

    def __init__(self, air, time):
        self.air, self.time = air, time

    def at(self, positions, velocities, time):
        return self.air.at(positions, velocities, self.time)


def _stop(state):
    state.velocities[:] = 0.0
    state.twist_velocities[:] = 0.0
