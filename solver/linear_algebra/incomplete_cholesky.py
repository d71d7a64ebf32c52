"""Incomplete factors of matrices of 3 × 3 blocks, with no more blocks than these (docs/theory/conjugate_residual.md).

A ≈ L Lᵀ, where L has the blocks of A's lower half [Meijerink and van der Vorst 1977]. Rows are cut into parts, and
blocks between parts are left out: threads have parts of their own, and the bits do not depend on their number.
"""

import math

import numpy as np
from numba import float32, float64, int32, prange

from ..jit_cache import compiled, kernel
from .block_matrix import BlockPattern, diagonal_places

LONGEST_PART = 16_384  # block rows
LEAST_PIVOT = 1e-3  # of the matrix's own: a smaller one is none
PROBES = 2  # vectors of random signs
INDICES, NUMBERS, BLOCKS, SHORT_BLOCKS = int32[::1], float64[::1], float64[:, :, ::1], float32[:, :, ::1]


class LowerPattern:
    """The lower half of a pattern, within its parts."""

    def __init__(self, pattern: BlockPattern):
        count = len(pattern.offsets) - 1
        rows = np.repeat(np.arange(count), np.diff(pattern.offsets))
        self.parts = _parts(rows, pattern.columns, count)  # first row of each part, and the end
        self.part_of = np.searchsorted(self.parts, np.arange(count), side="right") - 1
        is_lower = (pattern.columns < rows) & (self.part_of[pattern.columns] == self.part_of[rows])
        self.sources = np.flatnonzero(is_lower).astype(np.int32)
        self.columns = pattern.columns[self.sources].astype(np.int32)
        self.offsets = np.searchsorted(rows[self.sources], np.arange(count + 1)).astype(np.int32)
        self.diagonal = diagonal_places(pattern).astype(np.int32)


class IncompleteCholesky:
    """M = L Lᵀ, and its inverse times a vector."""

    def __init__(self, lower: LowerPattern, blocks: np.ndarray):
        """Blocks (b, 3, 3) of a matrix whose diagonal is positive."""
        count = len(lower.diagonal)
        self.lower = lower
        self.factor = np.empty((len(lower.columns), 3, 3), np.float32)
        self.pivots = np.empty((count, 3, 3))  # inverses of the diagonal blocks of L
        marks = np.full(count, -1, np.int32)
        at = lower.parts, lower.offsets, lower.columns, lower.sources, lower.diagonal
        factorize(*at, blocks, marks, self.factor, self.pivots)

    def put(self, vector: np.ndarray, solution_out: np.ndarray) -> None:
        """M⁻¹ times a vector, both (3 n,); they may be the same."""
        lower = self.lower
        solve(lower.parts, lower.offsets, lower.columns, self.factor, self.pivots, vector, solution_out)

    def softening(self, diagonal: np.ndarray) -> np.ndarray:
        """How much M⁻¹ is above the inverse of A's diagonal (3 n,), in the mean of each part's unknowns (p,)."""
        signs = np.random.default_rng(0).choice([-1.0, 1.0], (PROBES, len(diagonal)))
        answers = np.empty_like(signs)
        for sign, answer in zip(signs, answers, strict=True):
            self.put(sign, answer)
        part_of = np.repeat(self.lower.part_of, 3)
        soft = np.bincount(part_of, (signs * answers).mean(axis=0))
        return np.maximum(soft / np.bincount(part_of, 1.0 / diagonal), 1.0)


def _parts(rows, columns, count):
    """Where no block joins the rows before and after, and within what is longer than a part may be."""
    reach = np.full(count + 1, count, np.int64)
    np.minimum.at(reach, rows, columns)
    reach = np.minimum.accumulate(reach[::-1])[::-1]  # the first column of this row and all after it
    starts = np.flatnonzero(reach[:count] >= np.arange(count))
    ends = np.concatenate([starts[1:], [count]])
    pieces = [np.arange(start, end, LONGEST_PART) for start, end in zip(starts, ends, strict=True)]
    return np.concatenate([*pieces, [count]]).astype(np.int32)


@kernel((INDICES, INDICES, INDICES, INDICES, INDICES, BLOCKS, INDICES, SHORT_BLOCKS, BLOCKS), parallel=True)
def factorize(parts, offsets, columns, sources, diagonal, blocks, marks, factor_out, pivots_out):
    """Row by row; `marks` (n,) are −1 before and after, and tell where a row has a column."""
    for part in prange(len(parts) - 1):
        for row in range(parts[part], parts[part + 1]):
            for place in range(offsets[row], offsets[row + 1]):
                marks[columns[place]] = place
                for i in range(3):
                    for j in range(3):
                        factor_out[place, i, j] = blocks[sources[place], i, j]
            _put_row(offsets, columns, blocks[diagonal[row]], row, marks, factor_out, pivots_out)
            for place in range(offsets[row], offsets[row + 1]):
                marks[columns[place]] = -1


