"""The sparse Cholesky on a shell and on solids, against SuperLU and CHOLMOD, on one thread and on all."""

import importlib.util

import numba
import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from stiction.solver.linear_algebra.conjugate_gradient import ConjugateGradient
from stiction.solver.linear_algebra.sparse_cholesky import SparseCholesky

from .report import Row
from .timing import best_seconds

TITLE = "Linear systems of cloth and solids"
SHELL_SIDE = 165  # 27k vertices, 82k unknowns
SOLIDS = {"solid of 17k nodes": (26, 26, 25), "solid of 151k tetrahedra": (30, 30, 31)}
PEER_SHELL_SIDE = 80  # SuperLU takes seconds and minutes on the large ones
PEER_SOLID = (13, 13, 13)
GROUND = 1e-3  # of the springs' stiffness: what mass adds to each node
BOUND = 1.0  # the peers' time

# The six tetrahedra of a cube around its diagonal; a corner's number has the bits x, y, z.
TETRAHEDRA_OF_CUBE = [(0, 1, 3, 7), (0, 1, 5, 7), (0, 2, 3, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 4, 6, 7)]


def measure() -> list[Row]:
    rows = _against_superlu("shell", *_shell(PEER_SHELL_SIDE))
    rows += _against_superlu("solid", *_solid(PEER_SOLID))
    meshes = {f"shell of {SHELL_SIDE**2 // 1000}k vertices": _shell(SHELL_SIDE)}
    meshes |= {name: _solid(sides) for name, sides in SOLIDS.items()}
    for name, mesh in meshes.items():
        rows += _against_cholmod(name, *mesh)
        rows.append(_without_factor(name, *mesh))
    return rows


def _shell(side):
    """Offsets, columns and positions of a sheet whose hinges couple the opposite corners of neighbouring triangles."""
    node = np.arange(side * side).reshape(side, side)
    a, b, c, d = (part.ravel() for part in (node[:-1, :-1], node[:-1, 1:], node[1:, :-1], node[1:, 1:]))
    edges = [(a, b), (a, c), (b, c), (b, d), (c, d)]
    hinges = [(a, d), (node[2:, :-1], node[:-2, 1:]), (node[:-1, 2:], node[1:, :-2])]
    pairs = np.concatenate([np.column_stack([i.ravel(), j.ravel()]) for i, j in edges + hinges])
    y, x = np.divmod(np.arange(side * side), side)
    return *_pattern(side * side, pairs), np.column_stack([x, y, 0 * x]).astype(float)


def _solid(sides):
    """Offsets, columns and positions of a box of tetrahedra."""
    node = np.arange(np.prod(sides)).reshape(sides)
    cut = [slice(None, -1), slice(1, None)]
    corners = [node[cut[i & 1], cut[i >> 1 & 1], cut[i >> 2]].ravel() for i in range(8)]
    pairs = [
        np.column_stack([corners[i], corners[j]])
        for tetrahedron in TETRAHEDRA_OF_CUBE
        for i in tetrahedron
        for j in tetrahedron
        if i < j
    ]
    positions = np.stack(np.unravel_index(node.ravel(), sides), -1).astype(float)
    return *_pattern(node.size, np.concatenate(pairs)), positions


def _pattern(count, pairs):
    i, j = pairs.T
    diagonal = np.arange(count)
    rows, columns = np.concatenate([i, j, diagonal]), np.concatenate([j, i, diagonal])
    matrix = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(count, count))
    matrix.sum_duplicates()
    return matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)


def _stiffness(offsets, columns):
    """Blocks (k, 3, 3) of springs of random length along random directions, isotropic to a third."""
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    pairs = np.stack([np.minimum(rows, columns), np.maximum(rows, columns)])
    _, edges = np.unique(pairs[0].astype(np.int64) * len(offsets) + pairs[1], return_inverse=True)
    directions = np.random.default_rng(0).normal(size=(edges.max() + 1, 3))
    springs = directions[:, :, None] * directions[:, None, :] + np.eye(3) / 3.0
    blocks = -springs[edges]
    is_diagonal = rows == columns
    blocks[is_diagonal] = 0.0
    sums = np.zeros((len(offsets) - 1, 3, 3))
    np.add.at(sums, rows, -blocks)
    blocks[is_diagonal] = sums + GROUND * np.eye(3)
    return blocks


