"""A sheet catches the wind that blows across it, and slips through the air edge on."""

import numba
import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Scene, Simulation
from stiction.solver.air.surface_drag import AIR_DENSITY, SurfaceDrag

from ..conftest import grid

COEFFICIENT = 1.28
GRAVITY = 9.81
PRESSURE = 0.5 * AIR_DENSITY * COEFFICIENT  # [Pa] at 1 m/s
STEP = 1.0 / 96.0
FLAT, UPRIGHT = np.eye(3), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def force(air, velocity=(0.0, 0.0, 0.0), positions=None, triangles=None):
    """The total force [N] on a sheet of 0.3 m × 0.2 m, and the law."""
    default_positions, default_triangles = grid(4, 3)
    positions = default_positions if positions is None else positions
    law = SurfaceDrag(default_triangles if triangles is None else triangles, COEFFICIENT)
    law.start_step(positions, *(np.tile(np.array(v, float), (len(positions), 1)) for v in (velocity, air)), STEP)
    gradients, hessians = np.empty((len(law.nodes), 1, 3)), np.empty((len(law.nodes), 1, 1, 3, 3))
    law.derivatives(positions + STEP * np.array(velocity), gradients, hessians)
    return -gradients.sum(axis=(0, 1)), law


def test_wind_on_a_facing_sheet_presses_with_its_dynamic_pressure():
    assert force((0.0, 0.0, 5.0))[0] == pytest.approx([0.0, 0.0, PRESSURE * 25.0 * 0.06])


def test_wind_along_the_sheet_has_no_hold():
    assert force((5.0, 3.0, 0.0))[0] == pytest.approx([0.0, 0.0, 0.0])


def test_only_the_relative_velocity_counts():
    moving = force((1.0, 2.0, 3.0), velocity=(4.0, 1.0, -2.0))[0]
    assert moving == pytest.approx(force((-3.0, 1.0, 5.0))[0])


def test_oblique_wind_lifts():
    """At an angle α to the sheet: the force is across the sheet, with sin² α; its part across the wind is lift."""
    angle = np.radians(30.0)
    found = force(5.0 * np.array([np.cos(angle), 0.0, np.sin(angle)]))[0]
    assert found == pytest.approx([0.0, 0.0, PRESSURE * 25.0 * 0.06 * np.sin(angle) ** 2])


def test_both_sides_are_alike():
    turned = force((1.0, 2.0, 3.0), triangles=grid(4, 3)[1][:, ::-1])[0]
    assert turned == pytest.approx(force((1.0, 2.0, 3.0))[0])


def bent(random):
    positions, triangles = grid(5, 4)
    return positions + 0.03 * random.normal(size=positions.shape), triangles


def test_force_turns_with_the_sheet_and_the_wind():
    random = np.random.default_rng(1)
    positions, triangles = bent(random)
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    wind = np.array([1.0, -2.0, 3.0])
    straight = force(wind, positions=positions, triangles=triangles)[0]
    assert force(turn @ wind, positions=positions @ turn.T, triangles=triangles)[0] == pytest.approx(turn @ straight)


def test_derivatives_are_those_of_the_energy():
    """The energy is quadratic: differences are exact but for rounding."""
    random = np.random.default_rng(2)
    positions, triangles = bent(random)
    law = SurfaceDrag(triangles, COEFFICIENT)
    law.start_step(positions, random.normal(size=positions.shape), random.normal(size=positions.shape), STEP)
    count = len(law.nodes)
    gradients, hessians = np.empty((count, 1, 3)), np.empty((count, 1, 1, 3, 3))
    moved = positions + 0.01 * random.normal(size=positions.shape)
    law.derivatives(moved, gradients, hessians)
    for axis in np.eye(3):
        ends = np.empty((2, count))
        slopes = np.empty((2, count, 1, 3))
        for end, sign in enumerate((1.0, -1.0)):
            law.energies(moved + sign * 1e-3 * axis, ends[end])
            law.derivatives(moved + sign * 1e-3 * axis, slopes[end], np.empty_like(hessians))
        assert np.allclose((ends[0] - ends[1]) / 2e-3, gradients[:, 0] @ axis, atol=1e-9)
        assert np.allclose((slopes[0] - slopes[1])[:, 0] / 2e-3, hessians[:, 0, 0] @ axis, atol=1e-9)
    assert np.linalg.eigvalsh(hessians[:, 0, 0]).min() > -1e-12


