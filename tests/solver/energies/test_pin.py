"""Soft pins are springs to points that may move."""

import numpy as np
import pytest

from stiction.solver.energies.pin import Pin, pin_elements
from tests.solver.energies.law_cases import batch


def test_pin_draws_its_node_to_its_target():
    positions = np.array([[9.0, 9, 9], [1.0, 2, 3]])
    law = Pin(pin_elements([1], [[1.0, 0, 0]], 10.0))
    (energy,), (gradient,), (hessian,) = batch(law, positions)
    assert energy == pytest.approx(0.5 * 10.0 * 13.0)
    np.testing.assert_allclose(gradient, [[0, 20.0, 30.0]])
    np.testing.assert_allclose(hessian[0, 0], 10.0 * np.eye(3))


def test_targets_may_be_moved_between_steps():
    given = np.zeros((2, 3))
    law = Pin(pin_elements([0, 1], given, [1.0, 2.0]))
    law.elements.targets[1] = (0.0, 0.0, 5.0)
    energies, gradients, _ = batch(law, np.zeros((2, 3)))
    np.testing.assert_allclose(energies, [0.0, 25.0])
    np.testing.assert_allclose(gradients[1], [[0, 0, -10.0]])
    assert not given.any()
