"""Solids pass the patch test, and inverted ones recover."""

import numpy as np
import pytest

from stiction.solver.energies.tetrahedron import lame_moduli, rest_shapes
from tests.solver.energies.law_cases import SOLIDS, TETRAHEDRON, batch
from tests.solver.energies.meshes import cube_of_tetrahedra, free_motions, nodal_gradient, relax

every_solid = pytest.mark.parametrize("case", SOLIDS, ids=lambda case: case.name)
every_material = pytest.mark.parametrize("case", SOLIDS[:3], ids=lambda case: case.name)


@every_material
def test_linear_displacement_gives_uniform_stress_and_no_inner_force(case):
    random = np.random.default_rng(21)
    rest, tetrahedra, inner = cube_of_tetrahedra(random)
    law = case.make(tetrahedra, rest, 1e4)
    deformation = np.eye(3) + 0.2 * random.normal(size=(3, 3))
    x = rest @ deformation.T
    energies, gradients, _ = batch(law, x)
    density = energies / law.elements.volumes
    np.testing.assert_allclose(density, density[0], rtol=1e-11)
    forces = nodal_gradient(law, x)
    assert len(inner) == 1
    np.testing.assert_allclose(forces[inner], 0.0, atol=1e-11 * np.abs(gradients).max())


@every_material
def test_pulled_faces_carry_the_stress_of_the_law(case):
    """Total force on the face x = 1 under a stretch along x is ∂ψ/∂σ₀ times its area."""
    rest, tetrahedra, _ = cube_of_tetrahedra(np.random.default_rng(22))
    law = case.make(tetrahedra, rest, 1e4)
    step, stretches = 1e-5, np.array([1.3, 1.0, 1.0])
    energy = [batch(law, rest * (stretches + sign * np.array([step, 0, 0])))[0].sum() for sign in (1, -1)]
    force = nodal_gradient(law, rest * stretches)[rest[:, 0] == 1.0, 0].sum()
    assert force == pytest.approx((energy[0] - energy[1]) / (2.0 * step), rel=1e-8)


@every_material
@pytest.mark.parametrize("start", ["mirror image", "flat", "turned inside out"])
def test_inverted_element_recovers_its_shape(case, start):
    law, rest = case.one(stiffness=1e3)
    flips = {"mirror image": [1.0, 1.0, -1.0], "flat": [1.0, 1.0, 0.0], "turned inside out": [-1.0, -1.0, -1.0]}
    x = rest * flips[start] + 1e-3 * np.random.default_rng(23).normal(size=rest.shape)
    x = relax([law], x, free_motions(x, np.arange(4)), inertia=0.1)
    assert batch(law, x)[0][0] == pytest.approx(0.0, abs=1e-10)
    volume = np.linalg.det(x[1:] - x[0]) / 6.0
    assert volume == pytest.approx(law.elements.volumes[0], rel=1e-6)


@every_solid
def test_stiffness_of_inverted_elements_stays_bounded(case):
    """No mode is stiffer than the deformation explains: nothing divides by a vanishing stretch."""
    law, rest = case.one(stiffness=1.0)
    largest = np.abs(batch(law, rest)[2]).max()
    random = np.random.default_rng(24)
    for _ in range(300):
        x = rest @ np.diag(random.uniform(-1.5, 1.5, 3)) + 1e-9 * random.normal(size=rest.shape)
        assert np.abs(batch(law, x)[2]).max() < 1e3 * largest


def test_lame_moduli_are_those_of_young_and_poisson():
    mu, lam = lame_moduli(1000.0, 0.25)
    assert (mu, lam) == (pytest.approx(400.0), pytest.approx(400.0))
    assert mu * (3 * lam + 2 * mu) / (lam + mu) == pytest.approx(1000.0)


def test_rest_volume_is_positive_for_either_orientation_and_zero_when_flat():
    nodes = np.array([[0, 1, 2, 3], [1, 0, 2, 3], [0, 1, 2, 2]])
    inverses, volumes = rest_shapes(nodes, TETRAHEDRON)
    np.testing.assert_allclose(volumes[:2], abs(np.linalg.det(TETRAHEDRON[1:])) / 6.0)
    assert volumes[2] == 0.0 and not inverses[2].any()
