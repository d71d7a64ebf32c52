"""Strands against closed forms: heavy elastica, catenary, uniform twist, Michell's ring."""

import numpy as np
import pytest
from scipy.integrate import simpson, solve_bvp
from scipy.optimize import brentq

from stiction.solver import Hair, HairMaterial, Scene, Simulation

GRAVITY = 9.81


def settle(hair, frames=40, gravity=(0.0, 0.0, -GRAVITY), steps=1):
    """Long steps and strong damping: implicit Euler finds the state of rest."""
    scene = Scene(gravity=gravity, frames_per_second=2.0, steps_per_frame=steps)
    scene.add(hair)
    simulation = Simulation(scene)
    simulation.integrator.settings.tolerance = 1e-9
    *_, last = simulation.frames(1, frames)
    return last.positions[hair.name], simulation


def cantilever(count, length, material):
    positions = np.column_stack([np.linspace(0, length, count), np.zeros(count), np.zeros(count)])
    return Hair("rod", positions, [0, count], material=material, pinned=[0, 1])


def elastica_tip(weight, rigidity, length):
    """Tip (x, z) of a clamped heavy elastica: B θ'' = −w (L − s) cos θ, θ(0) = 0, θ'(L) = 0, θ downwards."""
    s = np.linspace(0, length, 400)
    guess = np.zeros((2, len(s)))
    for share in (0.03, 0.1, 0.3, 1.0):  # the solution of a lighter rod leads to that of a heavier one

        def slopes(s, y, share=share):
            return np.vstack([y[1], -share * weight * (length - s) * np.cos(y[0]) / rigidity])

        solution = solve_bvp(slopes, lambda a, b: np.array([a[0], b[1]]), s, guess, tol=1e-8, max_nodes=100_000)
        assert solution.success
        guess = solution.sol(s)
    return np.array([simpson(np.cos(guess[0]), x=s), -simpson(np.sin(guess[0]), x=s)])


@pytest.mark.parametrize("load", [0.3, 3.0, 30.0])
def test_cantilever_bends_like_the_heavy_elastica(load):
    """The tip converges at second order in the segment length (the clamp sits in the middle of the first edge)."""
    length, radius, density = 0.2, 1e-3, 1000.0
    weight = density * np.pi * radius**2 * GRAVITY
    rigidity = weight * length**3 / load
    modulus = rigidity / (np.pi * radius**4 / 4)
    material = HairMaterial(
        density=density, radius=radius, bending_modulus=modulus, stretching_modulus=1e10, air_drag=5.0, damping=0.0
    )
    errors = []
    for count in (20, 40):
        positions, _ = settle(cantilever(count, length, material), frames=120)
        free = length - 0.5 * length / (count - 1)  # the clamped edge bends only beyond its middle
        tip = elastica_tip(weight, rigidity, free)
        got = positions[-1, [0, 2]] - [length - free, 0.0]
        errors.append(np.linalg.norm(got - tip) / length)
    assert errors[1] < 0.004
    assert errors[1] < 0.6 * errors[0]


def test_limp_rod_hangs_as_a_catenary():
    """y = a cosh((x − ½)/a) − a cosh(1/(2a)), with a from the length: 2 a sinh(1/(2a)) = L."""
    count = 61
    start = _equal_segments(lambda x: -0.4 * np.sin(np.pi * x), count)
    length = np.linalg.norm(np.diff(start, axis=0), axis=1).sum()
    a = brentq(lambda a: 2 * a * np.sinh(0.5 / a) - length, 0.05, 10.0)
    material = HairMaterial(radius=1e-3, bending_modulus=1.0, stretching_modulus=1e9, air_drag=4.0, damping=0.0)
    hair = Hair("rope", start, [0, count], material=material, pinned=[0, count - 1])
    positions, _ = settle(hair, frames=200)
    x = positions[:, 0]
    exact = a * np.cosh((x - 0.5) / a) - a * np.cosh(0.5 / a)
    segment = length / (count - 1)
    assert np.abs(positions[:, 2] - exact).max() < segment**2 / a  # chords cut the arc by h²/8a each


def _equal_segments(height, count):
    """Points on a curve z(x) over the unit interval, equally far apart."""
    x = np.linspace(0, 1, 2000)
    arc = np.concatenate([[0], np.cumsum(np.hypot(np.diff(x), np.diff(height(x))))])
    wanted = np.interp(np.linspace(0, arc[-1], count), arc, x)
    return np.column_stack([wanted, np.zeros(count), height(wanted)])


def test_twist_spreads_evenly_along_a_straight_rod():
    """Both end frames held, one turned by a quarter: twist angles become linear."""
    count = 12
    positions = np.column_stack([np.linspace(0, 0.1, count), np.zeros(count), np.zeros(count)])
    hair = Hair(
        *("rod", positions, [0, count]),
        material=HairMaterial(radius=1e-3, bending_modulus=1e7, stretching_modulus=1e8, air_drag=5.0),
        pinned=[0, 1, count - 2, count - 1],
    )
    scene = Scene(gravity=(0, 0, 0), frames_per_second=24, steps_per_frame=4)
    scene.add(hair)
    simulation = Simulation(scene)
    simulation.state.twists[count - 2] = np.pi / 2
    list(simulation.frames(1, 24))
    turned = simulation.state.twists[: count - 1] + simulation.state.turns[: count - 1]
    assert np.allclose(turned, np.linspace(0, np.pi / 2, count - 1), atol=1e-3)


@pytest.mark.parametrize(("factor", "stays_flat"), [(0.8, True), (1.25, False)])
def test_twisted_ring_buckles_above_michells_limit(factor, stays_flat):
    """A closed ring with total twist Θ is flat below 2 π √3 B/C [Michell 1889], and writhes above it."""
    count, radius_of_ring = 48, 0.05
    poisson = 0.3
    ratio = 1.0 + poisson  # B/C of a round section is E I / G J = 1 + ν
    total = factor * 2 * np.pi * np.sqrt(3.0) * ratio
    angles = np.linspace(0, 2 * np.pi, count + 1)
    turns = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count + 1)]) * radius_of_ring
    overlap = turns[:3]  # the ends overlap by two segments, and are tied by being given the same motion
    positions = np.concatenate([turns[:-1], overlap])
    material = HairMaterial(
        radius=5e-4, bending_modulus=1e8, stretching_modulus=1e9, poisson_ratio=poisson, air_drag=2.0, density=1000.0
    )
    hair = Hair("ring", positions, [0, len(positions)], material=material, pinned=[0, 1, count, count + 1])
    scene = Scene(gravity=(0, 0, 0), frames_per_second=24, steps_per_frame=4)
    scene.add(hair)
    simulation = Simulation(scene)
    model, state = simulation.model, simulation.state
    model.rods.rest_curvatures[:] = 0.0  # naturally straight, bent to a ring
    state.twists[:] = np.linspace(0, total, len(state.twists))
    last_edge = count
    state.twists[: last_edge + 1] = np.linspace(0, total, last_edge + 1)
    state.positions[5:-5, 2] += 1e-4 * radius_of_ring * np.sin(2 * np.arange(len(positions) - 10))
    *_, frame = simulation.frames(1, 72)
    height = np.abs(frame.positions["ring"][:, 2]).max() / radius_of_ring
    assert (height < 0.05) == stays_flat
