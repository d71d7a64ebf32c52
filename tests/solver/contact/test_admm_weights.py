"""Weights of the nodes."""

import numpy as np
import pytest

from stiction.solver.contact.admm_weights import AS_ONE, BETA, SIGMA, node_weights, smallest_eigenvalues


def test_smallest_eigenvalues():
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(500, 3, 3)) * 10.0 ** rng.uniform(-4, 4, (500, 1, 1))
    blocks = roots @ roots.transpose(0, 2, 1)
    exact = np.linalg.eigvalsh(blocks)
    assert smallest_eigenvalues(blocks) == pytest.approx(exact[:, 0], abs=1e-7 * exact[:, 2].max())
    assert (np.abs(smallest_eigenvalues(blocks) - exact[:, 0]) < 1e-7 * exact[:, 2]).all()


def test_equal_eigenvalues():
    assert smallest_eigenvalues(np.array([2.0 * np.eye(3), np.zeros((3, 3))])) == pytest.approx([2.0, 0.0])


def test_weights_lie_between_the_stiffness_and_the_mass():
    blocks = np.array([np.diag([1.0, 1.0, 1.0]), np.diag([1e4, 1e5, 1e5]), np.diag([1e9, 1e9, 1e9])])
    masses = np.array([1.0, 1.0, 1.0])
    assert node_weights(blocks, masses) == pytest.approx([1.0, BETA, SIGMA * 1e9])


def test_bodies_that_move_as_one_weigh_what_they_are():
    blocks, masses = np.tile(1e9 * np.eye(3), (2, 1, 1)), np.array([2.0, 3.0])
    assert node_weights(blocks, masses, np.array([True, False])) == pytest.approx([AS_ONE * 2.0, SIGMA * 1e9])


def test_no_weight_is_less_than_rounding_leaves_of_it():
    """A strand that is crushed is 10²⁰ times as stiff as it is heavy; its smallest eigenvalue is then noise."""
    random = np.random.default_rng(8)
    directions = np.linalg.qr(random.normal(size=(500, 3, 3)))[0]
    stiff = np.einsum("nij,j,nkj->nik", directions, [1e14, 1e14, 1e-6], directions)
    masses = np.full(500, 1e-6)
    assert (smallest_eigenvalues(stiff) < 0.0).any()
    assert (node_weights(stiff, masses) >= masses).all()
