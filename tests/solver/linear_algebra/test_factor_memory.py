"""How much memory a factor will take is known from the pattern, before any of it is taken."""

import tracemalloc

import numpy as np
import pytest

from stiction.solver.linear_algebra.block_matrix import build_pattern
from stiction.solver.linear_algebra.sparse_cholesky import SparseCholesky

VECTORS = 0.1  # of the factor: what a factorisation takes beside it


def box(side):
    """Pattern of a cube of nodes, joined with all neighbours."""
    node = np.arange(side**3, dtype=np.int32).reshape(side, side, side)
    cut = [slice(None, -1), slice(1, None)]
    corners = [node[cut[i & 1], cut[i >> 1 & 1], cut[i >> 2]].ravel() for i in range(8)]
    return build_pattern(side**3, [np.column_stack(corners)])


def identity(pattern):
    rows = np.repeat(np.arange(len(pattern.offsets) - 1), np.diff(pattern.offsets))
    return (rows == pattern.columns)[:, None, None] * np.eye(3)


@pytest.fixture
def allocated():
    """Bytes that are allocated at present, as numpy tells them."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()


def test_memory_is_told_before_it_is_taken(allocated):
    pattern = box(14)
    blocks = identity(pattern)
    before = allocated()
    cholesky = SparseCholesky(*pattern)
    analysis = allocated() - before
    cholesky.factorize(blocks)
    factor = allocated() - before - analysis
    assert analysis < 0.5 * cholesky.factor_bytes
    assert cholesky.factor_bytes <= factor < (1.0 + VECTORS) * cholesky.factor_bytes
    cholesky.factorize(blocks)
    assert allocated() - before - analysis < (1.0 + VECTORS) * cholesky.factor_bytes


def test_a_dense_matrix_takes_its_triangle():
    """All in one front: numbers of the lower triangle in panels of 12 rows."""
    count = 60
    pattern = build_pattern(count, [np.arange(count, dtype=np.int32)[None]])
    triangle = 3 * count * (3 * count + 1) // 2
    padding = 12 * 3 * count
    assert triangle <= SparseCholesky(*pattern).factor_numbers <= triangle + padding


def test_two_boxes_apart_take_what_both_take():
    one = box(8)
    count, blocks = len(one.offsets) - 1, len(one.columns)
    offsets, columns = np.append(one.offsets, one.offsets[1:] + blocks), np.append(one.columns, one.columns + count)
    both = SparseCholesky(offsets, columns).factor_numbers
    assert both == pytest.approx(2 * SparseCholesky(*one).factor_numbers, rel=0.01)
