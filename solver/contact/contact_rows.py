"""Contacts as rows of a mixed system, by their states (docs/theory/conjugate_residual.md).

The unknowns are velocities v and multipliers y = −x, with the impulses x along the rows. An open contact has no rows, a
sticking one all three, a sliding one its normal and one across its sliding; friction along the sliding is given.
"""

import numpy as np

from .coulomb_law import OPEN, SLIP, STICK
from .jacobian_products import jacobian_products
from .problem import AXES, FrictionProblem
from .residuals import TINY

SMALLEST = 1e-100  # impulse for a speed [kg], so that nothing overflows
NEGLIGIBLE = 1e-12  # friction that turns no sliding: the row across would only divide by nearly nothing


class ContactRows:
    """What changes with the contacts' states; the dynamics A do not."""

    def __init__(self, problem: FrictionProblem):
        count = problem.contact_count
        self.problem, self.products = problem, jacobian_products(problem)
        self.own = own_softness(problem)  # J_c D⁻¹ J_cᵀ with A's diagonal D             (m, 3, 3) [1/kg]
        self.states = np.full(count, OPEN, np.int8)
        self.directions = np.tile([1.0, 0.0], (count, 1))  # of sliding                  (m, 2)
        self.magnitudes = np.zeros(count)  # λ′: normal impulses that friction goes by   (m,) [N s]
        self.speeds = np.zeros(count)  # of sliding, where that was last looked at       (m,) [m/s]
        self.active = np.zeros((count, AXES), bool)
        self.give = np.zeros((count, AXES))  # velocity along a row for an impulse along it  [1/kg]
        self.fixed = np.zeros((count, AXES))  # impulses that are given                  [N s]
        self.multipliers = np.zeros((count, AXES))  # x                                  [N s]
        self.cosines, self.sines = np.ones(count), np.zeros(count)  # of the tangential rows against the tangents
        self.softness = np.ones((count, AXES))  # of the rows, without what makes them alike

    def velocities(self, v: np.ndarray) -> np.ndarray:
        """J v (m, 3) along normal and tangents."""
        return self.products.velocities(v)

    def along_rows(self, velocities: np.ndarray) -> np.ndarray:
        """Velocities or impulses (m, 3) along the rows, zero for those that are not active."""
        c, s = self.cosines, self.sines
        first = c * velocities[:, 1] + s * velocities[:, 2]
        second = c * velocities[:, 2] - s * velocities[:, 1]
        return np.where(self.active, np.column_stack([velocities[:, 0], first, second]), 0.0)

    def along_axes(self, rows: np.ndarray) -> np.ndarray:
        """The transpose: what acts along active rows (m, 3), along normal and tangents."""
        c, s, acting = self.cosines, self.sines, np.where(self.active, rows, 0.0)
        first = c * acting[:, 1] - s * acting[:, 2]
        second = s * acting[:, 1] + c * acting[:, 2]
        return np.column_stack([acting[:, 0], first, second])

    def apply(self, v: np.ndarray) -> np.ndarray:
        """L v (m, 3)."""
        return self.along_rows(self.velocities(v))

    def apply_transposed(self, rows: np.ndarray) -> np.ndarray:
        """Lᵀ y (n,)."""
        return self.push(self.along_axes(rows))

    def push(self, impulses: np.ndarray) -> np.ndarray:
        """Jᵀ r (n,)."""
        return self.products.push(impulses)

    @property
    def impulses(self) -> np.ndarray:
        """r (m, 3) [N s], normal first."""
        return self.along_axes(self.multipliers) + self.fixed

    def residual(self, v: np.ndarray) -> np.ndarray:
        """What active rows lack of L v + k + give x = 0 (m, 3) [m/s]."""
        rest = self.along_rows(self.velocities(v) + self.problem.k)
        return -rest - np.where(self.active, self.give * self.multipliers, 0.0)

    def rebuild(self, impulses: np.ndarray, has_across: bool = True) -> None:
        """Rows for the states as they are now, with these impulses (m, 3) where they are free."""
        is_closed, is_sliding = self.states != OPEN, self.states == SLIP
        self.cosines = np.where(is_sliding, -self.directions[:, 1], 1.0)
        self.sines = np.where(is_sliding, self.directions[:, 0], 0.0)
        self._give_way(is_sliding)
        turns = is_sliding & (self.give[:, 1] * NEGLIGIBLE < self.softness[:, 1]) & has_across
        self.active = np.column_stack([is_closed, (self.states == STICK) | turns, self.states == STICK])
        # Rows along which nothing can move are no equations, whatever sliding would make of them.
        self.active &= (self.softness > TINY) | (self.problem.compliance > 0.0)[:, None]
        self.fixed[:] = 0.0
        limits = self.problem.mu * self.magnitudes
        self.fixed[is_sliding, 1:] = -(limits[:, None] * self.directions)[is_sliding]
        self.multipliers = self.along_rows(impulses - self.fixed)

    def hold_normals(self, impulses: np.ndarray) -> None:
        """Normal impulses as given (m, 3); only friction remains free [Kaufman et al. 2008]."""
        self.active[:, 0], self.multipliers[:, 0] = False, 0.0
        self.fixed[:, 0] = impulses[:, 0]

    def hold_friction(self, impulses: np.ndarray) -> None:
        """Friction as given (m, 3); only normal impulses remain free."""
        self.active[:, 1:], self.multipliers[:, 1:] = False, 0.0
        self.fixed[:, 1:] = impulses[:, 1:]

    def _give_way(self, is_sliding):
        """Equation (5): the row across gives way so that friction keeps pointing against the sliding."""
        self.give = np.repeat(self.problem.compliance[:, None], AXES, axis=1)
        limits = self.problem.mu * self.magnitudes
        self.give[:, 1] += np.where(is_sliding, self.speeds / np.maximum(limits, SMALLEST * self.speeds + TINY), 0.0)
        c, s, own = self.cosines, self.sines, self.own
        across = c * c * own[:, 1, 1] + 2.0 * c * s * own[:, 1, 2] + s * s * own[:, 2, 2]
        along = s * s * own[:, 1, 1] - 2.0 * c * s * own[:, 1, 2] + c * c * own[:, 2, 2]
        self.softness = np.maximum(np.column_stack([own[:, 0, 0], across, along]), TINY)


def own_softness(problem: FrictionProblem) -> np.ndarray:
    """J_c D⁻¹ J_cᵀ (m, 3, 3) [1/kg] with the diagonal D of A."""
    scaled = problem.J.multiply(1.0 / np.sqrt(problem.A.diagonal())[None]).tocsr()
    parts = [scaled[axis::AXES] for axis in range(AXES)]
    blocks = [[np.asarray(a.multiply(b).sum(axis=1)).ravel() for b in parts] for a in parts]
    return np.ascontiguousarray(np.array(blocks).transpose(2, 0, 1))
