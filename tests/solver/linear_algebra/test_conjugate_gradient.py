"""Conjugate gradients against dense solutions, the sparse Cholesky, and what theory says of their number."""

import math

import numba
import numpy as np
import pytest

from stiction.solver.linear_algebra.block_jacobi import BlockJacobi
from stiction.solver.linear_algebra.block_matrix import BlockPattern, build_pattern
from stiction.solver.linear_algebra.conjugate_gradient import ConjugateGradient
from stiction.solver.linear_algebra.errors import NotPositiveDefinite
from stiction.solver.linear_algebra.sparse_cholesky import SparseCholesky


def chain(count):
    return build_pattern(count, [np.column_stack([np.arange(count - 1), np.arange(1, count)]).astype(np.int32)])


def sheet(side):
    node = np.arange(side * side, dtype=np.int32).reshape(side, side)
    squares = [node[:-1, :-1], node[1:, :-1], node[:-1, 1:], node[1:, 1:]]
    return build_pattern(side * side, [np.column_stack([corner.ravel() for corner in squares])])


def rows_of(pattern):
    return np.repeat(np.arange(len(pattern.offsets) - 1), np.diff(pattern.offsets))


def network(pattern, ground=0.1, seed=0):
    """Blocks of random springs between neighbours, each node held by `ground`."""
    rows, columns = rows_of(pattern), pattern.columns
    pairs = np.minimum(rows, columns) * len(pattern.offsets) + np.maximum(rows, columns)
    _, edges = np.unique(pairs, return_inverse=True)
    factors = np.random.default_rng(seed).normal(size=(edges.max() + 1, 3, 3))
    blocks = -(factors @ factors.transpose(0, 2, 1))[edges]
    blocks[rows == columns] = 0.0
    sums = np.zeros((len(pattern.offsets) - 1, 3, 3))
    np.add.at(sums, rows, -blocks)
    blocks[rows == columns] = sums + ground * np.eye(3)
    return blocks


def dense(pattern, blocks):
    count = len(pattern.offsets) - 1
    full = np.zeros((count, 3, count, 3))
    full[rows_of(pattern), :, pattern.columns, :] = blocks
    return full.reshape(3 * count, 3 * count)


def random_vectors(count, seed=1):
    return np.random.default_rng(seed).normal(size=(count, 3))


def solved(solver, right):
    solution = np.full_like(right, np.nan)
    return solution, solver.solve(right, solution)


def with_values(pattern, blocks, **settings):
    solver = ConjugateGradient(*pattern, **settings)
    solver.factorize(blocks)
    return solver


@pytest.mark.parametrize("tolerance", [1e-3, 1e-8, 1e-12])
def test_error_is_bounded_by_tolerance_and_condition(tolerance):
    """‖x − A⁻¹ b‖ ≤ ‖A⁻¹‖ ‖b − A x‖, and the residual that is reported is that of the solution."""
    pattern = sheet(9)
    blocks = network(pattern)
    matrix, right = dense(pattern, blocks), random_vectors(81)
    solution, convergence = solved(with_values(pattern, blocks, tolerance=tolerance), right)
    residual = np.linalg.norm(right.ravel() - matrix @ solution.ravel()) / np.linalg.norm(right)
    rounding = 1e-15 * np.linalg.norm(matrix, 2) * np.linalg.norm(solution) / np.linalg.norm(right)
    assert convergence.is_reached and convergence.residual <= tolerance
    assert abs(residual - convergence.residual) <= 10 * rounding
    error = np.linalg.norm(solution.ravel() - np.linalg.solve(matrix, right.ravel()))
    assert error <= 1.01 * np.linalg.norm(np.linalg.inv(matrix), 2) * tolerance * np.linalg.norm(right)


def test_agrees_with_the_sparse_cholesky():
    pattern = sheet(25)
    blocks, right = network(pattern), random_vectors(625)
    cholesky = SparseCholesky(*pattern)
    cholesky.factorize(blocks)
    expected, _ = solved(cholesky, right)
    solution, convergence = solved(with_values(pattern, blocks, tolerance=1e-13), right)
    assert convergence.is_reached
    np.testing.assert_allclose(solution, expected, rtol=0, atol=1e-9 * abs(expected).max())


