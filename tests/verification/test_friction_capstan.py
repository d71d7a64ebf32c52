"""A rope and a belt around a drum that turns under them: T₂/T₁ = exp(μ φ)."""

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Collider, Hair, HairMaterial, Scene

from ..solver.contact.colliding import Colliding

RADIUS, THICKNESS = 0.05, 1e-3  # of the drum, and of everything [m]
FRICTION = 0.3
SPEED = 0.1  # of the drum [rad/s]
FACETS = 180
STRAIGHT, SPACING = 0.05, 0.004  # of the rope on both sides, and between its points [m]
STRETCHED = 0.005  # over its rest length, before the drum turns
PITCH = 4 * THICKNESS  # of a rope that goes around more than once, so that it does not meet itself


def drum(length):
    """Positions as a function of the time, and triangles, of a cylinder that turns about y."""
    angles = 2.0 * np.pi * np.arange(FACETS) / FACETS
    here, after = np.arange(FACETS), (np.arange(FACETS) + 1) % FACETS
    far, near_hub, far_hub = here + FACETS, np.full(FACETS, 2 * FACETS), np.full(FACETS, 2 * FACETS + 1)
    sides = [(here, after, far), (after, after + FACETS, far), (after, here, near_hub), (far, after + FACETS, far_hub)]
    y = np.repeat([-0.5 * length, 0.5 * length], FACETS)

    def positions(time):
        x, z = np.cos(angles - SPEED * time), np.sin(angles - SPEED * time)
        rings = np.column_stack([RADIUS * np.tile(x, 2), y, RADIUS * np.tile(z, 2)])
        return np.concatenate([rings, [[0.0, -0.5 * length, 0.0], [0.0, 0.5 * length, 0.0]]])

    return positions, np.concatenate([np.column_stack(corners) for corners in sides])


def wrapped(turn):
    """Points (n, 3) [m] of a rope that leaves the drum straight after an angle `turn` around its top."""
    radius = RADIUS + THICKNESS
    length = 2.0 * STRAIGHT + turn * radius
    along = np.linspace(0.0, length, round(length / SPACING) + 1) - STRAIGHT
    angle = 0.5 * (np.pi + turn) - np.clip(along / radius, 0.0, turn)
    off = np.minimum(along, 0.0) + np.maximum(along - turn * radius, 0.0)
    outwards, forwards = (np.cos(angle), np.sin(angle)), (np.sin(angle), -np.cos(angle))
    x, z = (radius * outwards[axis] + off * forwards[axis] for axis in range(2))
    y = PITCH * turn / (2.0 * np.pi) * np.linspace(-0.5, 0.5, len(x)) if turn > 1.5 * np.pi else np.zeros(len(x))
    return np.column_stack([x, y, z])


def rope(turn):
    points = wrapped(turn)
    limp = HairMaterial(radius=0.5 * THICKNESS, bending_modulus=1e3, stretching_modulus=1e7, damping=0.0, air_drag=0.0)
    rest, ends = (1.0 - STRETCHED) * points, [0, len(points) - 1]
    return Hair("rope", points, [0, len(points)], rest_positions=rest, pinned=ends, material=limp, friction=FRICTION)


def belt(turn):
    """Two points wide."""
    middle, side = wrapped(turn), np.array([0.0, 0.5 * SPACING, 0.0])
    points = np.stack([middle - side, middle + side], axis=1).reshape(-1, 3)
    here = 2 * np.arange(len(middle) - 1)
    triangles = np.concatenate(
        [np.column_stack([here, here + 1, here + 2]), np.column_stack([here + 1, here + 3, here + 2])]
    )
    limp = ClothMaterial(
        warp_bending=1e-10, weft_bending=1e-10, poisson_ratio=0.0, damping=0.0, air_drag=0.0, normal_drag=0.0
    )
    rest, ends = (1.0 - STRETCHED) * points, [0, 1, len(points) - 2, len(points) - 1]
    contact = {"friction": FRICTION, "thickness": THICKNESS}
    return Cloth("rope", points, triangles, rest_positions=rest, pinned=ends, material=limp, **contact)


def stretch_at_ends(item, positions):
    """Of the first segment and the last: they are straight, and tension is proportional to it."""
    ends = (0, 2), (-1, -3)
    if isinstance(item, Hair):
        ends = (0, 1), (-1, -2)
    now, rest = (np.array([np.linalg.norm(x[i] - x[j]) for i, j in ends]) for x in (positions, item.rest_positions))
    return now / rest - 1.0


def tension_ratio(item, seconds):
    scene = Scene(gravity=(0.0, 0.0, 0.0))
    scene.add(Collider("drum", *drum(0.04), friction=FRICTION, thickness=THICKNESS))
    scene.add(item)
    # Fewer iterations do not reach the tolerance, and then the order of the contacts tells in the result.
    colliding = Colliding(scene, tolerance=1e-7, iterations=1000)
    reports = colliding.advance(seconds)
    assert colliding.crossings() == 0
    assert reports[-1].sticking == 0 and reports[-1].slipping > 0
    tight, loose = stretch_at_ends(item, colliding.state.positions)
    return tight / loose, scene.time_step


def assert_capstan(ratio, turn, time_step):
    """A contact acts where it was when the step began, behind by what it slides in a step: μ is off by ω Δt.

    Points δ apart around the drum add δ²/12 of the exponent, the solver's tolerance less than either. Both signs,
    and as much again for the way that facets of the drum rock the rope.
    """
    apart = SPACING / RADIUS
    exponent = FRICTION * turn
    wrong = 2.0 * (SPEED * time_step * turn + exponent * apart**2 / 12.0)
    assert wrong < 0.02
    assert np.log(ratio) == pytest.approx(exponent, abs=wrong)


def test_a_rope_around_half_a_drum():
    ratio, time_step = tension_ratio(rope(np.pi), 0.3)
    assert_capstan(ratio, np.pi, time_step)


@pytest.mark.slow
def test_a_rope_that_goes_around_once():
    ratio, time_step = tension_ratio(rope(2.0 * np.pi), 0.6)
    assert_capstan(ratio, 2.0 * np.pi, time_step)


@pytest.mark.slow
def test_a_belt_around_half_a_drum():
    ratio, time_step = tension_ratio(belt(np.pi), 0.4)
    assert_capstan(ratio, np.pi, time_step)
