"""Incomplete factors against dense ones, and what they promise whatever the matrix is."""

import numba
import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver.linear_algebra import incomplete_cholesky
from stiction.solver.linear_algebra.block_matrix import BlockPattern, build_pattern
from stiction.solver.linear_algebra.incomplete_cholesky import IncompleteCholesky, LowerPattern


def chain(count):
    """Pattern of nodes in a row, each joined with the next."""
    return build_pattern(count, [np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)])


def mesh(seed, count=40, elements=60):
    return build_pattern(count, [np.random.default_rng(seed).integers(0, count, (elements, 4))])


def blocks_of(pattern: BlockPattern, seed: int, own: float):
    """Symmetric blocks with noise everywhere, and more on the diagonal."""
    dense = sparse.bsr_array((np.ones((pattern.block_count, 3, 3)), pattern.columns, pattern.offsets)).toarray()
    noise = np.random.default_rng(seed).normal(size=dense.shape)
    dense *= noise + noise.T
    dense += own * np.eye(len(dense))
    return np.ascontiguousarray(sparse.bsr_array(dense, blocksize=(3, 3)).data), dense


def inverse_of(factor, count):
    columns = np.empty((3 * count, 3 * count))
    for place, unit in enumerate(np.eye(3 * count)):
        factor.put(unit, columns[place])
    return columns


def plain_factor(dense):
    """Block rows of a dense matrix by the textbook; blocks that it does not have are left out."""
    count = len(dense) // 3
    at = [slice(3 * i, 3 * i + 3) for i in range(count)]
    L = np.zeros_like(dense)
    for i in range(count):
        for j in range(i):
            if dense[at[i], at[j]].any():
                rest = dense[at[i], at[j]] - L[at[i], : 3 * j] @ L[at[j], : 3 * j].T
                L[at[i], at[j]] = rest @ np.linalg.inv(L[at[j], at[j]]).T
        L[at[i], at[i]] = np.linalg.cholesky(dense[at[i], at[i]] - L[at[i], : 3 * i] @ L[at[i], : 3 * i].T)
    return L


def test_without_fill_the_factor_is_exact():
    pattern = chain(20)
    blocks, dense = blocks_of(pattern, 0, 30.0)
    found = inverse_of(IncompleteCholesky(LowerPattern(pattern), blocks), 20)
    np.testing.assert_allclose(found @ dense, np.eye(60), atol=2e-6)  # blocks are kept in single precision


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_textbooks_factor(seed):
    pattern = mesh(seed)
    blocks, dense = blocks_of(pattern, seed, 80.0)
    L = plain_factor(dense)
    found = inverse_of(IncompleteCholesky(LowerPattern(pattern), blocks), 40)
    np.testing.assert_allclose(found @ (L @ L.T), np.eye(120), atol=2e-6)


def test_blocks_between_parts_are_left_out(monkeypatch):
    monkeypatch.setattr(incomplete_cholesky, "LONGEST_PART", 8)
    pattern = chain(20)
    blocks, dense = blocks_of(pattern, 1, 30.0)
    lower = LowerPattern(pattern)
    assert lower.parts.tolist() == [0, 8, 16, 20]
    apart = np.zeros_like(dense)
    for first, end in ((0, 24), (24, 48), (48, 60)):
        apart[first:end, first:end] = dense[first:end, first:end]
    np.testing.assert_allclose(inverse_of(IncompleteCholesky(lower, blocks), 20) @ apart, np.eye(60), atol=2e-6)


def test_bodies_that_nothing_joins_are_parts():
    pattern = build_pattern(7, [np.array([[0, 1, 2]]), np.array([[3, 4]]), np.array([[5, 6]])])
    assert LowerPattern(pattern).parts.tolist() == [0, 3, 5, 7]


@pytest.mark.parametrize("own", [0.5, 3.0, 10.0])
def test_of_an_indefinite_matrix_it_is_positive_definite(own):
    pattern = mesh(5)
    blocks, dense = blocks_of(pattern, 5, own)
    places = np.flatnonzero(np.repeat(np.arange(40), np.diff(pattern.offsets)) == pattern.columns)
    for axis in range(3):
        blocks[places, axis, axis] = np.abs(blocks[places, axis, axis])
    assert np.linalg.eigvalsh(dense).min() < 0.0
    found = inverse_of(IncompleteCholesky(LowerPattern(pattern), blocks), 40)
    np.testing.assert_allclose(found, found.T, rtol=1e-9, atol=1e-9 * np.abs(found).max())
    assert np.linalg.eigvalsh(found).min() > 0.0


def test_the_bits_do_not_depend_on_the_number_of_threads():
    pattern = build_pattern(60, [np.arange(60).reshape(-1, 4)])
    blocks, _ = blocks_of(pattern, 2, 40.0)
    vector, found = np.random.default_rng(0).normal(size=180), []
    for threads in (1, 2):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        solution = np.empty(180)
        IncompleteCholesky(LowerPattern(pattern), blocks).put(vector, solution)
        found.append(solution)
    numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)
    assert (found[0] == found[1]).all()


def test_a_diagonal_softens_nothing_and_springs_do():
    single, pair = build_pattern(6, []), chain(6)
    blocks = np.tile(2.0 * np.eye(3), (6, 1, 1))
    assert IncompleteCholesky(LowerPattern(single), blocks).softening(np.full(18, 2.0)) == pytest.approx(1.0)
    stiff = np.empty((pair.block_count, 3, 3))
    rows = np.repeat(np.arange(6), np.diff(pair.offsets))
    stiff[rows == pair.columns], stiff[rows != pair.columns] = 2.1 * np.eye(3), -1.0 * np.eye(3)
    factor = IncompleteCholesky(LowerPattern(pair), stiff)
    matrix = sparse.bsr_array((stiff, pair.columns, pair.offsets)).toarray()
    exact = np.trace(np.linalg.inv(matrix)) / (18 / 2.1)
    assert factor.softening(np.full(18, 2.1))[0] == pytest.approx(exact, rel=0.6) and exact > 1.5
