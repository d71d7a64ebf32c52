"""Springs pull towards their rest length, also from no length at all."""

import numpy as np
import pytest

from stiction.solver.energies.spring import Spring, cloth_spring_elements, rest_lengths, spring_elements
from tests.solver.energies.law_cases import batch, matrices
from tests.solver.energies.meshes import strip


def one_spring(rest_length, stiffness=50.0):
    return Spring(spring_elements([[0, 1]], rest_length, stiffness))


def test_force_is_stiffness_times_extension():
    positions = np.array([[0.0, 0, 0], [0, 3.0, 4.0]])
    (energy,), (gradient,), _ = batch(one_spring(4.0), positions)
    assert energy == pytest.approx(25.0)
    np.testing.assert_allclose(gradient, [[0, -30.0, -40.0], [0, 30.0, 40.0]])


def test_seam_of_no_rest_length_is_linear_and_closes_in_one_newton_step():
    positions = np.array([[0.0, 0, 0], [0.1, -0.2, 0.3]])
    for x in (positions, 0.0 * positions):
        _, (gradient,), hessians = batch(one_spring(0.0), x)
        block = 50.0 * np.eye(3)
        np.testing.assert_allclose(matrices(hessians)[0], np.block([[block, -block], [-block, block]]), atol=1e-12)
        np.testing.assert_allclose(gradient[1], 50.0 * x[1])


def test_compressed_spring_is_stiff_along_itself_only():
    _, _, hessians = batch(one_spring(1.0), np.array([[0.0, 0, 0], [0.5, 0, 0]]))
    np.testing.assert_allclose(hessians[0, 0, 0], np.diag([50.0, 0.0, 0.0]), atol=1e-12)


def test_rest_lengths_are_distances():
    np.testing.assert_allclose(rest_lengths([[0, 1], [1, 1]], [[0, 0, 0], [3, 4, 0]]), [5.0, 0.0])


def test_mass_spring_cloth_has_a_spring_an_edge_and_one_across_each_inner_edge():
    positions, triangles = strip(2, 2, (1.0, 1.0))
    law = Spring(cloth_spring_elements(triangles, positions, 100.0, 1.0))
    edge_count, inner_count = 16, 8
    assert sorted(law.elements.stiffness) == [1.0] * inner_count + [100.0] * edge_count
    assert batch(law, positions)[0].sum() == 0.0
    assert set(np.round(law.elements.rest_lengths[law.elements.stiffness == 1.0] ** 2)) == {2.0, 5.0}
