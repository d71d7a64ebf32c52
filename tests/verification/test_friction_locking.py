"""A rope around several cylinders that holds a weight by its own tail, or runs off [Daviet 2020, figure 2]."""

import numpy as np
import pytest

from stiction.solver import Collider, Hair, HairMaterial, Scene

from ..solver.contact.colliding import Colliding

RADIUS, THICKNESS = 0.03, 1e-3  # of the cylinders, and of everything [m]
CYLINDERS = 3  # side by side; the rope goes over the first, under the next, over the last
SPACING = 0.004  # between points of the rope [m]
LOWER = 0.03  # every second cylinder [m]
DROP, TAIL = 0.06, 0.15  # from the first cylinder to the weight, and behind the last [m]
DENSITY = 1320.0  # of the rope [kg/m³]
MODULUS = 2e6  # against stretching it [Pa]
GRAVITY = 9.81
FACETS = 120


def cylinder(number):
    angles = 2.0 * np.pi * np.arange(FACETS) / FACETS
    x, z = middle(number)
    ring = np.column_stack([x + RADIUS * np.cos(angles), np.zeros(FACETS), z + RADIUS * np.sin(angles)])
    here, after = np.arange(FACETS), (np.arange(FACETS) + 1) % FACETS
    points = np.concatenate([ring - [0, 0.02, 0], ring + [0, 0.02, 0]])
    sides = [(here, after, here + FACETS), (after, after + FACETS, here + FACETS)]
    return points, np.concatenate([np.column_stack(corners) for corners in sides])


def middle(number):
    """x and z [m] of the axes: every second one lower, so that the rope hangs straight between two of them."""
    return 2.0 * (RADIUS + THICKNESS) * number, -LOWER * (number % 2)


def path(along):
    """Points (n, 3) [m] at lengths along the rope, from the load to the end of the tail."""
    radius = RADIUS + THICKNESS
    around, behind = np.pi * radius, np.maximum(along - DROP, 0.0)
    number = np.minimum(behind // (around + LOWER), CYLINDERS - 1)
    behind = behind - number * (around + LOWER)
    side = np.where(number % 2 == 0, 1.0, -1.0)
    angle, straight = np.minimum(behind / radius, np.pi), np.maximum(behind - around, 0.0)
    x = 2.0 * radius * number - radius * np.cos(angle)
    z = -LOWER * (number % 2) + side * (radius * np.sin(angle) - straight)
    return np.column_stack([x, np.zeros_like(x), z + np.minimum(along - DROP, 0.0)])


def device(friction, ratio):
    """The weight pulls `ratio` times as much as the tail."""
    scene = Scene()
    contact = {"friction": friction, "thickness": THICKNESS}
    for number in range(CYLINDERS):
        scene.add(Collider(f"cylinder {number}", *cylinder(number), **contact))
    length = DROP + CYLINDERS * np.pi * (RADIUS + THICKNESS) + (CYLINDERS - 1) * LOWER + TAIL
    points = path(np.linspace(0.0, length, round(length / SPACING) + 1))
    limp = HairMaterial(
        radius=0.5 * THICKNESS, density=DENSITY, bending_modulus=1e3, stretching_modulus=MODULUS, air_drag=0.0
    )
    radii = np.full(len(points), 0.5 * THICKNESS)
    radii[:2] = 0.5 * THICKNESS * np.sqrt(ratio * TAIL / (1.5 * SPACING))  # as heavy as that; contacts have their own
    scene.add(Hair("rope", points, [0, len(points)], material=limp, radii=radii, **contact))
    return scene


def falls(friction, ratio, moments):
    """How far the loaded end has come down [m] at some moments [s]."""
    colliding = Colliding(device(friction, ratio), iterations=50)
    colliding.integrator.solver.settings.newton_iterations = 4
    masses = colliding.simulation.model.masses
    tail = masses[-round(TAIL / SPACING) :].sum()
    assert masses[:3].sum() / tail == pytest.approx(ratio, rel=0.2)
    start, ways = colliding.state.positions[0, 2], []
    for seconds in np.diff(moments, prepend=0.0):
        colliding.advance(seconds)
        ways.append(start - colliding.state.positions[0, 2])
    return ways


@pytest.mark.slow
def test_the_device_locks_by_friction_and_unravels_without():
    """Half a turn around each of three cylinders: a tail holds exp(3 π μ) times its weight, 111 or 6.6 times.

    The load is 27 times as heavy, between the two. What locks gives way by what the rope stretches by, then
    stays; what does not runs off faster and faster.
    """
    ratio = np.exp(CYLINDERS * np.pi * 0.35)
    locked, unravelled = (falls(friction, ratio, [0.2, 0.4]) for friction in (0.5, 0.2))
    # Tension falls by exp(−μ s/R) around the first cylinder, where most of the stretch is.
    tension = ratio * DENSITY * GRAVITY * TAIL / MODULUS  # as a strain
    stretch = tension * (DROP + (RADIUS + THICKNESS) / 0.5)
    assert 0.0 < locked[0] < 1.1 * stretch
    assert abs(locked[1] - locked[0]) < 0.02 * stretch
    assert unravelled[0] > 5.0 * locked[0] and unravelled[1] > 2.0 * unravelled[0]
