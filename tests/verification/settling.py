"""The state of rest of one object: long steps, converged Newton."""

from dataclasses import replace

from stiction.solver import Scene, Simulation
from tests.verification.closed_forms import GRAVITY


def calmed(material):
    """The same material in an air that stops it soon: where it comes to rest does not depend on that."""
    return replace(material, air_drag=20.0, damping=0.0)


def settle(item, frames, gravity=(0.0, 0.0, -GRAVITY), frames_per_second=2.0, tolerance=1e-9):
    """Positions (n, 3) [m] of an object at rest, and its simulation: implicit Euler damps what moves."""
    scene = Scene(gravity=gravity, frames_per_second=frames_per_second, steps_per_frame=1)
    scene.add(item)
    simulation = Simulation(scene)
    simulation.integrator.settings.tolerance = tolerance
    *_, last = simulation.frames(1, frames)
    return last.positions[item.name], simulation
