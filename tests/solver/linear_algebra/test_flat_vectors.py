"""Sums of flat vectors against exact arithmetic."""

import math

import numpy as np
import pytest

from stiction.solver.linear_algebra.flat_vectors import CHUNK, add_flat, dot_flat, length_of


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])
def test_products_and_sums(count):
    rng = np.random.default_rng(count)
    a, b = rng.normal(size=(2, count))
    assert dot_flat(a, b) == pytest.approx(math.fsum(a * b), rel=1e-12, abs=1e-12)
    assert length_of(np.column_stack([a, b])) == pytest.approx(math.sqrt(math.fsum(a * a) + math.fsum(b * b)))
    total = b.copy()
    add_flat(-0.3, a, total)
    assert total == pytest.approx(b - 0.3 * a, abs=1e-15)
