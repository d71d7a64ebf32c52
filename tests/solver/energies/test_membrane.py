"""Membranes stretch, narrow and shear as their moduli say."""

import numpy as np
import pytest

from stiction.solver.energies.membrane import Membrane, flat_coordinates, membrane_elements, positive_part2
from tests.solver.energies.law_cases import batch
from tests.solver.energies.meshes import nodal_gradient, strip

WARP, WEFT, SHEAR, POISSON = 900.0, 400.0, 150.0, 0.3


def cloth(columns=6, rows=3, spacing=(0.1, 0.05)):
    positions, triangles = strip(columns, rows, spacing)
    elements = membrane_elements(triangles, flat_coordinates(triangles, positions), WARP, WEFT, SHEAR, POISSON)
    return Membrane(elements), positions


@pytest.mark.parametrize("stretch", [0.9, 1.01, 1.5])
def test_strip_pulled_along_the_warp_carries_the_stress_and_narrows(stretch):
    """First Piola stress λ E ε with ε = ½ (λ² − 1); transverse strain −ν √(E₁/E₂) ε."""
    law, positions = cloth()
    strain = 0.5 * (stretch**2 - 1.0)
    narrowing = np.sqrt(1.0 - 2.0 * POISSON * np.sqrt(WARP / WEFT) * strain)
    forces = nodal_gradient(law, positions * [stretch, narrowing, 1.0])
    tension = stretch * WARP * strain
    ends = np.isin(positions[:, 0], [positions[:, 0].min(), positions[:, 0].max()])
    np.testing.assert_allclose(forces[~ends], 0.0, atol=1e-12 * WARP)
    assert forces[positions[:, 0] == positions[:, 0].max(), 0].sum() == pytest.approx(0.15 * tension, rel=1e-12)


def test_pure_shear_holds_the_shear_energy():
    law, positions = cloth()
    sheared = positions.copy()
    sheared[:, 0] += 1e-5 * positions[:, 1]
    # The square of the shear also stretches the weft: a term of fourth order.
    assert batch(law, sheared)[0].sum() == pytest.approx(0.5 * SHEAR * 1e-10 * 0.6 * 0.15, rel=1e-8)


def test_warp_follows_its_direction_in_space():
    random = np.random.default_rng(1)
    corners = random.normal(size=(3, 3))
    along = corners[2] - corners[0]
    coordinates = flat_coordinates([[0, 1, 2]], corners, along)[0]
    np.testing.assert_allclose(coordinates[2], [np.linalg.norm(along), 0.0], atol=1e-12)
    distances = np.linalg.norm(coordinates - np.roll(coordinates, 1, 0), axis=1)
    np.testing.assert_allclose(distances, np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1))


def test_warp_normal_to_a_triangle_falls_back_to_its_first_edge():
    coordinates = flat_coordinates([[0, 1, 2]], np.eye(3) * [1, 1, 0] + [[0, 0, 0], [0, 0, 0], [0, 0, 0]], (0, 0, 1))
    assert np.isfinite(coordinates).all()
    assert coordinates[0, 1, 0] == pytest.approx(np.sqrt(2.0))


def test_mirrored_pattern_is_as_good_as_the_original():
    law, positions = cloth()
    mirrored = flat_coordinates(law.nodes, positions) * [1.0, -1.0]
    other = Membrane(membrane_elements(law.nodes, mirrored, WARP, WEFT, SHEAR, POISSON))
    x = positions + 0.01 * np.random.default_rng(2).normal(size=positions.shape)
    np.testing.assert_allclose(batch(other, x)[0], batch(law, x)[0], rtol=1e-12)


def test_positive_part_of_stress_keeps_tension_only():
    random = np.random.default_rng(3)
    for p, q, r in random.normal(size=(100, 3)):
        values, vectors = np.linalg.eigh([[p, r], [r, q]])
        wanted = vectors @ np.diag(np.maximum(values, 0.0)) @ vectors.T
        part = positive_part2((p, q, r))
        np.testing.assert_allclose([[part[0], part[2]], [part[2], part[1]]], wanted, atol=1e-14)
