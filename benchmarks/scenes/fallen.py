"""Scenes of solids when their bodies lie on each other: made once in longer steps, then stored."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from stiction.solver import Scene
from stiction.solver.scene import MIXED
from stiction.solver.state import State

from .solids import solid_simulation
from .stored_run import FOLDER

# What is asked of steps by conjugate residuals, which only lead to where others go on: of the dynamics, relative to the
# momentum, and of contacts [m]. The scenes' own would take ten times the iterations.
TOLERANCE, DISTANCE = 1e-3, 2.5e-5


def fallen(name: str, build: Callable[[float], Scene], seconds: float, long_step: float, time_step: float) -> State:
    """The state after some seconds, for a scene that goes on in steps of `time_step` [s].

    It is made in long steps [s], by the scene's own method.
    """
    path = FOLDER / "fallen" / f"{name}.npz"
    if not path.exists():
        _store(path, _fall(build(long_step), round(seconds / long_step)))
    with np.load(path, allow_pickle=False) as stored:
        arrays = {field: stored[field] for field in stored.files}
    arrays["impulses"] *= time_step / long_step  # forces stay as they are
    return State(round(seconds / time_step), **arrays)


def _fall(scene, steps):
    simulation = solid_simulation(scene)
    if scene.contact_method == MIXED:
        settings = simulation.integrator.solver.settings
        settings.tolerance, settings.distance = TOLERANCE, DISTANCE
    for _ in range(steps):
        simulation.advance()
    return simulation.state


def _store(path: Path, state: State) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"unfinished_{path.name}")
    np.savez(unfinished, **state.arrays())
    unfinished.replace(path)
