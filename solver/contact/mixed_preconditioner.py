"""Preconditioners of the mixed system [Verschoor and Jalba 2019, section 3.4] (docs/theory/conjugate_residual.md)."""

import numpy as np

from ..linear_algebra.incomplete_cholesky import IncompleteCholesky
from .contact_rows import ContactRows
from .coulomb_law import OPEN
from .dynamics_product import BlockDynamics
from .jacobian_products import NodalProducts
from .mixed_kernels import put_scaled
from .mixed_vector import Mixed, mixed_zeros


class MixedPreconditioner:
    """C⁻¹ of the active rows: Full is the inverse of the mixed matrix with diagonals in it, Diag those alone.

    Instead of A's diagonal, Full may have an incomplete factor of it.
    """

    def __init__(self, rows: ContactRows, is_full: bool, is_incomplete: bool = False):
        self.rows, self.is_full = rows, is_full
        self.factor: IncompleteCholesky | None = None  # M
        self.softening: np.ndarray | float = 1.0  # of each contact by its neighbours, for S
        if is_full and is_incomplete:
            self.factor, self.softening = _factor(rows.problem)
        self.room = np.empty(len(rows.problem.f))
        self.factors = mixed_zeros(len(rows.problem.f), rows.problem.contact_count)  # D⁻¹ [1/kg], and for Diag S⁻¹
        self.factors.top[:] = rows.problem.mobilities
        self.inverses = np.zeros_like(rows.rows.give)  # S⁻¹ of the rows (m, 3) [kg]
        self.update()

    def update(self) -> None:
        """Take the rows as they are now."""
        rows = self.rows.rows
        alike = self.rows.problem.similarity.among(self.rows.states != OPEN)
        if self.is_full:
            alike *= self.softening
        np.divide(rows.active, alike[:, None] * rows.softness + rows.give, out=self.inverses)
        self.factors.low[:] = 0.0 if self.is_full else self.inverses

    def put(self, vector: Mixed, out: Mixed) -> None:
        """C⁻¹ of dynamics (n,) [kg m/s] and rows (m, 3) [m/s]."""
        if self.is_full and self.factor is not None:
            self._put_by_factor(vector, out)
            return
        put_scaled(self.factors.flat, vector.flat, out.flat)
        if self.is_full:
            self.rows.products.correct(vector, self.inverses, out)

    def _put_by_factor(self, vector, out):
        """(11) with M instead of D."""
        assert self.factor is not None
        self.factor.put(vector.top, out.top)
        self.factor.put(self.rows.products.answer(vector, self.inverses, out), self.room)
        np.subtract(out.top, self.room, out=out.top)

    def of(self, vector: Mixed) -> Mixed:
        """The same as a new vector."""
        out = vector.copy()
        self.put(vector, out)
        return out


def _factor(problem):
    """Of nodes' dynamics; and (18): how much softer than by A's diagonal contacts (m,) are, with their neighbours."""
    if not isinstance(problem.dynamics, BlockDynamics) or not isinstance(problem.products, NodalProducts):
        return None, 1.0
    factor, form = problem.dynamics.incomplete, problem.products.form
    of_nodes = factor.softening(problem.dynamics.diagonal)[factor.lower.part_of[form.nodes]]
    softening = np.ones(problem.contact_count)
    has_nodes = np.diff(form.offsets) > 0
    if has_nodes.any():
        softening[has_nodes] = np.maximum.reduceat(of_nodes, form.offsets[:-1][has_nodes])
    return factor, softening**2