def _against_superlu(name, offsets, columns, positions):
    blocks = _stiffness(offsets, columns)
    matrix = sparse.bsr_matrix((blocks, columns, offsets)).tocsc()
    options = {"SymmetricMode": True}

    def factorize():
        return splu(matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)

    peer, right_hand_side = factorize(), np.ones(len(positions) * 3)
    peer_seconds = [
        best_seconds(factorize, 3),
        best_seconds(lambda: peer.solve(right_hand_side), 5),
    ]
    name = f"{name} of {len(positions)} nodes"
    _, ours = _seconds(offsets, columns, positions, blocks, numba.config.NUMBA_NUM_THREADS)
    return [
        Row(f"{name}, {stage}", _ms(own), f"SuperLU {_ms(other)}", own / other, BOUND)
        for stage, own, other in zip(["factorise", "solve"], ours[1:], peer_seconds)
    ]


def _against_cholmod(name, offsets, columns, positions):
    blocks = _stiffness(offsets, columns)
    peer_seconds, peer_numbers = _cholmod(offsets, columns, blocks)
    rows = []
    for threads in sorted({1, numba.config.NUMBA_NUM_THREADS}):
        cholesky, ours = _seconds(offsets, columns, positions, blocks, threads)
        for stage, own, other in zip(["analyse", "factorise", "solve"], ours, peer_seconds):
            bound = BOUND if other and stage != "analyse" else None  # once a bake
            rows.append(_row(f"{name}, {stage}, {threads} threads", _ms(own), own, other, _ms, bound))
    numbers = cholesky.factor_numbers
    rows.append(_row(f"{name}, numbers in the factor", _millions(numbers), numbers, peer_numbers, _millions, BOUND))
    return rows


def _without_factor(name, offsets, columns, positions):
    """Conjugate gradients against a factorisation and a solve."""
    blocks, right_hand_side = _stiffness(offsets, columns), np.ones_like(positions)
    solution = np.empty_like(positions)
    cholesky, seconds = _seconds(offsets, columns, positions, blocks, numba.config.NUMBA_NUM_THREADS)
    gradients = ConjugateGradient(offsets, columns)
    gradients.factorize(blocks)
    own, other = best_seconds(lambda: gradients.solve(right_hand_side, solution), 3), seconds[1] + seconds[2]
    what = f"{name}, {gradients.solve(right_hand_side, solution).iterations} conjugate gradients instead of a factor"
    return Row(what, _ms(own), f"{_ms(other)} and {cholesky.factor_bytes / 2**20:.0f} MiB", own / other)


def _row(what, shown, own, other, show, bound):
    if not other:
        return Row(what, shown, "kvxopt (CHOLMOD) is not installed", float("nan"))
    return Row(what, shown, f"CHOLMOD {show(other)}", own / other, bound)


def _seconds(offsets, columns, positions, blocks, threads):
    """Seconds to analyse, factorise and solve."""
    right_hand_side, solution = np.ones_like(positions), np.empty_like(positions)
    before = numba.get_num_threads()
    numba.set_num_threads(threads)
    try:
        cholesky = SparseCholesky(offsets, columns, positions)
        cholesky.factorize(blocks)
        return cholesky, [
            best_seconds(lambda: SparseCholesky(offsets, columns, positions), 5),
            best_seconds(lambda: cholesky.factorize(blocks)),
            best_seconds(lambda: cholesky.solve(right_hand_side, solution), 20),
        ]
    finally:
        numba.set_num_threads(before)


def _cholmod(offsets, columns, blocks):
    """The same of CHOLMOD, and the numbers in its factor; zeros where kvxopt is not installed."""
    if importlib.util.find_spec("kvxopt") is None:
        return [0.0, 0.0, 0.0], 0
    from kvxopt import cholmod, matrix, spmatrix

    lower = sparse.tril(sparse.bsr_matrix((blocks, columns, offsets)).tocsc()).tocoo()
    a = spmatrix(matrix(lower.data), matrix(lower.row.astype(int)), matrix(lower.col.astype(int)), lower.shape)
    factor = cholmod.symbolic(a)
    cholmod.numeric(a, factor)
    right_hand_side = matrix(1.0, (lower.shape[0], 1))
    seconds = [
        best_seconds(lambda: cholmod.symbolic(a), 3),
        best_seconds(lambda: cholmod.numeric(a, factor), 3),
        best_seconds(lambda: cholmod.solve(factor, +right_hand_side), 5),
    ]
    return seconds, len(cholmod.getfactor(factor))


def _ms(seconds):
    return f"{1e3 * seconds:.1f} ms"


def _millions(count):
    return f"{1e-6 * count:.1f} M"
