"""The sparse Cholesky against dense and general solvers, for patterns of meshes and for odd ones."""

import subprocess
import sys

import numba
import numpy as np
import pytest
import scipy.sparse as sparse
import scipy.sparse.linalg
import scipy.spatial

from stiction.solver.linear_algebra.nested_dissection import dissect
from stiction.solver.linear_algebra.sparse_cholesky import NotPositiveDefinite, SparseCholesky


def pattern(node_count, pairs):
    """Block-CSR offsets and columns of a graph's edges and its diagonal."""
    i, j = np.reshape(pairs, (-1, 2)).T
    diagonal = np.arange(node_count)
    rows, columns = np.concatenate([i, j, diagonal]), np.concatenate([j, i, diagonal])
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(node_count, node_count))
    matrix.sum_duplicates()
    return matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)


def lattice(*sides, reach=1):
    """Pattern and positions of a grid whose nodes are joined with all that are at most `reach` away along each axis."""
    positions = np.stack(np.meshgrid(*[np.arange(side) for side in sides], indexing="ij"), -1).reshape(-1, len(sides))
    tree = scipy.spatial.cKDTree(positions)
    pairs = tree.query_pairs(reach + 0.5, p=np.inf, output_type="ndarray")
    in_space = np.zeros((len(positions), 3))
    in_space[:, : len(sides)] = positions
    return *pattern(len(positions), pairs), in_space


def random_graph(node_count, edge_count, seed):
    return pattern(node_count, np.random.default_rng(seed).integers(0, node_count, (edge_count, 2)))


def row_of_blocks(offsets):
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def stiffness(offsets, columns, seed=0, scales=(1.0, 1.0), ground=1e-2):
    """Blocks of a network of springs with random 3 × 3 stiffnesses between `scales`, each node held by `ground`."""
    random = np.random.default_rng(seed)
    rows = row_of_blocks(offsets)
    _, edges = np.unique(np.stack([np.minimum(rows, columns), np.maximum(rows, columns)]), axis=1, return_inverse=True)
    edges = edges.reshape(-1)
    factors = random.normal(size=(edges.max() + 1, 3, 3))
    springs = factors @ factors.transpose(0, 2, 1)
    springs *= np.exp(random.uniform(*np.log(scales), len(springs)))[:, None, None]
    blocks = -springs[edges]
    is_diagonal = rows == columns
    blocks[is_diagonal] = 0.0
    sums = np.zeros((len(offsets) - 1, 3, 3))
    np.add.at(sums, rows, -blocks)
    blocks[is_diagonal] = sums + ground * np.eye(3)
    return blocks


def as_sparse(offsets, columns, blocks):
    return sparse.bsr_matrix((blocks, columns, offsets)).tocsc()


def solved(cholesky, right_hand_side):
    solution = np.full_like(right_hand_side, np.nan)
    cholesky.solve(right_hand_side, solution)
    return solution


def assert_solves(offsets, columns, positions=None, seed=0):
    """Backward stable: the residual is a rounding error of A x."""
    blocks = stiffness(offsets, columns, seed)
    cholesky = SparseCholesky(offsets, columns, positions)
    cholesky.factorize(blocks)
    matrix = as_sparse(offsets, columns, blocks)
    right_hand_side = np.random.default_rng(seed).normal(size=(len(offsets) - 1, 3))
    solution = solved(cholesky, right_hand_side)
    assert backward_error(matrix, solution, right_hand_side) < 1e-14
    expected = scipy.sparse.linalg.splu(matrix).solve(right_hand_side.ravel()).reshape(-1, 3)
    np.testing.assert_allclose(solution, expected, rtol=0, atol=1e-10 * abs(expected).max())


def backward_error(matrix, solution, right_hand_side):
    residual = abs(matrix @ solution.ravel() - right_hand_side.ravel()).max()
    return residual / (abs(matrix).sum(axis=1).max() * abs(solution).max() + abs(right_hand_side).max())


CHAIN = [(i, i + 1) for i in range(299)]
STAR = [(0, i) for i in range(1, 300)]