@compiled
def _put_row(offsets, columns, own, row, marks, factor_out, pivots_out):
    pivot = pivots_out[row]
    for i in range(3):
        for j in range(3):
            pivot[i, j] = own[i, j]
    for place in range(offsets[row], offsets[row + 1]):
        column = columns[place]
        for other in range(offsets[column], offsets[column + 1]):
            shared = marks[columns[other]]
            if shared >= 0:
                _subtract(factor_out[shared], factor_out[other], factor_out[place])
        _scale(pivots_out[column], factor_out[place])
        _subtract(factor_out[place], factor_out[place], pivot)
    if not _invert_root(own, pivot):
        _part_row(offsets, row, factor_out)


@compiled
def _subtract(a, b, total_out):
    """total −= a bᵀ."""
    for i in range(3):
        for j in range(3):
            total_out[i, j] -= a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2]


@compiled
def _scale(pivot, block_out):
    """block ← block P⁻ᵀ, with P⁻¹, which is lower triangular."""
    for i in range(3):
        a, b, c = block_out[i, 0], block_out[i, 1], block_out[i, 2]
        block_out[i, 0] = a * pivot[0, 0]
        block_out[i, 1] = a * pivot[1, 0] + b * pivot[1, 1]
        block_out[i, 2] = a * pivot[2, 0] + b * pivot[2, 1] + c * pivot[2, 2]


@compiled
def _invert_root(own, block_out):
    """P⁻¹ of P Pᵀ = block, and whether that is positive; if not, P² is the diagonal of the matrix's own block."""
    a = block_out[0, 0]
    x = block_out[1, 0] / a
    b = block_out[1, 1] - x * block_out[1, 0]
    y = block_out[2, 0] / a
    z = (block_out[2, 1] - x * block_out[2, 0]) / b
    c = block_out[2, 2] - y * block_out[2, 0] - z * z * b
    is_positive = a > LEAST_PIVOT * own[0, 0] and b > LEAST_PIVOT * own[1, 1] and c > LEAST_PIVOT * own[2, 2]
    if not is_positive:
        a, b, c, x, y, z = own[0, 0], own[1, 1], own[2, 2], 0.0, 0.0, 0.0
    a, b, c = 1.0 / math.sqrt(a), 1.0 / math.sqrt(b), 1.0 / math.sqrt(c)
    block_out[0, 0], block_out[0, 1], block_out[0, 2] = a, 0.0, 0.0
    block_out[1, 0], block_out[1, 1], block_out[1, 2] = -x * b, b, 0.0
    block_out[2, 0], block_out[2, 1], block_out[2, 2] = (x * z - y) * c, -z * c, c
    return is_positive


@compiled
def _part_row(offsets, row, factor_out):
    """A row without a pivot is joined with none before it: rows of L then are never longer than A's diagonal allows."""
    for place in range(offsets[row], offsets[row + 1]):
        for i in range(3):
            for j in range(3):
                factor_out[place, i, j] = 0.0


@kernel((INDICES, INDICES, INDICES, SHORT_BLOCKS, BLOCKS, NUMBERS, NUMBERS), parallel=True)
def solve(parts, offsets, columns, factor, pivots, vector, solution_out):
    """Down with L, up with its transpose."""
    for part in prange(len(parts) - 1):
        for row in range(parts[part], parts[part + 1]):
            x, y, z = vector[3 * row], vector[3 * row + 1], vector[3 * row + 2]
            for place in range(offsets[row], offsets[row + 1]):
                at = 3 * columns[place]
                a, b, c = solution_out[at], solution_out[at + 1], solution_out[at + 2]
                x -= factor[place, 0, 0] * a + factor[place, 0, 1] * b + factor[place, 0, 2] * c
                y -= factor[place, 1, 0] * a + factor[place, 1, 1] * b + factor[place, 1, 2] * c
                z -= factor[place, 2, 0] * a + factor[place, 2, 1] * b + factor[place, 2, 2] * c
            solution_out[3 * row] = pivots[row, 0, 0] * x
            solution_out[3 * row + 1] = pivots[row, 1, 0] * x + pivots[row, 1, 1] * y
            solution_out[3 * row + 2] = pivots[row, 2, 0] * x + pivots[row, 2, 1] * y + pivots[row, 2, 2] * z
        for turn in range(parts[part + 1] - parts[part]):
            row = parts[part + 1] - 1 - turn
            x, y, z = solution_out[3 * row], solution_out[3 * row + 1], solution_out[3 * row + 2]
            a = pivots[row, 0, 0] * x + pivots[row, 1, 0] * y + pivots[row, 2, 0] * z
            b = pivots[row, 1, 1] * y + pivots[row, 2, 1] * z
            c = pivots[row, 2, 2] * z
            solution_out[3 * row], solution_out[3 * row + 1], solution_out[3 * row + 2] = a, b, c
            for place in range(offsets[row], offsets[row + 1]):
                at = 3 * columns[place]
                solution_out[at] -= factor[place, 0, 0] * a + factor[place, 1, 0] * b + factor[place, 2, 0] * c
                solution_out[at + 1] -= factor[place, 0, 1] * a + factor[place, 1, 1] * b + factor[place, 2, 1] * c
                solution_out[at + 2] -= factor[place, 0, 2] * a + factor[place, 1, 2] * b + factor[place, 2, 2] * c
