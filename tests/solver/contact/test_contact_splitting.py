"""Contacts in the ADMM integrator of strands, against Newton's method."""

import numpy as np
import pytest

from stiction.solver import Collider, Hair, HairMaterial, Scene, SceneRefused, Simulation
from tests.solver.contact.colliding import Colliding, box, sheet

POINTS = 16
MATERIAL = HairMaterial(radius=1e-4, bending_modulus=1e8, stretching_modulus=1e8, damping=1e-3)


def tufts(integrator, strands=6, friction=0.3):
    """Strands that stick out of a wall, crossing each other, and fall onto a box."""
    random = np.random.default_rng(1)
    along = np.linspace(0.0, 0.12, POINTS)
    places = np.column_stack([0 * np.arange(strands), np.linspace(-4e-3, 4e-3, strands), 1e-3 * np.arange(strands)])
    turns = random.uniform(-0.15, 0.15, strands)
    directions = np.column_stack([np.cos(turns), np.sin(turns), 0 * turns])
    points = (places[:, None] + along[:, None] * directions[:, None]).reshape(-1, 3)
    held = (POINTS * np.arange(strands)[:, None] + [0, 1]).ravel()
    scene = Scene(contact_method="admm", integrator=integrator)
    scene.add(Hair("hair", points, POINTS * np.arange(strands + 1), pinned=held, material=MATERIAL, friction=friction))
    scene.add(Collider("box", *box((0.04, 0.1, 0.04), (0.08, 0.0, -0.04)), friction=friction, thickness=1e-3))
    return scene


def advanced(integrator, seconds, iterations):
    colliding = Colliding(tufts(integrator), tolerance=1e-8, iterations=iterations)
    reports = colliding.advance(seconds)
    return colliding, reports


def test_strands_come_to_rest_where_newtons_method_lets_them():
    newton, _ = advanced("newton", 1.0, 200)
    splitting, reports = advanced("admm", 1.0, 2000)
    assert reports[-1].contact_count >= 6
    assert newton.crossings() == splitting.crossings() == 0
    lowest = newton.state.positions[:, 2].min()
    assert lowest < -0.01  # they have fallen, as far as the box lets them
    assert splitting.state.positions[:, 2].min() == pytest.approx(lowest, abs=2e-3)
    assert np.abs(splitting.state.velocities).max() < 0.02


def test_cloth_beside_it_is_refused():
    from stiction.solver import Cloth

    scene = tufts("admm")
    scene.add(Cloth("scarf", *sheet(5, 0.1, 0.3)))
    with pytest.raises(SceneRefused, match='cloth "scarf" is simulated too'):
        Simulation(scene)


def test_an_integrator_that_does_not_exist_is_refused():
    with pytest.raises(SceneRefused, match='no integrator "leapfrog"'):
        Simulation(tufts("leapfrog"))
