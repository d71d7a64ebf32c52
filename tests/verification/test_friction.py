"""Coulomb friction against its closed forms."""

import numpy as np
import pytest

from stiction.solver import (
    Cloth,
    ClothMaterial,
    Collider,
    Hair,
    HairMaterial,
    RigidBody,
    RigidMaterial,
    Scene,
    SoftBody,
    SolidMaterial,
)

from ..solver.contact.colliding import Colliding, box, sheet

GRAVITY = 9.81
THICKNESS = 1e-3  # of all surfaces [m]
DURATION = 0.5  # [s]
TOLERANCE = 1e-9  # of the solver here [m]


def airless(material, **settings):
    """No drag: closed forms know none."""
    drags = {"air_drag": 0.0} | ({"normal_drag": 0.0} if hasattr(material, "normal_drag") else {})
    return material(**drags, **settings)


def block(kind, friction):
    """Something that lies on the floor at height zero."""
    contact = {"friction": friction, "thickness": THICKNESS}
    if kind == "rigid":
        return RigidBody("block", *box(0.1, (0, 0, 0.05 + THICKNESS)), material=airless(RigidMaterial), **contact)
    if kind == "soft":
        stiff = airless(SolidMaterial, youngs_modulus=1e6)
        return SoftBody("block", *box(0.1, (0, 0, 0.05 + THICKNESS)), resolution=3, material=stiff, **contact)
    if kind == "cloth":
        return Cloth("block", *sheet(5, 0.1, THICKNESS), material=airless(ClothMaterial), **contact)
    strand = np.linspace([0, 0, THICKNESS], [0.1, 0, THICKNESS], 8)
    points = np.concatenate([strand + [0, 0.02 * row, 0] for row in range(4)])
    return Hair("block", points, np.arange(5) * 8, material=airless(HairMaterial, radius=THICKNESS / 2), **contact)


def incline(item, friction, degrees, speed=0.0):
    """A scene whose floor stays level, and gravity tilts."""
    angle = np.radians(degrees)
    scene = Scene(gravity=(GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle)))
    scene.add(Collider("floor", *box((40.0, 40.0, 1.0), (0, 0, -0.5)), friction=friction, thickness=THICKNESS))
    item.start_velocity = (speed, 0.0, 0.0)
    scene.add(item)
    return scene


def on_incline(kind, friction, degrees, speed=0.0):
    """Solved to the end."""
    return Colliding(incline(block(kind, friction), friction, degrees, speed), tolerance=TOLERANCE, iterations=400)


def slid(colliding, seconds):
    """How far the middle went along the slope, and how fast it goes."""
    start = colliding.state.positions.mean(axis=0)[0]
    colliding.advance(seconds)
    assert colliding.crossings() == 0
    return colliding.state.positions.mean(axis=0)[0] - start, colliding.state.velocities.mean(axis=0)[0]


@pytest.mark.parametrize("friction", [0.2, 0.5])
@pytest.mark.parametrize("kind", ["rigid", "cloth", "hair"])
def test_a_block_rests_below_the_angle_of_friction_and_slides_above(kind, friction):
    """To within 0.2° of atan μ; at rest it drifts by the solver's tolerance a step, no more."""
    limit = np.degrees(np.arctan(friction))
    steps = round(DURATION / Scene().time_step)
    rest, _ = slid(on_incline(kind, friction, limit - 0.2), DURATION)
    assert abs(rest) < steps * 1e-8
    way, speed = slid(on_incline(kind, friction, limit + 0.2), DURATION)
    angle = np.radians(limit + 0.2)
    acceleration = GRAVITY * (np.sin(angle) - friction * np.cos(angle))
    # First order in the step; the first steps may hold on to what they have not found to slide yet.
    missed = 2.0 * acceleration * Scene().time_step
    assert speed == pytest.approx(acceleration * DURATION, abs=missed)
    assert way == pytest.approx(0.5 * acceleration * DURATION**2, abs=missed * DURATION)


@pytest.mark.slow
def test_a_soft_block_rests_below_the_angle_of_friction_and_slides_above():
    """It shears and rocks before it settles, so that it is only asked where it comes to rest."""
    limit = np.degrees(np.arctan(0.3))
    resting, sliding = on_incline("soft", 0.3, limit - 0.2), on_incline("soft", 0.3, limit + 2.0)
    slid(resting, 1.0)
    assert abs(slid(resting, 0.25)[1]) < 1e-5
    angle = np.radians(limit + 2.0)
    _, before = slid(sliding, 1.0)
    _, after = slid(sliding, 0.5)
    assert after - before == pytest.approx(0.5 * GRAVITY * (np.sin(angle) - 0.3 * np.cos(angle)), rel=0.05)


@pytest.mark.parametrize("kind", ["cloth", "hair"])
@pytest.mark.parametrize("friction", [0.4, 0.7])
def test_the_stopping_distance(kind, friction):
    """d = v₀²/(2 μ g), where implicit Euler brakes a step's part too early."""
    colliding = on_incline(kind, friction, 0.0, speed=1.0)
    way, speed = slid(colliding, 1.0 / (friction * GRAVITY) + 0.1)
    exact = 1.0 / (2.0 * friction * GRAVITY)
    step = colliding.simulation.scene.time_step
    assert abs(speed) < 1e-6
    assert way == pytest.approx(exact, abs=1.0 * step)


def test_a_load_at_half_the_limit_stays():
    """For a second here, zero drift: a hundred steps move it less than the solver's tolerance a step would."""
    colliding = on_incline("cloth", 0.6, np.degrees(np.arctan(0.3)))
    way, speed = slid(colliding, 1.0)
    assert abs(way) < 1e-6 and abs(speed) < 1e-7
