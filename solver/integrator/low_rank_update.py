"""Solutions of (A + Σ sᵢ gᵢ gᵢᵀ) x = b from those of A, by the formula of Sherman, Morrison and Woodbury.

docs/theory/time_step.md, 6.
"""

from collections.abc import Callable

import numpy as np


class LowRankUpdate:
    """A few dense columns added to a sparse matrix."""

    def __init__(self, factors: np.ndarray, columns: np.ndarray):
        """Factors s ≥ 0 (m,) and columns g (m, n, 3)."""
        self.factors, self.columns = factors, columns
        self.solved = np.zeros_like(columns)
        self.small = np.zeros((len(factors), len(factors)))

    def prepare(self, solve: Callable[[np.ndarray, np.ndarray], object]) -> None:
        """After each factorisation of A, whose solutions `solve(right, out)` gives."""
        for column, out in zip(self.columns, self.solved, strict=True):
            solve(column, out)
        products = np.einsum("inx,jnx->ij", self.columns, self.solved)
        self.small = np.eye(len(self.factors)) + self.factors[:, None] * products

    def correct(self, solution: np.ndarray) -> None:
        """From A⁻¹ b to the solution with the update, in place (n, 3)."""
        along = self.factors * np.einsum("inx,nx->i", self.columns, solution)
        shares = np.linalg.solve(self.small, along)
        solution -= np.einsum("i,inx->nx", shares, self.solved)
