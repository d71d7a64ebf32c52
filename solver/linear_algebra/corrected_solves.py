"""Solutions by a factor of single precision, corrected with residuals of double precision.

Rounding the matrix to single precision makes an error of 6e-8 times its condition in whatever its factor solves. So
that is only what changes from one right-hand side to the next, and as changes become small, the error does: where the
right-hand side stays as it is, this is iterative refinement [Wilkinson 1963].
"""

import numpy as np
from numba import float64, int32, int64, prange

from ..jit_cache import kernel
from .block_matrix import BlockPattern
from .sparse_cholesky import SolvedPart, SparseCholesky

VECTORS = float64[:, ::1]
SMALL = 1e-4  # of a solution: after a correction of that size it is right to six digits or more
MOST_CORRECTIONS = 10  # of matrices with infinite numbers, say, no solution ever becomes right


class CorrectedSolves:
    """Solutions of A x = b, each from the one before."""

    def __init__(self, cholesky: SparseCholesky, pattern: BlockPattern):
        self._cholesky, self._pattern = cholesky, pattern
        shape = len(pattern.offsets) - 1, 3
        self._right, self._solution, self._missing = np.zeros(shape), np.zeros(shape), np.zeros(shape)

    def forget(self) -> None:
        """Begin at zero."""
        self._solution[:] = 0.0

    def solve(self, blocks, right, solution_out) -> None:
        """For the matrix that the factor is of, blocks (k, 3, 3), and b (n, 3): x + A⁻¹ (b − A x)."""
        put_residual(*self._pattern, blocks, right, self._solution, self._missing)
        self._cholesky.solve(self._missing, self._missing)
        self._cholesky.forget_right_hand_side()
        self._solution += self._missing
        self._right[:], solution_out[:] = right, self._solution

    def correct(self, blocks, right, solution_out) -> None:
        """The same, again and again, until there is nothing left to correct."""
        for _ in range(MOST_CORRECTIONS):
            self.solve(blocks, right, solution_out)
            if np.abs(self._missing).max(initial=0.0) <= SMALL * np.abs(self._solution).max(initial=0.0):
                break

    def solve_part(self, part: SolvedPart, right, solution_out) -> None:
        """For a part above the nodes whose right-hand side is another than when all were last solved."""
        np.subtract(right, self._right, out=self._missing)
        self._cholesky.solve_part(part, self._missing, self._missing)
        put_sums(self._solution, self._missing, part.nodes, solution_out)


@kernel((int32[::1], int32[::1], float64[:, :, ::1], VECTORS, VECTORS, VECTORS), parallel=True)
def put_residual(offsets, columns, blocks, right, solution, residual_out):
    """b − A x."""
    for row in prange(len(offsets) - 1):
        x, y, z = right[row, 0], right[row, 1], right[row, 2]
        for place in range(offsets[row], offsets[row + 1]):
            column = columns[place]
            a, b, c = solution[column, 0], solution[column, 1], solution[column, 2]
            x -= blocks[place, 0, 0] * a + blocks[place, 0, 1] * b + blocks[place, 0, 2] * c
            y -= blocks[place, 1, 0] * a + blocks[place, 1, 1] * b + blocks[place, 1, 2] * c
            z -= blocks[place, 2, 0] * a + blocks[place, 2, 1] * b + blocks[place, 2, 2] * c
        residual_out[row, 0], residual_out[row, 1], residual_out[row, 2] = x, y, z


@kernel((VECTORS, VECTORS, int64[::1], VECTORS), parallel=True)
def put_sums(first, second, rows, sums_out):
    for place in prange(len(rows)):
        for axis in range(3):
            sums_out[rows[place], axis] = first[rows[place], axis] + second[rows[place], axis]
