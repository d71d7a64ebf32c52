"""Parts of A⁻¹ of strands, and rows of its root L⁻ᵀ, from the banded factor A = L Lᵀ.

docs/theory/conjugate_residual.md, *Strands*. The diagonal of a factor is stored inverted.
"""

import numpy as np
from numba import float64, int32, int64, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.band_columns import BAND, COLUMN
from ..linear_algebra.lanes import LANES

OF_POINT = 4  # unknowns: three of its place, and the twist of the edge behind it
STEP = COLUMN * LANES  # from a column to the next


@kernel((int32[::1], int64[::1], float64[::1], float64[:, :, ::1], float64[:, :, ::1]), parallel=True)
def put_inverse_blocks(offsets, matrix_starts, factor, own_out, next_out):
    """Blocks of A⁻¹ (n, 3, 3) [1/kg] of each point with itself and with the next one of its strand."""
    for strand in prange(len(offsets) - 1):
        window = np.zeros((COLUMN, COLUMN))
        first, end = offsets[strand], offsets[strand + 1]
        for row in range(OF_POINT * (end - first) - 2, -1, -1):
            _move_window(factor, matrix_starts[strand] + row * STEP, window)
            if row % OF_POINT == 0:
                for i in range(3):
                    for j in range(3):
                        own_out[first + row // OF_POINT, i, j] = window[i, j]
                        next_out[first + row // OF_POINT, i, j] = window[i, OF_POINT + j]


@compiled
def _move_window(factor, column, window):
    """A⁻¹ of a row and the BAND below it, from that of the next row [Takahashi et al. 1973].

    A⁻¹ L = L⁻ᵀ is upper triangular: its entries below the diagonal are zero, and give those of A⁻¹.
    """
    for i in range(BAND, 0, -1):
        for j in range(BAND, 0, -1):
            window[i, j] = window[i - 1, j - 1]
    inverse = factor[column]
    for i in range(1, COLUMN):
        window[i, 0] = -inverse * _along_column(factor, column, window, i)
        window[0, i] = window[i, 0]
    window[0, 0] = inverse * (inverse - _along_column(factor, column, window, 0))


@compiled
def _along_column(factor, column, window, i):
    """Σ of a row of the window times what the column has below its diagonal."""
    total = 0.0
    for band in range(1, COLUMN):
        total += window[i, band] * factor[column + band * LANES]
    return total


@kernel((int32[::1], int32[::1], int32[::1], int64[::1], float64[::1], int64[::1], float64[::1]), parallel=True)
def put_root_rows(points, strands, offsets, matrix_starts, factor, row_starts, values_out):
    """Three rows of L⁻ᵀ for each point (p,) of a strand (p,), from the diagonal on, where they begin (3 p + 1,)."""
    for place in prange(len(points)):
        strand = strands[place]
        for axis in range(3):
            row = OF_POINT * (points[place] - offsets[strand]) + axis
            begin, end = row_starts[3 * place + axis], row_starts[3 * place + axis + 1]
            _put_root_row(factor, matrix_starts[strand] + row * STEP, begin, end, values_out)


@compiled
def _put_root_row(factor, column, begin, end, values_out):
    """L y = e, whose first entry that is not zero has this column."""
    for place in range(begin, end):
        total = 1.0 if place == begin else 0.0
        for band in range(1, min(BAND, place - begin) + 1):
            total -= factor[column + (place - begin - band) * STEP + band * LANES] * values_out[place - band]
        values_out[place] = total * factor[column + (place - begin) * STEP]
