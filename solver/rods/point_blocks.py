"""The points' own blocks in the strands' matrices, which stand four strands side by side."""

from numba import float64, int32, int64, prange

from ..jit_cache import kernel
from ..linear_algebra.band_columns import COLUMN
from ..linear_algebra.lanes import LANES

STEP = COLUMN * LANES  # from a column to the next


@kernel((int32[::1], int64[::1], float64[::1], float64[:, :, ::1]), parallel=True)
def put_point_blocks(offsets, matrix_starts, matrix, blocks_out):
    """Diagonal blocks (n, 3, 3) of the points' unknowns."""
    for strand in prange(len(offsets) - 1):
        for point in range(offsets[strand], offsets[strand + 1]):
            column = matrix_starts[strand] + 4 * (point - offsets[strand]) * STEP
            for j in range(3):
                for i in range(j, 3):
                    value = matrix[column + j * STEP + (i - j) * LANES]
                    blocks_out[point, i, j] = value
                    blocks_out[point, j, i] = value


@kernel((int32[::1], int64[::1], float64[:, ::1], float64[::1], float64[::1]), parallel=True)
def put_point_weights(offsets, matrix_starts, diagonal, weights, matrix_out):
    """The diagonal (n, 3) of the points, and weights (n,) added for each of their axes."""
    for strand in prange(len(offsets) - 1):
        for point in range(offsets[strand], offsets[strand + 1]):
            column = matrix_starts[strand] + 4 * (point - offsets[strand]) * STEP
            for axis in range(3):
                matrix_out[column + axis * STEP] = diagonal[point, axis] + weights[point]


@kernel((int32[::1], int64[::1], float64[::1], float64[:, ::1]), parallel=True)
def put_diagonal(offsets, matrix_starts, matrix, diagonal_out):
    """Of the points' unknowns (n, 3)."""
    for strand in prange(len(offsets) - 1):
        for point in range(offsets[strand], offsets[strand + 1]):
            column = matrix_starts[strand] + 4 * (point - offsets[strand]) * STEP
            for axis in range(3):
                diagonal_out[point, axis] = matrix[column + axis * STEP]
