"""Affine bodies of four nodes stay near rigid."""

import numpy as np
import pytest

from stiction.solver.energies.affine_rigidity import AffineRigidity, affine_rigidity_elements
from tests.solver.energies.law_cases import TETRAHEDRON, batch


def test_energy_is_volume_times_stiffness_times_departure_from_a_rotation():
    deformation = np.eye(3) + 0.3 * np.random.default_rng(51).normal(size=(3, 3))
    law = AffineRigidity(affine_rigidity_elements([[0, 1, 2, 3]], TETRAHEDRON, 0.7, 1e6))
    energy = batch(law, TETRAHEDRON @ deformation.T)[0][0]
    assert energy == pytest.approx(0.7e6 * np.linalg.norm(deformation.T @ deformation - np.eye(3)) ** 2, rel=1e-12)


def test_choice_of_control_nodes_does_not_matter():
    """The energy belongs to the motion of the body, not to the nodes that carry it."""
    deformation = np.eye(3) + 0.3 * np.random.default_rng(52).normal(size=(3, 3))
    frame = np.array([(0, 0, 0), (5, 0, 0), (0, 5, 0), (0, 0, 5)], float)
    energies = [
        batch(AffineRigidity(affine_rigidity_elements([[0, 1, 2, 3]], rest, 1.0, 1.0)), rest @ deformation.T)[0][0]
        for rest in (TETRAHEDRON, frame)
    ]
    assert energies[0] == pytest.approx(energies[1], rel=1e-12)
