"""The triangular factor R of a tall banded matrix A = Q R, a row at a time, by Givens rotations inside a kernel.

Rᵀ R = Aᵀ A, but R is found from A itself: solves with it lose the digits of A's condition, not of its square. Of the
underdetermined Aᵀ y = f, y = A R⁻¹ R⁻ᵀ f is the shortest solution, as good as Q would give [Paige 1973, "An error
analysis of a method for solving matrix equations"].

factor[c, b] is the entry (c, c + b); the width of the array bounds that of the rows.
"""

import math

from ..jit_cache import compiled

NOTHING = 1e-13  # of a column's length: a smaller pivot is rounding, and its unknown has no row to answer for it


@compiled
def insert_row(factor_out, column, row):
    """Rotate a row of A into R; it starts at `column`, and is used up."""
    width = len(row)
    while column < len(factor_out):
        if row[0] != 0.0:
            pivot = factor_out[column, 0]
            if pivot == 0.0:
                for j in range(width):
                    factor_out[column, j] = row[j]
                return
            length = math.hypot(pivot, row[0])
            cosine, sine = pivot / length, row[0] / length
            for j in range(width):
                above = factor_out[column, j]
                factor_out[column, j] = cosine * above + sine * row[j]
                row[j] = cosine * row[j] - sine * above
        is_used_up = True
        for j in range(width - 1):
            row[j] = row[j + 1]
            is_used_up = is_used_up and row[j] == 0.0
        row[width - 1] = 0.0
        if is_used_up:
            return
        column += 1


@compiled
def solve_rotated(factor, column_lengths, vector_out):
    """Rᵀ R x = b in place (n,), with the lengths (n,) of A's columns; x is zero where a column depends on others."""
    count, width = factor.shape
    for column in range(count):
        if abs(factor[column, 0]) > NOTHING * column_lengths[column]:
            vector_out[column] /= factor[column, 0]
            for j in range(1, min(width, count - column)):
                vector_out[column + j] -= factor[column, j] * vector_out[column]
        else:
            vector_out[column] = 0.0
    for column in range(count - 1, -1, -1):
        if abs(factor[column, 0]) > NOTHING * column_lengths[column]:
            total = vector_out[column]
            for j in range(1, min(width, count - column)):
                total -= factor[column, j] * vector_out[column + j]
            vector_out[column] = total / factor[column, 0]
