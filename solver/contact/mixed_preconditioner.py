"""Preconditioners of the mixed system [Verschoor and Jalba 2019, section 3.4] (docs/theory/conjugate_residual.md)."""

import numpy as np

from .contact_rows import ContactRows
from .contact_similarity import ContactSimilarity
from .coulomb_law import OPEN
from .mixed_vector import Mixed


class MixedPreconditioner:
    """C⁻¹ of the active rows: Full is the inverse of the mixed matrix with diagonals in it, Diag those alone."""

    def __init__(self, rows: ContactRows, is_full: bool):
        self.rows, self.is_full = rows, is_full
        self.mobilities = 1.0 / rows.problem.A.diagonal()  # D⁻¹ (n,) [1/kg]
        self.similarity = ContactSimilarity(rows.problem)
        self.inverses = np.zeros_like(rows.give)  # S⁻¹ of the rows (m, 3) [kg]
        self.update()

    def update(self) -> None:
        """Take the rows as they are now."""
        alike = self.similarity.among(self.rows.states != OPEN)
        softness = alike[:, None] * self.rows.softness + self.rows.give
        self.inverses = np.where(self.rows.active, 1.0 / softness, 0.0)

    def put(self, vector: Mixed, out: Mixed) -> None:
        """C⁻¹ of dynamics (n,) [kg m/s] and rows (m, 3) [m/s]."""
        np.multiply(self.mobilities, vector.top, out=out.top)
        if not self.is_full:
            np.multiply(self.inverses, vector.low, out=out.low)
            return
        np.multiply(self.inverses, self.rows.apply(out.top) - vector.low, out=out.low)
        pushes = self.rows.apply_transposed(out.low)
        pushes *= self.mobilities
        np.subtract(out.top, pushes, out=out.top)

    def of(self, vector: Mixed) -> Mixed:
        """The same as a new vector."""
        out = vector.copy()
        self.put(vector, out)
        return out