@pytest.mark.parametrize("knows_positions", [False, True])
@pytest.mark.parametrize("sides, reach", [((30, 25), 1), ((25, 20), 2), ((200, 2), 1), ((9, 8, 7), 1), ((8, 8, 8), 2)])
def test_solves_sheets_and_solids(sides, reach, knows_positions):
    offsets, columns, positions = lattice(*sides, reach=reach)
    assert_solves(offsets, columns, positions if knows_positions else None)


@pytest.mark.parametrize("seed", range(6))
def test_solves_random_patterns(seed):
    assert_solves(*random_graph(40 * (seed + 1), 60 * (seed + 1), seed), seed=seed)


@pytest.mark.parametrize("pairs", [CHAIN, STAR, CHAIN + STAR, [(i, j) for i in range(60) for j in range(i)], []])
def test_solves_chain_star_complete_and_diagonal_patterns(pairs):
    assert_solves(*pattern(300, pairs))


@pytest.mark.parametrize("count", range(1, 30))
def test_solves_every_small_number_of_nodes(count):
    assert_solves(*pattern(count, [(i, i + 1) for i in range(count - 1)] + [(0, count - 1)]))


def test_solves_disconnected_parts():
    offsets, columns, _ = lattice(15, 15)
    rows = row_of_blocks(offsets)
    pairs = [np.column_stack([rows, columns]) + 225 * part for part in range(5)]
    assert_solves(*pattern(5 * 225 + 40, np.concatenate(pairs)))


def test_solves_any_numbering():
    offsets, columns, positions = lattice(20, 20, reach=2)
    shuffled = np.random.default_rng(3).permutation(400)
    pairs = np.column_stack([shuffled[row_of_blocks(offsets)], shuffled[columns]])
    moved = np.empty_like(positions)
    moved[shuffled] = positions
    assert_solves(*pattern(400, pairs), moved)


def test_coincident_positions_are_no_obstacle():
    offsets, columns, positions = lattice(12, 12)
    assert_solves(offsets, columns, np.zeros_like(positions))


def test_agrees_with_dense_cholesky():
    offsets, columns, positions = lattice(7, 6)
    blocks = stiffness(offsets, columns)
    cholesky = SparseCholesky(offsets, columns, positions)
    cholesky.factorize(blocks)
    right_hand_side = np.random.default_rng(1).normal(size=(42, 3))
    dense = as_sparse(offsets, columns, blocks).toarray()
    expected = np.linalg.solve(dense, right_hand_side.ravel()).reshape(-1, 3)
    np.testing.assert_allclose(solved(cholesky, right_hand_side), expected, rtol=1e-10, atol=1e-12)


def changed_diagonals(offsets, columns, values, nodes):
    """Values with other diagonal blocks at some nodes, and which nodes (n,) bool these are."""
    rows = row_of_blocks(offsets)
    is_changed = np.zeros(len(offsets) - 1, bool)
    is_changed[nodes] = True
    is_new = (rows == columns) & is_changed[rows]
    return np.where(is_new[:, None, None], 3.0 * values, values), is_changed


@pytest.mark.parametrize("nodes", [[], [0], [450], [3, 899, 431], range(900)])
def test_what_comes_before_new_values_keeps_its_factor(nodes):
    offsets, columns, positions = lattice(30, 30)
    cholesky, fresh = (SparseCholesky(offsets, columns, positions) for _ in range(2))
    old_values = stiffness(offsets, columns)
    new_values, is_changed = changed_diagonals(offsets, columns, old_values, list(nodes))
    cholesky.factorize(old_values)
    cholesky.factorize(new_values, is_changed)
    fresh.factorize(new_values)
    right_hand_side = np.random.default_rng(1).normal(size=(900, 3))
    assert np.array_equal(solved(cholesky, right_hand_side), solved(fresh, right_hand_side))


