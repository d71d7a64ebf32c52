"""The signed singular value decomposition holds for every 3 × 3 matrix."""

import numpy as np
import pytest

from stiction.solver.linear_algebra.svd3 import polar3, positive_part3, svd3

ROUND_OFF = 2e-15


def rows(matrix):
    return tuple(tuple(float(value) for value in row) for row in matrix)


def rotation(random):
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q *= np.sign(np.diag(r))
    return q * np.linalg.det(q)


def check(matrix):
    u, stretches, v = (np.array(part) for part in svd3(rows(matrix)))
    size = np.abs(matrix).max()
    np.testing.assert_allclose(u @ np.diag(stretches) @ v.T, matrix, rtol=0, atol=4 * ROUND_OFF * size)
    for side in (u, v):
        np.testing.assert_allclose(side.T @ side, np.eye(3), rtol=0, atol=4 * ROUND_OFF)
        assert np.linalg.det(side) > 0.0
    assert stretches[0] >= stretches[1] - ROUND_OFF * size >= abs(stretches[2]) - 2 * ROUND_OFF * size
    np.testing.assert_allclose(
        np.abs(stretches), np.linalg.svd(matrix, compute_uv=False), rtol=0, atol=4 * ROUND_OFF * size
    )
    return stretches


@pytest.mark.parametrize("scale", 10.0 ** np.arange(-200.0, 201.0, 50.0))
def test_random_matrices_of_any_scale_are_decomposed(scale):
    random = np.random.default_rng(1)
    for _ in range(100):
        matrix = scale * random.normal(size=(3, 3))
        stretches = check(matrix)
        assert np.sign(stretches[2]) == np.sign(np.linalg.det(matrix / scale))


DEGENERATE = [(1, 1, 1), (2, 1, 1), (2, 2, 1), (1, 1, 0), (1, 0, 0), (0, 0, 0), (1, 1, -1), (3, 2, -2), (1, 1, 1e-9)]
DEGENERATE += [(1, 1 + 1e-12, 1 - 1e-12), (1e8, 1, 1e-8), (1, 1e-160, -1e-170), (1e-9, 1e-9, -1e-9)]


@pytest.mark.parametrize("singular_values", DEGENERATE)
def test_repeated_zero_and_negative_values_are_decomposed(singular_values):
    random = np.random.default_rng(2)
    check(np.diag(singular_values).astype(float))
    for _ in range(50):
        check(rotation(random) @ np.diag(singular_values) @ rotation(random))


def test_small_singular_values_keep_their_digits():
    """Columns of very different length: an eigenvalue solution of mᵀm would lose the small ones."""
    random = np.random.default_rng(3)
    u = rotation(random)
    _, stretches, _ = svd3(rows(u @ np.diag([1.0, 1e-10, 1e-20])))
    np.testing.assert_allclose(stretches[:2], [1.0, 1e-10], rtol=1e-5)


def test_polar_part_is_a_rotation_even_of_a_reflection():
    random = np.random.default_rng(4)
    for singular_values in [(2, 1, 0.5), (1, 1, -0.2), (1, 0.5, 0), (0, 0, 0)]:
        matrix = rotation(random) @ np.diag(singular_values) @ rotation(random)
        r, s = (np.array(part) for part in polar3(rows(matrix)))
        np.testing.assert_allclose(r @ s, matrix, atol=1e-14)
        np.testing.assert_allclose(s, s.T, atol=1e-14)
        np.testing.assert_allclose(r.T @ r, np.eye(3), atol=1e-14)
        assert np.linalg.det(r) > 0.0


def test_positive_part_clamps_exactly_the_negative_eigenvalues():
    random = np.random.default_rng(5)
    for _ in range(200):
        q = rotation(random)
        eigenvalues = random.normal(size=3)
        m, wanted = (q @ np.diag(values) @ q.T for values in (eigenvalues, np.maximum(eigenvalues, 0.0)))
        diagonal, off = positive_part3(tuple(np.diag(m)), (m[1, 2], m[0, 2], m[0, 1]))
        part = np.diag(diagonal) + np.array([[0, off[2], off[1]], [off[2], 0, off[0]], [off[1], off[0], 0]])
        np.testing.assert_allclose(part, wanted, atol=1e-14)
