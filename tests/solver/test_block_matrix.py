"""Block matrices against dense ones."""

import numba
import numpy as np
import pytest

from stiction.solver.linear_algebra.block_matrix import (
    add_diagonal,
    add_gathered,
    add_gathered_blocks,
    build_pattern,
    gather_blocks,
    gather_nodes,
    hold_rows,
    multiply_blocks,
)

NODES = 12


@pytest.fixture
def elements():
    random = np.random.default_rng(5)
    nodes = np.array([random.choice(NODES, 4, replace=False) for _ in range(20)], np.int32)
    return nodes, random.normal(size=(20, 4, 4, 3, 3)), random.normal(size=(20, 4, 3))


def dense(pattern, blocks):
    full = np.zeros((NODES, NODES, 3, 3))
    for row in range(NODES):
        for place in range(pattern.offsets[row], pattern.offsets[row + 1]):
            full[row, pattern.columns[place]] = blocks[place]
    return full.transpose(0, 2, 1, 3).reshape(3 * NODES, 3 * NODES)


def assembled(nodes, parts, factor=1.0):
    pattern = build_pattern(NODES, [nodes])
    blocks = np.zeros((pattern.block_count, 3, 3))
    gather = gather_blocks(pattern, nodes)
    add_gathered(gather.offsets, gather.sources, factor, parts.reshape(-1, 9), blocks.reshape(-1, 9))
    return pattern, blocks


def test_assembled_blocks_equal_a_plain_sum(elements):
    nodes, parts, _ = elements
    expected = np.zeros((NODES, NODES, 3, 3))
    for element, part in zip(nodes, parts, strict=True):
        for i, row in enumerate(element):
            for j, column in enumerate(element):
                expected[row, column] += 2.5 * part[i, j]
    pattern, blocks = assembled(nodes, parts, 2.5)
    assert np.allclose(dense(pattern, blocks), expected.transpose(0, 2, 1, 3).reshape(3 * NODES, -1), atol=1e-13)


def test_gathered_blocks_are_what_rows_of_any_width_are(elements):
    nodes, parts, _ = elements
    pattern, expected = assembled(nodes, parts, 2.5)
    blocks, gather = np.zeros_like(expected), gather_blocks(pattern, nodes)
    add_gathered_blocks(gather.offsets, gather.sources, 2.5, parts.reshape(-1, 9), blocks.reshape(-1, 9))
    assert np.allclose(blocks, expected, rtol=1e-15, atol=1e-15)


def test_gathered_gradient_equals_a_plain_sum(elements):
    nodes, _, vectors = elements
    expected = np.zeros((NODES, 3))
    np.add.at(expected, nodes, vectors)
    got = np.zeros((NODES, 3))
    gather = gather_nodes(NODES, nodes)
    add_gathered(gather.offsets, gather.sources, 1.0, vectors.reshape(-1, 3), got)
    assert np.allclose(got, expected, atol=1e-13)


def test_product_diagonal_and_held_rows(elements):
    nodes, parts, _ = elements
    pattern, blocks = assembled(nodes, parts)
    add_diagonal(*pattern, np.arange(NODES, dtype=float), blocks)
    is_free = (np.arange(NODES) % 3 > 0).astype(np.int32)
    hold_rows(*pattern, is_free, blocks)
    full = dense(*[pattern, blocks])
    held = np.repeat(is_free == 0, 3)
    assert np.array_equal(full[held][:, held], np.eye(held.sum()))
    assert not full[held][:, ~held].any()
    assert not full[~held][:, held].any()
    vector = np.random.default_rng(1).normal(size=(NODES, 3))
    product = np.zeros((NODES, 3))
    multiply_blocks(*pattern, blocks, vector, product)
    assert np.allclose(product.ravel(), full @ vector.ravel(), atol=1e-12)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="there is one thread only")
def test_same_bits_on_any_number_of_threads(elements):
    nodes, parts, _ = elements
    results = []
    for threads in (1, 2):
        numba.set_num_threads(threads)
        results.append(assembled(nodes, parts)[1])
    assert np.array_equal(*results)
