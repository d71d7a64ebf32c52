"""Tethers hold weighted sums of nodes: soft pins, seams, springs between surface points."""

import numpy as np
import pytest

from stiction.solver.energies.tether import Tether, tether_elements
from tests.solver.energies.law_cases import batch, matrices


def test_pin_draws_its_node_to_its_target():
    positions = np.array([[9.0, 9, 9], [1.0, 2, 3]])
    law = Tether(tether_elements([[1]], [[1.0]], [[1.0, 0, 0]], 10.0))
    (energy,), (gradient,), (hessian,) = batch(law, positions)
    assert energy == pytest.approx(0.5 * 10.0 * 13.0)
    np.testing.assert_allclose(gradient, [[0, 20.0, 30.0]])
    np.testing.assert_allclose(hessian[0, 0], 10.0 * np.eye(3))


def test_targets_may_be_moved_between_steps():
    given = np.zeros((2, 3))
    law = Tether(tether_elements([[0], [1]], [[1.0], [1.0]], given, [1.0, 2.0]))
    law.elements.targets[1] = (0.0, 0.0, 5.0)
    energies, gradients, _ = batch(law, np.zeros((2, 3)))
    np.testing.assert_allclose(energies, [0.0, 25.0])
    np.testing.assert_allclose(gradients[1], [[0, 0, -10.0]])
    assert not given.any()


@pytest.mark.parametrize("rest_length", [0.0, 0.3])
def test_derivatives_are_those_of_the_energy(rest_length):
    random = np.random.default_rng(1)
    weights = np.array([[0.2, 0.5, 0.3, -0.6, -0.4]])  # a point of a triangle minus a point of an edge
    law = Tether(tether_elements([[4, 2, 0, 1, 3]], weights, (0, 0, 0), 50.0, rest_length))
    x, step = random.normal(size=(5, 3)), 1e-5

    def energy(positions):
        return batch(law, positions)[0][0]

    _, gradients, hessians = batch(law, x)
    for place, node in enumerate([4, 2, 0, 1, 3]):
        for axis in range(3):
            moved = np.zeros((5, 3))
            moved[node, axis] = step
            slope = (energy(x + moved) - energy(x - moved)) / (2 * step)
            assert gradients[0, place, axis] == pytest.approx(slope, abs=1e-6)
            change = (batch(law, x + moved)[1] - batch(law, x - moved)[1])[0] / (2 * step)
            np.testing.assert_allclose(hessians[0, :, place, :, axis], change, atol=1e-6)


def test_compressed_tether_has_no_negative_stiffness():
    law = Tether(tether_elements([[0, 1]], [[1.0, -1.0]], (0, 0, 0), 10.0, 5.0))
    hessian = matrices(batch(law, np.array([[0.0, 0, 0], [1.0, 0, 0]]))[2])[0]
    assert np.linalg.eigvalsh(hessian).min() > -1e-12


def test_ends_that_coincide_are_no_trouble():
    for rest_length in (0.0, 1.0):
        law = Tether(tether_elements([[0, 1]], [[1.0, -1.0]], (0, 0, 0), 10.0, rest_length))
        assert all(np.isfinite(part).all() for part in batch(law, np.zeros((2, 3))))
