"""Pressure does the work p dV, and pushes a closed surface nowhere as a whole."""

import numpy as np
import pytest

from stiction.solver.energies.pressure import SMALLEST, Gas, Pressure, gas_energy, gas_pressure
from tests.solver.conftest import cube
from tests.solver.energies.law_cases import batch
from tests.solver.energies.meshes import nodal_gradient

OPEN = Gas(pressure=500.0, rest_volume=8.0)
SEALED = Gas(pressure=500.0, rest_volume=8.0, air_pressure=1e5, is_sealed=True)
every_gas = pytest.mark.parametrize("gas", [OPEN, SEALED], ids=["open", "sealed"])


def balloon(gas, center=(0.0, 0.0, 0.0)):
    corners, triangles = cube(2.0, center)
    return Pressure(triangles, gas), corners + 0.1 * np.random.default_rng(41).normal(size=corners.shape)


def test_volume_is_that_of_the_surface_wherever_it_is():
    corners, triangles = cube(2.0, (1e3, -1e3, 1e3))
    assert Pressure(triangles, OPEN).volume(corners) == pytest.approx(8.0, rel=1e-12)


@every_gas
def test_virtual_work_is_pressure_times_change_of_volume(gas):
    law, positions = balloon(gas)
    push = np.random.default_rng(42).normal(size=positions.shape)
    step = 1e-5
    grown, shrunk = (law.volume(positions + sign * step * push) for sign in (1, -1))
    work = -(nodal_gradient(law, positions) * push).sum()
    pressure = gas_pressure(gas, law.volume(positions))
    assert work == pytest.approx(pressure * (grown - shrunk) / (2.0 * step), rel=1e-8)


@every_gas
def test_gradient_on_a_closed_surface_is_that_of_the_energy(gas):
    law, positions = balloon(gas)
    gradient = nodal_gradient(law, positions)
    step = 1e-5
    for index in np.ndindex(positions.shape):
        offset = np.zeros_like(positions)
        offset[index] = step
        slope = (batch(law, positions + offset)[0].sum() - batch(law, positions - offset)[0].sum()) / (2.0 * step)
        assert slope == pytest.approx(gradient[index], rel=1e-6, abs=1e-6 * np.abs(gradient).max())


@every_gas
def test_closed_surface_is_neither_moved_nor_turned(gas):
    law, positions = balloon(gas, (5.0, 0.0, 2.0))
    gradient = nodal_gradient(law, positions)
    largest = np.abs(gradient).max()
    np.testing.assert_allclose(gradient.sum(axis=0), 0.0, atol=1e-13 * largest)
    np.testing.assert_allclose(np.cross(positions, gradient).sum(axis=0), 0.0, atol=1e-12 * largest)


def test_sealed_gas_keeps_pressure_times_volume():
    for volume in (2.0, 8.0, 20.0):
        assert (gas_pressure(SEALED, volume) + 1e5) * volume == pytest.approx((1e5 + 500.0) * 8.0)


def test_gas_energy_falls_by_the_pressure_also_where_the_body_is_crushed():
    for gas in (OPEN, SEALED):
        for volume in (20.0, 8.0, 1.0, 0.5 * SMALLEST * 8.0, -3.0):
            step = 1e-6 * max(abs(volume), 1e-2)
            slope = (gas_energy(gas, volume + step) - gas_energy(gas, volume - step)) / (2.0 * step)
            assert -slope == pytest.approx(gas_pressure(gas, volume), rel=1e-5)
    assert gas_energy(SEALED, 8.0) == 0.0


def test_volume_stiffness_is_the_slope_of_the_pressure():
    law, positions = balloon(SEALED)
    volume = law.volume(positions)
    slope = (gas_pressure(SEALED, volume + 1e-4) - gas_pressure(SEALED, volume - 1e-4)) / 2e-4
    assert law.volume_stiffness(positions) == pytest.approx(-slope, rel=1e-6)
    assert balloon(OPEN)[0].volume_stiffness(positions) == 0.0


def test_collapsed_and_empty_surfaces_are_no_trouble():
    for gas in (OPEN, SEALED):
        law, positions = balloon(gas)
        assert all(np.isfinite(result).all() for result in batch(law, 0.0 * positions))
        empty = Pressure(np.empty((0, 3), np.int32), gas)
        assert [len(result) for result in batch(empty, positions)] == [0, 0, 0]
