"""Relaxation ends in equilibrium."""

import numpy as np
import pytest

from stiction.solver import Cloth, Hair, HairMaterial, Scene, Simulation
from stiction.solver.integrator.relaxation import relax

from .conftest import grid


def test_a_rope_between_two_pins_hangs_as_a_catenary():
    """y = a cosh((x − ½)/a) − a cosh(1/(2 a)) for a limp rope of given length over a span of 1 m."""
    count, a = 41, 0.6
    s = np.linspace(-1, 1, count) * a * np.sinh(0.5 / a)  # arc length from the middle, equal segments
    exact = np.column_stack([0.5 + a * np.arcsinh(s / a), np.zeros(count), np.sqrt(a**2 + s**2) - a * np.cosh(0.5 / a)])
    start = exact * [1.0, 1.0, 0.2]
    scene = Scene()
    limp = HairMaterial(radius=2e-3, bending_modulus=1.0, stretching_modulus=1e9)
    scene.add(Hair("rope", start, [0, count], pinned=[0, count - 1], rest_positions=exact, material=limp))
    simulation = Simulation(scene)
    report = relax(simulation.model, simulation.state)
    assert report.is_at_rest
    assert simulation.state.positions == pytest.approx(exact, abs=2e-3)


def test_a_sheet_comes_to_rest_and_stays():
    scene = Scene()
    scene.add(Cloth("sheet", *grid(), pinned=[0, 4, 15, 19]))
    simulation = Simulation(scene)
    report = relax(simulation.model, simulation.state)
    assert report.is_at_rest and report.motion > 1e-3
    relaxed = simulation.state.positions.copy()
    simulation.state.velocities[:] = 0.0
    list(simulation.frames(1, 7))
    assert np.abs(simulation.state.positions - relaxed).max() < 1e-4
