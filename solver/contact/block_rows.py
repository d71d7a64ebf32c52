"""A Delassus operator as rows of small blocks, for kernels that visit contacts."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from numba import float64, int32

from ..jit_cache import tuple_of


class BlockRows(NamedTuple):
    offsets: np.ndarray  # first block of each contact, and the end           (m + 1,) int32
    columns: np.ndarray  # contact that a block answers to                    (b,) int32
    blocks: np.ndarray  # entries, row by row                                 (b, width²) [1/kg]


BLOCK_TYPES = tuple_of(BlockRows, int32[::1], int32[::1], float64[:, ::1])


def block_rows(W: sparse.csr_array, width: int) -> BlockRows:
    if not W.shape[0]:
        return BlockRows(np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros((0, width * width)))
    blocked = W.tobsr(blocksize=(width, width))
    blocked.sort_indices()
    return BlockRows(
        *(blocked.indptr.astype(np.int32), blocked.indices.astype(np.int32)),
        np.ascontiguousarray(blocked.data.reshape(-1, width * width)),
    )
