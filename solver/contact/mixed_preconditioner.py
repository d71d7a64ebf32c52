"""Preconditioners of the mixed system [Verschoor and Jalba 2019, section 3.4] (docs/theory/conjugate_residual.md)."""

import numpy as np

from .contact_rows import ContactRows
from .coulomb_law import OPEN
from .mixed_kernels import put_scaled
from .mixed_vector import Mixed, mixed_zeros


class MixedPreconditioner:
    """C⁻¹ of the active rows: Full is the inverse of the mixed matrix with diagonals in it, Diag those alone."""

    def __init__(self, rows: ContactRows, is_full: bool):
        self.rows, self.is_full = rows, is_full
        self.factors = mixed_zeros(len(rows.problem.f), rows.problem.contact_count)  # D⁻¹ [1/kg], and for Diag S⁻¹
        self.factors.top[:] = rows.problem.mobilities
        self.inverses = np.zeros_like(rows.rows.give)  # S⁻¹ of the rows (m, 3) [kg]
        self.update()

    def update(self) -> None:
        """Take the rows as they are now."""
        rows = self.rows.rows
        alike = self.rows.problem.similarity.among(self.rows.states != OPEN)
        np.divide(rows.active, alike[:, None] * rows.softness + rows.give, out=self.inverses)
        self.factors.low[:] = 0.0 if self.is_full else self.inverses

    def put(self, vector: Mixed, out: Mixed) -> None:
        """C⁻¹ of dynamics (n,) [kg m/s] and rows (m, 3) [m/s]."""
        put_scaled(self.factors.flat, vector.flat, out.flat)
        if self.is_full:
            self.rows.products.correct(vector, self.inverses, out)

    def of(self, vector: Mixed) -> Mixed:
        """The same as a new vector."""
        out = vector.copy()
        self.put(vector, out)
        return out