def test_factors_of_parts_that_are_not_connected_do_not_read_new_values():
    offsets, columns, _ = lattice(15, 15)
    pairs = np.column_stack([row_of_blocks(offsets), columns])
    offsets, columns = pattern(3 * 225, np.concatenate([pairs + 225 * part for part in range(3)]))
    cholesky, fresh = SparseCholesky(offsets, columns), SparseCholesky(offsets, columns)
    old_values = stiffness(offsets, columns)
    new_values, is_changed = changed_diagonals(offsets, columns, old_values, [230])
    is_connected = (row_of_blocks(offsets) // 225 == 1)[:, None, None]
    cholesky.factorize(old_values)
    cholesky.factorize(np.where(is_connected, new_values, np.nan), is_changed)
    fresh.factorize(new_values)
    right_hand_side = np.random.default_rng(1).normal(size=(3 * 225, 3))
    assert np.array_equal(solved(cholesky, right_hand_side), solved(fresh, right_hand_side))


@pytest.mark.parametrize("nodes", [[0], [450], [3, 899, 431], range(900)])
def test_only_what_comes_after_new_right_hand_sides_is_solved_again_to_the_same_bits(nodes):
    offsets, columns, positions = lattice(30, 30)
    cholesky = SparseCholesky(offsets, columns, positions)
    cholesky.factorize(stiffness(offsets, columns))
    random = np.random.default_rng(1)
    before, is_chosen = random.normal(size=(900, 3)), np.zeros(900, bool)
    is_chosen[list(nodes)] = True
    after = np.where(is_chosen[:, None], random.normal(size=(900, 3)), before)
    whole = solved(cholesky, after)
    part = cholesky.part_above(is_chosen)
    assert is_chosen[part.nodes].sum() == is_chosen.sum()
    solution = solved(cholesky, before)
    expected = solution.copy()
    expected[part.nodes] = whole[part.nodes]
    cholesky.solve_part(part, after, solution)
    assert np.array_equal(solution, expected)
    assert len(part.nodes) < 900 or len(nodes) > 3


def test_a_part_is_solved_by_itself_to_the_same_bits():
    offsets, columns, _ = lattice(9, 8)
    pairs = np.column_stack([row_of_blocks(offsets), columns])
    offsets, columns = pattern(80 * 72, np.concatenate([pairs + 72 * part for part in range(80)]))
    cholesky = SparseCholesky(offsets, columns)
    cholesky.factorize(stiffness(offsets, columns))
    right_hand_side = np.random.default_rng(1).normal(size=(80 * 72, 3))
    whole = solved(cholesky, right_hand_side)
    is_chosen = np.zeros(80 * 72, bool)
    is_chosen[[5, 3 * 72 + 7, 79 * 72]] = True
    is_connected = np.repeat(is_chosen.reshape(80, 72).any(axis=1), 72)[:, None]
    solution = np.full_like(whole, 7.0)
    cholesky.solve_part(cholesky.part_with(is_chosen), np.where(is_connected, right_hand_side, np.nan), solution)
    assert np.array_equal(solution, np.where(is_connected, whole, 7.0))


def test_new_values_replace_old_ones():
    offsets, columns, _ = lattice(15, 15)
    cholesky, fresh = SparseCholesky(offsets, columns), SparseCholesky(offsets, columns)
    right_hand_side = np.ones((225, 3))
    cholesky.factorize(stiffness(offsets, columns, seed=1))
    solved(cholesky, right_hand_side)
    new_values = stiffness(offsets, columns, seed=2)
    cholesky.factorize(new_values)
    fresh.factorize(new_values)
    assert np.array_equal(solved(cholesky, right_hand_side), solved(fresh, right_hand_side))


def test_solution_may_overwrite_the_right_hand_side():
    offsets, columns, _ = lattice(6, 6)
    cholesky = SparseCholesky(offsets, columns)
    cholesky.factorize(stiffness(offsets, columns))
    values = np.random.default_rng(0).normal(size=(36, 3))
    expected = solved(cholesky, values)
    cholesky.solve(values, values)
    assert np.array_equal(values, expected)


@pytest.mark.parametrize("spoilt, axis", [(0, 0), (77, 1), (224, 2)])
@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_refuses_what_is_not_positive_definite(spoilt, axis, value):
    offsets, columns, _ = lattice(15, 15)
    blocks = stiffness(offsets, columns)
    right_values = blocks.copy()
    diagonal = np.flatnonzero(row_of_blocks(offsets) == columns)
    blocks[diagonal[spoilt], axis, axis] = value
    cholesky = SparseCholesky(offsets, columns)
    with pytest.raises(NotPositiveDefinite, match="node"):
        cholesky.factorize(blocks)
    with pytest.raises(RuntimeError, match="factorize first"):
        solved(cholesky, np.ones((225, 3)))
    cholesky.factorize(right_values)
    assert np.all(np.isfinite(solved(cholesky, np.ones((225, 3)))))


def test_names_the_node_without_a_pivot():
    offsets, columns = pattern(20, [])
    blocks = np.tile(np.eye(3), (20, 1, 1))
    blocks[13, 2, 2] = 0.0
    with pytest.raises(NotPositiveDefinite) as refusal:
        SparseCholesky(offsets, columns).factorize(blocks)
    assert (refusal.value.node, refusal.value.axis) == (13, 2)


@pytest.fixture(scope="module")
def large():
    """Large enough that several threads are used for the factor and for the solve."""
    offsets, columns, positions = lattice(18, 18, 18)
    return offsets, columns, positions, stiffness(offsets, columns)


def bits_on_threads(large, count):
    offsets, columns, positions, blocks = large
    before = numba.get_num_threads()
    numba.set_num_threads(min(count, numba.config.NUMBA_NUM_THREADS))
    try:
        cholesky = SparseCholesky(offsets, columns, positions)
        cholesky.factorize(blocks)
        return solved(cholesky, np.random.default_rng(5).normal(size=positions.shape))
    finally:
        numba.set_num_threads(before)


def test_same_bits_on_any_number_of_threads(large):
    expected = bits_on_threads(large, 1)
    assert np.all(np.isfinite(expected))
    for count in (1, 2, 2, 4):
        assert np.array_equal(bits_on_threads(large, count), expected)


PRINT_DIGEST = """
import hashlib, importlib.util, sys
spec = importlib.util.spec_from_file_location("tests_of_cholesky", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
offsets, columns, positions = module.lattice(12, 12, 12)
cholesky = module.SparseCholesky(offsets, columns, positions)
cholesky.factorize(module.stiffness(offsets, columns))
print(hashlib.sha256(module.solved(cholesky, positions).tobytes()).hexdigest())
"""


def test_same_bits_in_another_process():
    digests = {subprocess.check_output([sys.executable, "-c", PRINT_DIGEST, __file__]) for _ in range(2)}
    assert len(digests) == 1


@pytest.mark.parametrize("sides", [(20, 20), (8, 8, 8)])
def test_stiffnesses_of_fifteen_decades_keep_a_small_residual(sides):
    """‖b − A x‖ ≤ 1e-10 ‖A‖ ‖x‖ however ill-conditioned; with b = A x also relative to b."""
    offsets, columns, positions = lattice(*sides)
    blocks = stiffness(offsets, columns, scales=(1e-6, 1e9), ground=1e-6)
    matrix = as_sparse(offsets, columns, blocks)
    cholesky = SparseCholesky(offsets, columns, positions)
    cholesky.factorize(blocks)
    wanted = np.random.default_rng(2).normal(size=positions.shape)
    right_hand_side = (matrix @ wanted.ravel()).reshape(-1, 3)
    solution = solved(cholesky, right_hand_side)
    assert backward_error(matrix, solution, right_hand_side) < 1e-14
    residual = matrix @ solution.ravel() - right_hand_side.ravel()
    assert np.linalg.norm(residual) <= 1e-10 * np.linalg.norm(right_hand_side)


@pytest.mark.parametrize("sides, reach", [((60, 60), 2), ((14, 14, 14), 1)])
def test_fill_is_near_that_of_minimum_degree_on_small_meshes(sides, reach):
    """Padding included. On large meshes it is lower, which the benchmarks show."""
    offsets, columns, _ = lattice(*sides, reach=reach)
    blocks = stiffness(offsets, columns)
    options = {"SymmetricMode": True}
    peer = scipy.sparse.linalg.splu(
        as_sparse(offsets, columns, blocks), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options
    )
    assert SparseCholesky(offsets, columns).factor_numbers < 1.35 * peer.L.nnz


def test_an_order_is_a_permutation_and_its_parts_are_small():
    offsets, columns, positions = lattice(40, 40)
    for known in (None, positions):
        order, starts = dissect(offsets, columns, known)
        assert np.array_equal(np.sort(order), np.arange(1600))
        assert starts[0] == 0 and np.all(np.diff(starts) > 0)
        assert np.diff(np.append(starts, 1600)).max() <= 80  # a cut along the diagonal, two nodes wide
