"""The simplest preconditioner of a block matrix: the inverse of each node's diagonal block."""

import math

import numpy as np
from numba import float64, int8, int32, prange

from ..jit_cache import compiled, kernel
from .block_matrix import BlockPattern
from .errors import NotPositiveDefinite

NONE = -1  # in place of the first axis without a positive pivot


class BlockJacobi:
    """x = M⁻¹ b with the block diagonal M of a matrix."""

    def __init__(self, pattern: BlockPattern):
        self._pattern = pattern
        self._roots = np.zeros((len(pattern.offsets) - 1, 6))  # L⁻¹ of each block L Lᵀ, row after row of its triangle

    def factorize(self, blocks) -> None:
        """Take new values: blocks (k, 3, 3) in the pattern. Raises NotPositiveDefinite."""
        failures = np.zeros(len(self._roots), np.int8)  # also of nodes that have no diagonal block
        _invert_roots(*self._pattern, blocks, self._roots, failures)
        failed = np.flatnonzero(failures != NONE)
        if len(failed):
            raise NotPositiveDefinite(int(failed[0]), int(failures[failed[0]]))

    def solve(self, right_hand_side, solution_out) -> None:
        """M x = b: right_hand_side (n, 3), solution_out (n, 3), which may be the same array."""
        _apply_roots(self._roots, right_hand_side, solution_out)


@kernel((int32[::1], int32[::1], float64[:, :, ::1], float64[:, ::1], int8[::1]), parallel=True)
def _invert_roots(offsets, columns, blocks, roots_out, failures_out):
    for row in prange(len(offsets) - 1):
        for place in range(offsets[row], offsets[row + 1]):
            if columns[place] == row:
                failures_out[row] = _invert_root(blocks[place], roots_out[row])


@compiled
def _invert_root(block, root_out):
    """L⁻¹ of a block L Lᵀ, of which the lower triangle is read; returns the first axis without a positive pivot."""
    pivot = block[0, 0]
    if not 0.0 < pivot < math.inf:
        return 0
    a = 1.0 / math.sqrt(pivot)
    l10, l20 = a * block[1, 0], a * block[2, 0]
    pivot = block[1, 1] - l10 * l10
    if not 0.0 < pivot < math.inf:
        return 1
    b = 1.0 / math.sqrt(pivot)
    l21 = b * (block[2, 1] - l20 * l10)
    pivot = block[2, 2] - l20 * l20 - l21 * l21
    if not 0.0 < pivot < math.inf:
        return 2
    c = 1.0 / math.sqrt(pivot)
    root_out[0], root_out[1], root_out[2] = a, -b * l10 * a, b
    root_out[3], root_out[4], root_out[5] = c * (l21 * b * l10 - l20) * a, -c * l21 * b, c
    return NONE


@kernel((float64[:, ::1], float64[:, ::1], float64[:, ::1]), parallel=True)
def _apply_roots(roots, right_hand_side, solution_out):
    for row in prange(len(roots)):
        x, y, z = right_hand_side[row, 0], right_hand_side[row, 1], right_hand_side[row, 2]
        z = roots[row, 3] * x + roots[row, 4] * y + roots[row, 5] * z
        y = roots[row, 1] * x + roots[row, 2] * y
        x = roots[row, 0] * x
        solution_out[row, 0] = roots[row, 0] * x + roots[row, 1] * y + roots[row, 3] * z
        solution_out[row, 1] = roots[row, 2] * y + roots[row, 4] * z
        solution_out[row, 2] = roots[row, 5] * z
