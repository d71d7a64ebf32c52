"""Gusts are as fast as asked, without divergence, alike in all directions, and never the same twice."""

import numba
import numpy as np
import pytest

from stiction.solver.air.field_table import MovingFields
from stiction.solver.air.gusts import OCTAVES, blow, gust_waves
from stiction.solver.air.wind import Wind
from stiction.solver.force_fields import ForceField

SIZE, SPEED = 0.5, 2.0
STILL = np.zeros(3)


def gusts(time=0.0, wind=STILL, seed=3, **more):
    """The velocities (n, 3) at points (n, 3), as a function."""
    field = ForceField("", "turbulence", strength=SPEED, size=SIZE, seed=seed, is_global=True, **more)
    fields = MovingFields([field], Wind(wind, 0.01))
    return lambda points: SPEED * np.ascontiguousarray(fields.at(points, time).gusts[0].T)


def scattered(count, extent=100.0, seed=5):
    return np.random.default_rng(seed).uniform(-extent, extent, (count, 3))


def test_kernel_is_its_plain_twin():
    waves, points = gust_waves(SIZE, SPEED, 7), scattered(1000, extent=5.0)
    found = np.empty((3, 1000))
    blow(waves.vectors, waves.cosines, waves.sines, waves.phases, np.ascontiguousarray(points.T), found)
    turns = points @ waves.vectors.T + waves.phases
    expected = np.cos(turns) @ waves.cosines + np.sin(turns) @ waves.sines
    assert np.abs(found.T - expected).max() < 1e-9


def test_any_number_of_threads_gives_the_same_bits():
    before, results = numba.get_num_threads(), []
    try:
        for threads in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(threads)
            results.append(gusts()(scattered(1001)))
    finally:
        numba.set_num_threads(before)
    assert np.array_equal(*results)


@pytest.mark.parametrize("seed", range(4))
def test_speed_is_as_asked(seed):
    """The mean of |u|² over N points far apart scatters by √(2/3N), u being nearly normal."""
    count = 20_000
    mean_square = (gusts(seed=seed)(scattered(count)) ** 2).sum(axis=1).mean()
    assert mean_square == pytest.approx(SPEED**2, rel=5 * np.sqrt(2 / (3 * count)))


def test_speed_stays_the_same_over_time():
    waves, count = gust_waves(SIZE, SPEED, 3), 20_000
    times = np.random.default_rng(6).uniform(0.0, 1e6, count)
    turns = times[:, None] * waves.frequencies + waves.phases
    velocities = np.cos(turns) @ waves.cosines + np.sin(turns) @ waves.sines
    assert np.allclose(SPEED * velocities[0], gusts(times[0])(np.zeros((1, 3))), atol=1e-7)
    assert (velocities**2).sum(axis=1).mean() == pytest.approx(1.0, rel=5 * np.sqrt(2 / (3 * count)))


@pytest.mark.parametrize("seed", range(4))
def test_all_directions_are_alike(seed):
    """Exactly so in the mean over all space: each wave has ½ (c cᵀ + s sᵀ)."""
    waves = gust_waves(SIZE, SPEED, seed)
    covariance = 0.5 * (waves.cosines.T @ waves.cosines + waves.sines.T @ waves.sines)
    assert np.allclose(covariance, np.eye(3) / 3, atol=1e-14)
    count = 20_000
    measured = np.cov(gusts(seed=seed)(scattered(count)).T) / SPEED**2
    assert np.abs(measured - np.eye(3) / 3).max() < 5 * np.sqrt(2 / count) / 3


def test_there_is_no_divergence():
    """Central differences err by (k h)²/6 of the gradient, k up to the shortest wave's."""
    step = 1e-4
    points, flow = scattered(500), gusts()
    gradient = np.stack(
        [(flow(points + step * axis) - flow(points - step * axis)) / (2 * step) for axis in np.eye(3)], axis=2
    )
    typical = np.sqrt((gradient**2).sum(axis=(1, 2)).mean())
    error = (np.pi / SIZE * 2**OCTAVES * step) ** 2 / 6
    assert error < 1e-4
    assert np.abs(np.trace(gradient, axis1=1, axis2=2)).max() < 10 * error * typical


def test_energy_falls_from_octave_to_octave_as_kolmogorov_found():
    """∫ k^(−5/3) dk over an octave falls by 2^(−2/3)."""
    waves = gust_waves(SIZE, SPEED, 1)
    octaves = np.floor(np.log2(np.linalg.norm(waves.vectors, axis=1) * SIZE / np.pi)).astype(int)
    energies = np.bincount(octaves, (waves.cosines**2).sum(axis=1))
    assert len(energies) == OCTAVES
    assert energies.sum() == pytest.approx(1.0)
    assert np.allclose(energies[1:] / energies[:-1], 2 ** (-2 / 3))


def test_wind_carries_gusts_along():
    wind, points = np.array([3.0, -1.0, 0.5]), scattered(100)
    assert np.allclose(gusts(7.0, wind)(points + 7.0 * wind), gusts(7.0)(points), atol=1e-9)


def test_gusts_move_with_their_field_unless_they_are_global():
    points, place = scattered(100), np.array([1.0, 2.0, 3.0])
    moved = gusts(location=place)
    assert np.array_equal(moved(points), gusts()(points))
    field = ForceField("", "turbulence", size=SIZE, seed=3, location=place)
    local = MovingFields([field], Wind(STILL, 0.01)).at(points + place, 0.0).gusts[0].T
    assert np.allclose(SPEED * local, gusts()(points), atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_comes_back(seed):
    """The correlation with what was there a while ago, or is found further on: Σ c² cos ω t."""
    waves = gust_waves(1.0, 1.0, seed)
    energies = (waves.cosines**2).sum(axis=1)
    times = np.linspace(5.0, 600.0, 60_000)
    assert (energies @ np.cos(waves.frequencies[:, None] * times)).max() < 0.6
    for direction in np.eye(3):
        places = np.linspace(2.0, 200.0, 20_000)
        assert (energies @ np.cos((waves.vectors @ direction)[:, None] * places)).max() < 0.6


def test_gusts_change_slowly():
    """Beside an eddy that the wind does not carry, half a turnover leaves most of it as it was."""
    points = scattered(2000)
    now, soon, later = (gusts(time)(points) for time in (0.0, 0.05 * SIZE / SPEED, 20.0))
    assert (now * soon).sum() > 0.95 * (now**2).sum()
    assert abs((now * later).sum()) < 0.3 * (now**2).sum()


def test_seeds_make_the_difference():
    points = scattered(10)
    assert np.array_equal(gusts(seed=1)(points), gusts(seed=1)(points))
    assert not np.allclose(gusts(seed=1)(points), gusts(seed=2)(points))
