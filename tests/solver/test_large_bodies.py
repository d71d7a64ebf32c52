"""Bodies whose factor would take too much memory move as those that have one."""

import numpy as np
import pytest

from stiction.solver import Cloth, Scene, Simulation
from stiction.solver.linear_algebra import block_solver
from stiction.solver.linear_algebra.conjugate_gradient import TOLERANCE, ConjugateGradient

from .conftest import grid


def fallen_sheet():
    scene = Scene()
    scene.add(Cloth("sheet", *grid(9, 7, 0.05), pinned=[0, 8]))
    simulation = Simulation(scene)
    frames = list(simulation.frames(1, 4))
    return simulation, frames[-1].positions["sheet"]


def test_conjugate_gradients_move_a_sheet_as_a_factor_does(monkeypatch):
    _, factored = fallen_sheet()
    monkeypatch.setattr(block_solver, "MOST_FACTOR_BYTES", 0)
    simulation, iterated = fallen_sheet()
    assert isinstance(simulation.integrator.system.bodies.solver, ConjugateGradient)
    motion = np.abs(factored - grid(9, 7, 0.05)[0]).max()
    assert motion > 0.01
    # The residual falls to TOLERANCE; stiff directions leave the solution a thousand times less exact at most.
    assert iterated == pytest.approx(factored, abs=1e3 * TOLERANCE * motion)