def test_block_jacobi_solves_a_block_diagonal_matrix_at_once():
    pattern = BlockPattern(np.arange(51, dtype=np.int32), np.arange(50, dtype=np.int32))
    factors = np.random.default_rng(3).normal(size=(50, 3, 3))
    blocks = 10.0 ** np.linspace(-12, 12, 50)[:, None, None] * (factors @ factors.transpose(0, 2, 1) + np.eye(3))
    right = random_vectors(50)
    solution, convergence = solved(with_values(pattern, blocks, tolerance=1e-13), right)
    assert convergence.iterations == 1
    expected = np.linalg.solve(blocks, right[:, :, None])[:, :, 0]
    np.testing.assert_allclose(solution, expected, rtol=1e-12)  # the condition of single blocks, not of all


def test_block_jacobi_is_the_inverse_of_the_block_diagonal():
    pattern = sheet(6)
    blocks, right = network(pattern, seed=4), random_vectors(36)
    jacobi = BlockJacobi(pattern)
    jacobi.factorize(blocks)
    diagonal = blocks[rows_of(pattern) == pattern.columns]
    expected = np.linalg.solve(diagonal, right[:, :, None])[:, :, 0]
    jacobi.solve(right, right)
    np.testing.assert_allclose(right, expected, rtol=1e-10)


def test_its_own_factor_as_preconditioner_takes_one_iteration():
    pattern = sheet(12)
    blocks, right = network(pattern), random_vectors(144)
    cholesky = SparseCholesky(*pattern)
    cholesky.factorize(blocks)
    _, convergence = solved(with_values(pattern, blocks, preconditioner=cholesky, tolerance=1e-10), right)
    assert convergence.iterations == 1


def test_a_factor_of_old_values_is_a_better_preconditioner_than_block_jacobi():
    pattern = sheet(20)
    blocks, right = network(pattern, ground=1e-3), random_vectors(400)
    cholesky = SparseCholesky(*pattern)
    cholesky.factorize(1.1 * blocks + 0.02 * network(pattern, seed=7))
    _, by_factor = solved(with_values(pattern, blocks, preconditioner=cholesky), right)
    _, by_blocks = solved(with_values(pattern, blocks), right)
    assert by_factor.is_reached and by_blocks.is_reached
    assert by_factor.iterations < 0.2 * by_blocks.iterations


def test_as_many_iterations_as_there_are_eigenvalues():
    """A chain of two nodes: A = [[2, −1], [−1, 2]] ⊗ 1 has two; block Jacobi does not change their number."""
    pattern = chain(2)
    blocks = np.where((rows_of(pattern) == pattern.columns)[:, None, None], 2.0, -1.0) * np.eye(3)
    _, convergence = solved(with_values(pattern, blocks, tolerance=1e-13), random_vectors(2))
    assert convergence.iterations == 2


def test_iterations_keep_the_bound_of_the_condition():
    """In A's norm the error falls as 2 ((√κ − 1) / (√κ + 1))ᵏ; the residual, which is measured, as √κ times that."""
    count = 200
    pattern = chain(count)
    is_diagonal = rows_of(pattern) == pattern.columns
    ground = 0.01
    blocks = np.where(is_diagonal[:, None, None], 2.0 + ground, -1.0) * np.eye(3)
    largest, smallest = (2.0 + ground - 2.0 * math.cos(angle) for angle in (math.pi, 0.0))
    root = math.sqrt(largest / smallest)
    tolerance = 1e-8
    _, convergence = solved(with_values(pattern, blocks, tolerance=tolerance), random_vectors(count))
    bound = math.log(tolerance / (2.0 * root)) / math.log((root - 1.0) / (root + 1.0))
    assert convergence.is_reached
    assert convergence.iterations <= math.ceil(bound)


