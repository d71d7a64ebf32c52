"""Banded symmetric matrices that live inside a kernel: L D Lᵀ and solves.

band[c, b] is the entry (c + b, c): each row of the array holds a column of the matrix from the diagonal downwards.
"""

from ..jit_cache import compiled


@compiled
def factorize_band(band_out):
    """A = L D Lᵀ in place: D inverted in the first column, L below. Returns whether all pivots were positive.

    An unknown whose pivot is not positive is held: its solution is zero.
    """
    count, width = band_out.shape
    is_positive = True
    for column in range(count):
        pivot = band_out[column, 0]
        scale = 1.0 / pivot if pivot > 0.0 else 0.0
        is_positive = is_positive and pivot > 0.0
        band_out[column, 0] = scale
        for below in range(1, min(width, count - column)):
            share = scale * band_out[column, below]
            for further in range(below, min(width, count - column)):
                band_out[column + below, further - below] -= share * band_out[column, further]
        for below in range(1, min(width, count - column)):
            band_out[column, below] *= scale
    return is_positive


@compiled
def solve_band(factor, vector_out):
    """A x = b in place (n,)."""
    count, width = factor.shape
    for column in range(count):
        for below in range(1, min(width, count - column)):
            vector_out[column + below] -= factor[column, below] * vector_out[column]
    for column in range(count - 1, -1, -1):
        total = factor[column, 0] * vector_out[column]
        for below in range(1, min(width, count - column)):
            total -= factor[column, below] * vector_out[column + below]
        vector_out[column] = total