def test_linearised_force_is_of_second_order():
    """Against ½ ρ C A |w| w: the error falls with the square of the change of velocity."""
    errors = []
    for change in (0.1, 0.05):
        _, law = force((0.0, 0.0, 3.0))
        gradients, hessians = np.empty((len(law.nodes), 1, 3)), np.empty((len(law.nodes), 1, 1, 3, 3))
        law.derivatives(grid(4, 3)[0] + [0.0, 0.0, STEP * change], gradients, hessians)
        exact = PRESSURE * 0.06 * (3.0 - change) ** 2
        errors.append(abs(-gradients[:, 0, 2].sum() - exact))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=1e-6)


def test_triangles_without_area_feel_nothing():
    positions, triangles = np.zeros((3, 3)), np.array([[0, 1, 2]])
    assert np.array_equal(force((1.0, 2.0, 3.0), positions=positions, triangles=triangles)[0], np.zeros(3))


def test_any_number_of_threads_gives_the_same_bits():
    before, results = numba.get_num_threads(), []
    positions, triangles = grid(40, 30)
    positions[:, 2] += 0.1 * np.sin(7.0 * positions[:, 0] + 5.0 * positions[:, 1])
    try:
        for threads in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(threads)
            results.append(force((1.0, 2.0, 3.0), positions=positions, triangles=triangles)[1].elements)
    finally:
        numba.set_num_threads(before)
    for first, second in zip(*results):
        assert np.array_equal(first, second)


def test_moved_law_is_the_same_further_on():
    positions, triangles = grid(4, 3)
    moved = SurfaceDrag(triangles, COEFFICIENT).moved(5)
    assert np.array_equal(moved.nodes[:, 0], np.arange(5, 5 + len(positions)))
    shifted = np.concatenate([np.full((5, 3), np.nan), positions])
    moved.start_step(shifted, np.zeros_like(shifted), np.tile([0.0, 0.0, 5.0], (len(shifted), 1)), STEP)
    assert np.array_equal(moved.elements.pulls, force((0.0, 0.0, 5.0))[1].elements.pulls)


def falling(turn=FLAT, steps_per_frame=4, normal_drag=COEFFICIENT, **settings):
    positions, triangles = grid()
    scene = Scene(steps_per_frame=steps_per_frame, **settings)
    material = ClothMaterial(area_density=0.15, air_drag=0.0, normal_drag=normal_drag)
    scene.add(Cloth("sheet", positions @ turn.T, triangles, material=material))
    return Simulation(scene)


def velocity_at(simulation, frame):
    list(simulation.frames(1, frame))
    return simulation.state.velocities.mean(axis=0)


TERMINAL = np.sqrt(0.15 * GRAVITY / PRESSURE)  # √(2 m g/(ρ C A))


def test_flat_sheet_falls_with_its_terminal_velocity():
    assert velocity_at(falling(), 49) == pytest.approx([0.0, 0.0, -TERMINAL], rel=1e-9, abs=1e-9)


def test_way_to_the_terminal_velocity_converges_at_first_order():
    """v = v∞ tanh(g t/v∞)."""
    time = 3.0 / 24.0
    exact = -TERMINAL * np.tanh(GRAVITY * time / TERMINAL)
    errors = [abs(velocity_at(falling(steps_per_frame=steps), 4)[2] - exact) for steps in (4, 8, 16)]
    assert np.allclose(np.array(errors[:-1]) / errors[1:], 2.0, rtol=0.15)


def test_sheet_falls_freely_edge_on():
    assert velocity_at(falling(UPRIGHT), 13) == pytest.approx([0.0, 0.0, -GRAVITY * 0.5], abs=1e-9)


def test_wind_takes_a_free_sheet_along_without_overshoot():
    simulation = falling(gravity=(0, 0, 0), wind=(0.0, 0.0, 200.0), steps_per_frame=1)
    speeds = [simulation.state.velocities[:, 2].mean() for _ in simulation.frames(1, 25)]
    assert (np.diff(speeds) >= 0.0).all()
    assert 150.0 < speeds[-1] < 200.0


def test_resumed_simulation_goes_on_to_the_same_bits():
    def new():
        return falling(wind=(1.0, 0.0, 0.5), turbulence=1.0)

    whole, first, second = new(), new(), new()
    list(whole.frames(1, 5))
    list(first.frames(1, 3))
    second.restore(first.state)
    list(second.frames(3, 5))
    assert np.array_equal(whole.state.positions, second.state.positions)
