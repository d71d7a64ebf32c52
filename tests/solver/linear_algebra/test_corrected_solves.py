"""Factors of single precision, and what corrections make of their solutions."""

from itertools import pairwise

import numba
import numpy as np
import pytest

from stiction.solver.linear_algebra.corrected_solves import CorrectedSolves
from stiction.solver.linear_algebra.sparse_cholesky import SparseCholesky

from .test_conjugate_gradient import dense, network, random_vectors, rows_of, sheet

SIDE = 24
ROUNDING = float(np.finfo(np.float32).eps)


def factor(pattern, blocks, is_changed=None):
    cholesky = SparseCholesky(*pattern)
    cholesky.factorize(blocks, is_changed, np.float32)
    return cholesky


def exact(pattern, blocks, right):
    return np.linalg.solve(dense(pattern, blocks), right.ravel()).reshape(-1, 3)


def error(solution, expected):
    return np.abs(solution - expected).max() / np.abs(expected).max()


def condition(pattern, blocks):
    return np.linalg.cond(dense(pattern, blocks))


@pytest.mark.parametrize("ground", [1.0, 1e-2, 1e-4])
def test_a_single_precision_factor_is_off_by_rounding_times_the_condition(ground):
    pattern = sheet(SIDE)
    blocks, right = network(pattern, ground), random_vectors(SIDE * SIDE)
    solution = np.empty_like(right)
    factor(pattern, blocks).solve(right, solution)
    off = error(solution, exact(pattern, blocks, right))
    assert 0.1 * ROUNDING < off < ROUNDING * condition(pattern, blocks)


@pytest.mark.parametrize("nodes", [[0], [300], [3, 575, 299]])
def test_what_comes_before_new_values_keeps_its_single_precision_factor(nodes):
    pattern = sheet(SIDE)
    before, is_changed = network(pattern), np.zeros(SIDE * SIDE, bool)
    is_changed[nodes] = True
    is_new = (rows_of(pattern) == pattern.columns) & is_changed[rows_of(pattern)]
    after = np.where(is_new[:, None, None], 3.0 * before, before)
    cholesky, right = factor(pattern, before), random_vectors(SIDE * SIDE)
    cholesky.factorize(after, is_changed, np.float32)
    solution, expected = np.empty_like(right), np.empty_like(right)
    cholesky.solve(right, solution)
    factor(pattern, after).solve(right, expected)
    assert np.array_equal(solution, expected)


def test_another_precision_makes_a_new_factor():
    pattern, right = sheet(SIDE), random_vectors(SIDE * SIDE)
    blocks, is_changed = network(pattern), np.zeros(SIDE * SIDE, bool)
    cholesky, anew = factor(pattern, blocks), SparseCholesky(*pattern)
    cholesky.factorize(blocks, is_changed)
    anew.factorize(blocks)
    solution, expected = np.empty_like(right), np.empty_like(right)
    cholesky.solve(right, solution)
    anew.solve(right, expected)
    assert np.array_equal(solution, expected)


def test_each_correction_gains_the_digits_that_the_first_solution_had():
    pattern = sheet(SIDE)
    blocks, right = network(pattern, 1e-3), random_vectors(SIDE * SIDE)
    expected, solution = exact(pattern, blocks, right), np.empty_like(right)
    solves, errors = CorrectedSolves(factor(pattern, blocks), pattern), []
    for _ in range(3):
        solves.solve(blocks, right, solution)
        errors.append(error(solution, expected))
    assert 1e-7 < errors[0] < 1e-2
    for before, after in pairwise(errors):
        assert after < max(10.0 * errors[0] * before, 1e-11)


@pytest.mark.parametrize("ground", [1.0, 1e-3, 1e-5])
def test_what_is_corrected_is_right_to_six_digits(ground):
    pattern = sheet(SIDE)
    blocks, right = network(pattern, ground), random_vectors(SIDE * SIDE)
    solution = np.empty_like(right)
    CorrectedSolves(factor(pattern, blocks), pattern).correct(blocks, right, solution)
    assert error(solution, exact(pattern, blocks, right)) < 1e-6


def test_a_part_is_off_by_rounding_of_what_has_changed_only():
    pattern, ground = sheet(SIDE), 1e-2
    blocks, before = network(pattern, ground), random_vectors(SIDE * SIDE)
    is_chosen = np.zeros(SIDE * SIDE, bool)
    is_chosen[[5, 17, 300]] = True
    after = np.where(is_chosen[:, None], before + 1e-3, before)
    cholesky = factor(pattern, blocks)
    solves, part = CorrectedSolves(cholesky, pattern), cholesky.part_above(is_chosen)
    solution = np.empty_like(before)
    solves.correct(blocks, before, solution)
    whole = solution.copy()
    solves.solve_part(part, after, solution)
    expected, change = exact(pattern, blocks, after), np.abs(exact(pattern, blocks, after - before)).max()
    off = np.abs(solution - expected)[part.nodes].max()
    assert 0.0 < off < 1e-4 * change + 1e-6 * np.abs(whole).max()
    is_other = ~np.isin(np.arange(SIDE * SIDE), part.nodes)
    assert is_other.any() and np.array_equal(solution[is_other], whole[is_other])


def test_corrected_solutions_have_the_same_bits_on_any_number_of_threads():
    pattern = sheet(100)  # large enough that several threads factorize
    blocks, right = network(pattern, 1e-2), random_vectors(100 * 100)
    solutions = []
    before = numba.get_num_threads()
    for count in (1, 2):
        numba.set_num_threads(min(count, numba.config.NUMBA_NUM_THREADS))
        solutions.append(np.empty_like(right))
        CorrectedSolves(factor(pattern, blocks), pattern).correct(blocks, right, solutions[-1])
    numba.set_num_threads(before)
    assert np.array_equal(*solutions)
