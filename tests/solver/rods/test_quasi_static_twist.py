"""Twists in equilibrium: no torque is left, and the energy is the least."""

import numpy as np
import pytest

from stiction.solver import Hair, HairMaterial, Scene
from stiction.solver.model_builder import build
from stiction.solver.rods.quasi_static_twist import relax_twists
from stiction.solver.rods.stresses import strains_at, stresses_of
from stiction.solver.rods.transport import transport_frames


def built(positions, offsets, **settings):
    scene = Scene()
    scene.add(Hair("rod", positions, offsets, pinned=settings.pop("pinned", []), material=HairMaterial(**settings)))
    model, state, _ = build(scene)
    return model.rods, state


def energy(rods, state):
    strains = strains_at(rods, state.frames, state.positions, state.twists)
    moments = stresses_of(rods, strains).moments
    stiffness = np.column_stack([rods.bending, rods.twisting])
    return 0.5 * float(np.divide(moments**2, stiffness, out=np.zeros_like(moments), where=stiffness > 0.0).sum())


@pytest.fixture
def wound():
    """Rods with an elliptical section and a natural curvature, bent and wound at random."""
    generator = np.random.default_rng(4)
    count, points = 5, 12
    steps = np.array([0.01, 0.0, 0.0]) + generator.normal(0.0, 0.003, (count, points, 3))
    positions = np.cumsum(steps, axis=1).reshape(-1, 3)
    pinned = (np.arange(count)[:, None] * points + [0, 1]).ravel()
    offsets = np.arange(count + 1) * points
    rods, state = built(positions, offsets, pinned=pinned, radius=1e-3, flatness=0.5)
    state.positions += generator.normal(0.0, 0.001, state.positions.shape)
    transport_frames(rods.offsets, state.positions, state.frames, state.frames)
    state.twists += generator.normal(0.0, 0.3, state.twists.shape) * rods.is_free_edge
    return rods, state


def test_no_torque_is_left(wound):
    rods, state = wound
    before = energy(rods, state)
    relax_twists(rods, state.frames, state.positions, 100, state.twists)
    least = energy(rods, state)
    assert least < 0.9 * before
    turn = 1e-4  # [rad]
    for edge in np.flatnonzero(rods.is_free_edge):
        angle = state.twists[edge]
        sides = []
        for sign in (-1.0, 1.0):
            state.twists[edge] = angle + sign * turn
            sides.append(energy(rods, state))
        state.twists[edge] = angle
        assert min(sides) >= least * (1.0 - 1e-12)  # a minimum
        # The slope by central differences is exact but for terms of third order and rounding.
        assert abs(sides[1] - sides[0]) <= 1e-3 * (sides[0] + sides[1] - 2.0 * least) + 1e-12 * least


def test_given_edges_do_not_turn(wound):
    rods, state = wound
    before = state.twists.copy()
    relax_twists(rods, state.frames, state.positions, 100, state.twists)
    given = ~rods.is_free_edge.astype(bool)
    assert given.any() and np.array_equal(state.twists[given], before[given])


def test_a_straight_round_rod_takes_a_uniform_twist():
    count = 11
    positions = np.column_stack([np.linspace(0.0, 0.1, count), np.zeros(count), np.zeros(count)])
    rods, state = built(positions, [0, count], pinned=[0, 1, count - 2, count - 1], radius=1e-3)
    state.twists[count - 2] = 0.9
    relax_twists(rods, state.frames, state.positions, 100, state.twists)
    assert state.twists[: count - 1] == pytest.approx(np.linspace(0.0, 0.9, count - 1), abs=1e-9)


def test_absurd_angles_give_numbers(wound):
    rods, state = wound
    state.twists[rods.is_free_edge.astype(bool)] = 1e6
    relax_twists(rods, state.frames, state.positions, 100, state.twists)
    assert np.isfinite(state.twists).all()
