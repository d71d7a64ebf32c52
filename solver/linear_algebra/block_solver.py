"""Which solver a matrix of 3 × 3 blocks gets: a factor, unless it would take too much memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .sparse_cholesky import SparseCholesky

if TYPE_CHECKING:  # what is not imported is not compiled
    from .conjugate_gradient import ConjugateGradient

MOST_FACTOR_BYTES = 6 * 2**30  # that of a solid of half a million tetrahedra; a common computer has 16 GB


def block_solver(offsets, columns, positions) -> SparseCholesky | ConjugateGradient:
    """For the pattern (n + 1,), (k,) int32 of nodes at positions (n, 3)."""
    factor = SparseCholesky(offsets, columns, positions)
    if factor.factor_bytes <= MOST_FACTOR_BYTES:
        return factor
    from .conjugate_gradient import ConjugateGradient

    return ConjugateGradient(offsets, columns)
