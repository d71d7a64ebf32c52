"""Sparse symmetric matrices of 3×3 blocks, assembled from elements into a pattern that is built once."""

from typing import NamedTuple

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import kernel


class BlockPattern(NamedTuple):
    """Block rows in compressed form: row i has the columns[offsets[i] : offsets[i + 1]], in order."""

    offsets: np.ndarray  # (n + 1,) int32
    columns: np.ndarray  # (b,) int32

    @property
    def block_count(self) -> int:
        return len(self.columns)


class Gather(NamedTuple):
    """Which parts of elements add up to each entry of a whole: the entry owns the sum, so threads never race."""

    offsets: np.ndarray  # first source of each entry, and the end   (entries + 1,) int32
    sources: np.ndarray  # rows of the elements' parts               (parts,) int32


def build_pattern(node_count: int, elements: list[np.ndarray]) -> BlockPattern:
    """The pattern of all pairs of nodes that share an element (e, k), with the diagonal."""
    keys = [np.arange(node_count, dtype=np.int64) * (node_count + 1)]
    keys += [_pair_keys(nodes, node_count).ravel() for nodes in elements]
    rows, columns = np.divmod(np.unique(np.concatenate(keys)), node_count)
    offsets = np.searchsorted(rows, np.arange(node_count + 1))
    return BlockPattern(offsets.astype(np.int32), columns.astype(np.int32))


def diagonal_places(pattern: BlockPattern) -> np.ndarray:
    """Where the diagonal blocks stand (n,)."""
    rows = np.repeat(np.arange(len(pattern.offsets) - 1), np.diff(pattern.offsets))
    return np.flatnonzero(rows == pattern.columns)


def gather_blocks(pattern: BlockPattern, nodes: np.ndarray) -> Gather:
    """How the (e, k, k) blocks of elements add up in the pattern."""
    node_count = len(pattern.offsets) - 1
    rows = np.repeat(np.arange(node_count, dtype=np.int64), np.diff(pattern.offsets))
    keys = rows * node_count + pattern.columns
    return _gather(np.searchsorted(keys, _pair_keys(nodes, node_count).ravel()), pattern.block_count)


def gather_nodes(node_count: int, nodes: np.ndarray) -> Gather:
    """How the (e, k) vectors of elements add up at the nodes."""
    return _gather(nodes.ravel(), node_count)


def _pair_keys(nodes, node_count):
    nodes = nodes.astype(np.int64)
    return nodes[:, :, None] * node_count + nodes[:, None, :]


def _gather(entries, entry_count):
    order = np.argsort(entries, kind="stable")
    offsets = np.searchsorted(entries[order], np.arange(entry_count + 1))
    return Gather(offsets.astype(np.int32), order.astype(np.int32))


@kernel((int32[::1], int32[::1], float64, float64[:, ::1], float64[:, ::1]), parallel=True)
def add_gathered(offsets, sources, factor, parts, whole_out):
    """whole += factor × the sum of its parts; rows of any width."""
    for entry in prange(len(offsets) - 1):
        for axis in range(parts.shape[1]):
            total = 0.0
            for place in range(offsets[entry], offsets[entry + 1]):
                total += parts[sources[place], axis]
            whole_out[entry, axis] += factor * total


@kernel((int32[::1], int32[::1], float64, float64[:, ::1], float64[:, ::1]), parallel=True)
def add_gathered_blocks(offsets, sources, factor, parts, whole_out):
    """The same for rows of nine numbers, each read once."""
    for entry in prange(len(offsets) - 1):
        a, b, c, d, e, f, g, h, i = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for place in range(offsets[entry], offsets[entry + 1]):
            part = parts[sources[place]]
            a, b, c, d, e = a + part[0], b + part[1], c + part[2], d + part[3], e + part[4]
            f, g, h, i = f + part[5], g + part[6], h + part[7], i + part[8]
        whole = whole_out[entry]
        whole[0] += factor * a
        whole[1] += factor * b
        whole[2] += factor * c
        whole[3] += factor * d
        whole[4] += factor * e
        whole[5] += factor * f
        whole[6] += factor * g
        whole[7] += factor * h
        whole[8] += factor * i


@kernel((int32[::1], int32[::1], float64[:, :, ::1], float64[:, ::1], float64[:, ::1]), parallel=True)
def multiply_blocks(offsets, columns, blocks, vector, product_out):
    """product = matrix × vector, both (n, 3)."""
    for row in prange(len(offsets) - 1):
        x, y, z = 0.0, 0.0, 0.0
        for place in range(offsets[row], offsets[row + 1]):
            column = columns[place]
            a, b, c = vector[column, 0], vector[column, 1], vector[column, 2]
            x += blocks[place, 0, 0] * a + blocks[place, 0, 1] * b + blocks[place, 0, 2] * c
            y += blocks[place, 1, 0] * a + blocks[place, 1, 1] * b + blocks[place, 1, 2] * c
            z += blocks[place, 2, 0] * a + blocks[place, 2, 1] * b + blocks[place, 2, 2] * c
        product_out[row, 0], product_out[row, 1], product_out[row, 2] = x, y, z


@kernel((int32[::1], int32[::1], float64[::1], float64[:, :, ::1]), parallel=True)
def add_diagonal(offsets, columns, values, blocks_out):
    """Add a multiple of the identity to each diagonal block."""
    for row in prange(len(offsets) - 1):
        for place in range(offsets[row], offsets[row + 1]):
            if columns[place] == row:
                for axis in range(3):
                    blocks_out[place, axis, axis] += values[row]


@kernel((int32[::1], int32[::1], int32[::1], float64[:, :, ::1]), parallel=True)
def hold_rows(offsets, columns, is_free, blocks_out):
    """Rows and columns of nodes that are not free become those of the identity."""
    for row in prange(len(offsets) - 1):
        for place in range(offsets[row], offsets[row + 1]):
            column = columns[place]
            if is_free[row] and is_free[column]:
                continue
            for i in range(3):
                for j in range(3):
                    blocks_out[place, i, j] = 1.0 if row == column and i == j else 0.0
