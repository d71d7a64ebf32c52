"""Block relaxation of A v = right: each block of unknowns in turn takes the value that its own rows ask for.

The three unknowns of a node are a block; an unknown that belongs to no node (the twist of a strand) is one of its own.
What A does not join is relaxed by threads at once, so that the result does not depend on their number.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from numba import float64, int32, prange
from scipy.sparse.csgraph import connected_components

from ..jit_cache import compiled, kernel, tuple_of

WIDTH = 3  # unknowns of a node


class BlockSystem(NamedTuple):
    offsets: np.ndarray  # rows of A: first place of each in the next two, and the end     (n + 1,) int32
    columns: np.ndarray  # (q,) int32
    values: np.ndarray  # (q,) [kg]
    starts: np.ndarray  # first block of each part that A joins, and the end               (p + 1,) int32
    firsts: np.ndarray  # first unknown of each block                                      (b,) int32
    widths: np.ndarray  # 3 or 1                                                           (b,) int32
    inverses: np.ndarray  # of the blocks of A; only the corner counts where the width is 1 (b, 3, 3) [1/kg]


SYSTEM_TYPES = tuple_of(
    BlockSystem, int32[::1], int32[::1], float64[::1], int32[::1], int32[::1], int32[::1], float64[:, :, ::1]
)


def block_system(A: sparse.csr_array, node_rows: np.ndarray) -> BlockSystem:
    """Of A (n, n) [kg] and the first unknown of each node (j,)."""
    width_at = np.ones(A.shape[0], np.int32)  # of the block that starts there; zero inside of one
    width_at[(node_rows[:, None] + np.arange(1, WIDTH)).ravel()] = 0
    width_at[node_rows] = WIDTH
    _, parts = connected_components(A, directed=False)
    firsts = np.flatnonzero(width_at)
    firsts = firsts[np.argsort(parts[firsts], kind="stable")]
    starts = np.searchsorted(parts[firsts], np.arange(parts.max(initial=-1) + 2))
    return BlockSystem(
        *(A.indptr.astype(np.int32), A.indices.astype(np.int32), A.data),
        *(starts.astype(np.int32), firsts.astype(np.int32), width_at[firsts]),
        _inverses(A, firsts, width_at[firsts]),
    )


def _inverses(A, firsts, widths):
    blocks = _diagonal_blocks(A, firsts, widths)
    blocks[widths == 1, 1:, 1:] = np.eye(WIDTH - 1)  # so that those can be inverted beside the others
    smallest = np.linalg.eigvalsh(blocks)[:, 0]
    if not (smallest > 0.0).all():
        worst = firsts[np.argmin(smallest)]
        raise ValueError(f"A of the friction problem is not positive definite (at unknown {worst}).")
    return np.linalg.inv(blocks)


def _diagonal_blocks(A, firsts, widths):
    """(b, 3, 3) [kg]; zero beyond a block's width."""
    blocks_of, slots = np.zeros(A.shape[0], np.int64), np.zeros(A.shape[0], np.int64)
    for slot in range(WIDTH):
        blocks = np.flatnonzero(widths > slot)
        blocks_of[firsts[blocks] + slot], slots[firsts[blocks] + slot] = blocks, slot
    entries = sparse.coo_array(A)
    is_own = blocks_of[entries.row] == blocks_of[entries.col]
    row, column = entries.row[is_own], entries.col[is_own]
    diagonal = np.zeros((len(firsts), WIDTH, WIDTH))
    np.add.at(diagonal, (blocks_of[row], slots[row], slots[column]), entries.data[is_own])
    return diagonal


def inverse_matrix(system: BlockSystem) -> sparse.csr_array:
    """D⁻¹ (n, n) [1/kg] of the blocks D on A's diagonal."""
    count, slots = len(system.offsets) - 1, np.arange(WIDTH)
    is_within = slots < system.widths[:, None]
    block, row, column = np.nonzero(is_within[:, :, None] & is_within[:, None, :])
    places = system.firsts[block] + row, system.firsts[block] + column
    return sparse.csr_array((system.inverses[block, row, column], places), shape=(count, count))


@kernel((SYSTEM_TYPES, float64[::1], float64[::1], float64[::1]), parallel=True)
def relax_at_once(system, right, v, relaxed_out):
    """v + D⁻¹ (right − A v): block-Jacobi."""
    for block in prange(len(system.firsts)):
        first = system.firsts[block]
        change = _change(system, block, right, v)
        for slot in range(system.widths[block]):
            relaxed_out[first + slot] = v[first + slot] + change[slot]


@kernel((SYSTEM_TYPES, float64[::1], float64[::1]), parallel=True)
def relax_in_turn(system, right, v_out):
    """One round of block-Gauss-Seidel."""
    for part in prange(len(system.starts) - 1):
        for block in range(system.starts[part], system.starts[part + 1]):
            first = system.firsts[block]
            change = _change(system, block, right, v_out)
            for slot in range(system.widths[block]):
                v_out[first + slot] += change[slot]


@compiled
def _change(system, block, right, v):
    """D⁻¹ (right − A v) of a block; three numbers in any case."""
    first, inverse = system.firsts[block], system.inverses[block]
    if system.widths[block] == 1:
        return inverse[0, 0] * _rest(system, first, right, v), 0.0, 0.0
    x, y, z = _rest(system, first, right, v), _rest(system, first + 1, right, v), _rest(system, first + 2, right, v)
    return (
        inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2] * z,
        inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2] * z,
        inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2] * z,
    )


@compiled
def _rest(system, row, right, v):
    rest = right[row]
    for place in range(system.offsets[row], system.offsets[row + 1]):
        rest -= system.values[place] * v[system.columns[place]]
    return rest
