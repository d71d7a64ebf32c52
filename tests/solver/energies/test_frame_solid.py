"""Cells that frames move have the energy, forces and stiffness of tetrahedra with the same deformation gradient."""

import numpy as np
import pytest

from stiction.solver.energies.frame_solid import FrameSolid, frame_solid_elements
from stiction.solver.energies.tetrahedron import lame_moduli
from tests.solver.energies.law_cases import FRAME_CASES, TETRAHEDRON, barycentric, batch, matrices

every_frame_law = pytest.mark.parametrize("case", FRAME_CASES, ids=lambda case: case.name)
AMOUNTS = (0.0, 1e-3, 0.1, 0.3, 1.0, 3.0)  # of random displacement: from rest to turned inside out


@every_frame_law
@pytest.mark.parametrize("amount", AMOUNTS)
def test_one_frame_is_a_tetrahedron(case, amount):
    """An element of four nodes, whose weights are barycentric: the same numbers as the law of tetrahedra."""
    tetrahedra = np.array([[0, 1, 2, 3]])
    solid = case.solid.make(tetrahedra, TETRAHEDRON, 1e3)
    inverse = solid.elements.rest_inverses[0]
    gradients = np.concatenate([-inverse.sum(axis=0)[None], inverse])[None]
    elements = frame_solid_elements(
        tetrahedra, gradients, solid.elements.volumes, *lame_moduli(1e3, 0.4), case.solid.name
    )
    x = TETRAHEDRON + amount * np.random.default_rng(61).normal(size=(4, 3))
    for own, wanted in zip(batch(FrameSolid(elements), x), batch(solid, x)):
        np.testing.assert_allclose(own, wanted, rtol=0, atol=1e-12 * max(np.abs(wanted).max(), 1e-3))


@every_frame_law
@pytest.mark.parametrize("amount", AMOUNTS)
def test_forces_and_stiffness_are_those_of_an_embedded_tetrahedron(case, amount):
    """With corners y = W x: gradient Wᵀ ∇E and stiffness Wᵀ H W, projected where the tetrahedron's is."""
    random = np.random.default_rng(62)
    x = case.rest + amount * random.normal(size=case.rest.shape)
    first, second = case.rest[None, :4], case.rest[None, 4:]
    corners = 0.5 * (first + second)
    blend = np.array([0.9, 0.6, 0.3, 0.2])[:, None]
    weights = np.hstack([blend * barycentric(first, corners)[0], (1.0 - blend) * barycentric(second, corners)[0]])
    energies, gradients, hessians = batch(case.solid.make(np.array([[0, 1, 2, 3]]), corners[0], 1e3), weights @ x)
    law, _ = case.one()
    own_energies, own_gradients, own_hessians = batch(law, x)
    assert own_energies[0] == pytest.approx(energies[0], rel=1e-10, abs=1e-20)
    stiffness = np.abs(hessians).max()  # of a body of unit size
    np.testing.assert_allclose(own_gradients[0], weights.T @ gradients[0], rtol=0, atol=1e-12 * stiffness)
    wide = np.kron(weights, np.eye(3))
    wanted = wide.T @ matrices(hessians)[0] @ wide
    np.testing.assert_allclose(matrices(own_hessians)[0], wanted, rtol=0, atol=1e-11 * np.abs(wanted).max())


@every_frame_law
def test_place_of_the_body_does_not_matter(case):
    """A kilometer away the forces keep all digits that the positions have left."""
    law, rest = case.one()
    x = rest + 0.1 * np.random.default_rng(63).normal(size=rest.shape)
    near, far = batch(law, x), batch(law, x + 1e3)
    stiffness = np.abs(near[2]).max()
    np.testing.assert_allclose(far[1], near[1], rtol=0, atol=100 * np.finfo(float).eps * 1e3 * stiffness)


def test_laws_may_differ_from_cell_to_cell():
    laws = [case.one()[0].elements for case in FRAME_CASES]
    joined = type(laws[0])(*(np.concatenate(fields) for fields in zip(*laws)))
    x = FRAME_CASES[0].rest * [1.3, 0.9, 0.8]
    energies = batch(FrameSolid(joined), x)[0]
    np.testing.assert_array_equal(energies, [batch(case.one()[0], x)[0][0] for case in FRAME_CASES])
    assert len(set(energies)) == 3