def test_too_few_iterations_are_told():
    pattern = chain(300)
    blocks = network(pattern, ground=1e-6)
    solution, convergence = solved(with_values(pattern, blocks, iterations=5), random_vectors(300))
    assert convergence.iterations == 5
    assert not convergence.is_reached and convergence.residual > 1e-8
    assert np.all(np.isfinite(solution))


def test_a_tolerance_below_rounding_ends_with_a_small_residual():
    pattern = sheet(12)
    solution, convergence = solved(with_values(pattern, network(pattern), tolerance=0.0), random_vectors(144))
    assert convergence.residual < 1e-12 and convergence.iterations < 2000
    assert np.all(np.isfinite(solution))


@pytest.mark.parametrize("scale", [1e-250, 1e-30, 1.0, 1e30, 1e250])
def test_any_unit_of_the_right_hand_side_gives_the_same_solution(scale):
    pattern = sheet(8)
    solver, right = with_values(pattern, network(pattern)), random_vectors(64)
    expected, _ = solved(solver, right)
    solution, convergence = solved(solver, scale * right)
    assert convergence.is_reached
    np.testing.assert_allclose(solution / scale, expected, rtol=1e-6)


def test_nothing_comes_of_nothing():
    pattern = chain(4)
    solution, convergence = solved(with_values(pattern, network(pattern)), np.zeros((4, 3)))
    assert not solution.any()
    assert convergence == (0, 0.0, True)


def test_solution_may_overwrite_the_right_hand_side():
    pattern = sheet(8)
    solver, values = with_values(pattern, network(pattern)), random_vectors(64)
    expected, _ = solved(solver, values)
    solver.solve(values, values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("value", [-1.0, 0.0, np.nan, np.inf])
def test_names_the_node_without_a_pivot(value):
    pattern = chain(40)
    blocks = network(pattern)
    diagonal = np.flatnonzero(rows_of(pattern) == pattern.columns)
    blocks[diagonal[13], 2, :2] = blocks[diagonal[13], :2, 2] = 0.0
    blocks[diagonal[13], 2, 2] = value
    with pytest.raises(NotPositiveDefinite) as refusal:
        ConjugateGradient(*pattern).factorize(blocks)
    assert (refusal.value.node, refusal.value.axis) == (13, 2)


@pytest.mark.parametrize("value", [3.0, np.nan, np.inf])
def test_refuses_what_is_indefinite_only_as_a_whole(value):
    """Diagonal blocks are positive; two nodes pull each other more than they are held."""
    pattern = chain(30)
    blocks = np.where((rows_of(pattern) == pattern.columns)[:, None, None], 1.0, 0.0) * np.eye(3)
    pull = np.diag([value, value, value])
    blocks[(rows_of(pattern) == 9) & (pattern.columns == 10)] = pull
    blocks[(rows_of(pattern) == 10) & (pattern.columns == 9)] = pull
    with pytest.raises(NotPositiveDefinite) as refusal:
        solved(with_values(pattern, blocks), np.linspace(-1.0, 1.0, 90).reshape(30, 3))
    assert refusal.value.node in (9, 10)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_refuses_a_right_hand_side_that_is_no_number(value):
    pattern = chain(5)
    right = random_vectors(5)
    right[3, 1] = value
    with pytest.raises(ValueError, match="infinite or undefined"):
        solved(with_values(pattern, network(pattern)), right)


def test_solve_needs_values():
    with pytest.raises(RuntimeError, match="factorize first"):
        solved(ConjugateGradient(*chain(3)), np.ones((3, 3)))


def test_same_bits_on_any_number_of_threads():
    pattern = sheet(40)  # several chunks
    blocks, right = network(pattern), random_vectors(1600)
    before = numba.get_num_threads()
    results = []
    try:
        for threads in (1, 2, 4, 2):
            numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
            results.append(solved(with_values(pattern, blocks), right))
    finally:
        numba.set_num_threads(before)
    for solution, convergence in results[1:]:
        assert np.array_equal(solution, results[0][0])
        assert convergence == results[0][1]
