"""Strands as unknowns that a Krylov method likes: changes of their velocities, by the root of their matrix.

docs/theory/conjugate_residual.md, *Strands*. A strand's A has a condition of up to 10¹²; its factor A = L Lᵀ is
cheap and exact. With the velocities v₀ where the step was linearized and a mass m̄ of the strand, the unknowns w of

    v = v₀ + √m̄ L⁻ᵀ w    (equation 15)

have the matrix m̄ 1, whatever the strand is made of. They lie as the strands' linear systems do (strand_layout.py), with
zeros where a group of four has fewer strands.
"""

import numpy as np
import scipy.sparse as sparse

from ..linear_algebra.banded_cholesky import solve_lower, solve_upper
from ..linear_algebra.errors import NotPositiveDefinite
from ..linear_algebra.lanes import LANES
from ..rods.inverse_rows import OF_POINT, put_inverse_blocks, put_root_rows
from ..rods.lane_transfer import points_from_lanes, points_to_lanes
from ..state import State
from .newton_system import Unknowns
from .strand_system import StrandSystem


class StrandUnknowns:
    """Of all strands; points and twists are theirs alone."""

    def __init__(self, strands: StrandSystem):
        self.rows, self.dynamics = strands.rows, strands.dynamics
        self.layout, self.offsets = self.dynamics.layout, self.dynamics.rods.offsets
        self.count = self.layout.vector_size
        self.point_count = len(self.dynamics.strand_of_point)
        self.mean_masses = self.dynamics.sums(self.dynamics.rods.masses) / np.diff(self.offsets)  # (s,) [kg]
        self.masses = self.roots = np.ones(self.count)  # m̄ of each unknown [kg], and its root
        self.at = Unknowns(np.zeros((self.point_count, 3)), np.zeros(self.point_count))  # v₀
        self.no_twists = np.zeros(self.point_count)

    def linearize(self, state: State, gradient: Unknowns, weight: float) -> tuple[np.ndarray, np.ndarray]:
        """f (w,) [kg m/s] of what the strands' system was linearized to, and where to begin (w,) [m/s].

        That is where the impulses of the last contacts lead. The weight says by how many times the mean mass of a
        strand's points changes are measured.
        """
        self.dynamics.factorize()
        self._refuse_lost_numbers(gradient, weight)
        self.masses = self._of_strands(weight * self.mean_masses)
        self.roots = np.sqrt(self.masses)
        self.at = Unknowns(state.velocities[self.rows].copy(), state.twist_velocities.copy())
        f = -self._pulled(gradient.nodes[self.rows], gradient.twists)
        return f, (f + self.pull(state.impulses[self.rows])) / self.masses

    def velocities(self, unknowns: np.ndarray) -> Unknowns:
        """Of points (n, 3) [m/s] and twists (n,) [rad/s], by unknowns (w,): equation 15."""
        change = self._changes(unknowns)
        return Unknowns(self.at.nodes + change.nodes, self.at.twists + change.twists)

    def changes(self, unknowns: np.ndarray) -> np.ndarray:
        """√m̄ L⁻ᵀ w of the points (n, 3) [m/s]."""
        return self._changes(unknowns).nodes

    def pull(self, pushes: np.ndarray) -> np.ndarray:
        """What pushes on the points (n, 3) [N s] are to the unknowns (w,): √m̄ L⁻¹ p."""
        return self._pulled(np.ascontiguousarray(pushes), self.no_twists)

    def basis(self, points: np.ndarray) -> sparse.csr_array:
        """√m̄ L⁻ᵀ as a matrix (3 n, w), of which only the rows of some points are there."""
        points = np.unique(points).astype(np.int32)
        strands = self.dynamics.strand_of_point[points].astype(np.int32)
        first_rows = OF_POINT * (points - self.offsets[strands])[:, None] + np.arange(3)
        lengths = (OF_POINT * np.diff(self.offsets)[strands])[:, None] - 1 - first_rows
        row_starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        values = np.empty(row_starts[-1])
        put_root_rows(points, strands, self.offsets, self.dynamics.matrix_starts, self.dynamics.factors,
                      row_starts, values)  # fmt: skip
        begins = (self.dynamics.vector_starts[strands][:, None] + LANES * first_rows).ravel()
        counts = lengths.ravel()
        columns = np.repeat(begins, counts) + LANES * (np.arange(len(values)) - np.repeat(row_starts[:-1], counts))
        in_row = np.zeros(3 * self.point_count, np.int64)
        in_row[(3 * points[:, None] + np.arange(3)).ravel()] = counts
        places = np.concatenate([[0], np.cumsum(in_row)])
        return sparse.csr_array((values * self.roots[columns], columns, places), shape=(len(in_row), self.count))

    def inverse_blocks(self) -> tuple[np.ndarray, np.ndarray]:
        """A⁻¹ of each point with itself, and with the next one of its strand: (n, 3, 3) [1/kg] both."""
        own, beside = np.zeros((2, self.point_count, 3, 3))
        put_inverse_blocks(self.offsets, self.dynamics.matrix_starts, self.dynamics.factors, own, beside)
        return own, beside

    def _changes(self, unknowns):
        lanes = self.roots * unknowns
        solve_upper(self.layout, self.dynamics.factors, lanes)
        change = Unknowns(np.empty((self.point_count, 3)), np.empty(self.point_count))
        points_from_lanes(self.offsets, self.dynamics.vector_starts, lanes, *change)
        return change

    def _pulled(self, points, twists):
        lanes = np.zeros(self.count)
        points_to_lanes(self.offsets, self.dynamics.vector_starts, points, twists, lanes)
        solve_lower(self.layout, self.dynamics.factors, lanes, lanes)
        return self.roots * lanes

    def _of_strands(self, values):
        """Values (s,) for all unknowns of a strand (w,); their mean where there is no strand."""
        per_lane = np.full(self.layout.group_strands.shape, values.mean())
        per_lane[self.layout.strand_groups, self.layout.strand_lanes] = values
        return np.repeat(per_lane, np.diff(self.layout.group_rows), axis=0).ravel()

    def _refuse_lost_numbers(self, gradient, weight):
        """The simulation then says which object it was."""
        is_lost = ~np.isfinite(gradient.nodes[self.rows]).all(axis=1) | ~np.isfinite(gradient.twists)
        is_lost |= ~self.dynamics.is_sound[self.dynamics.strand_of_point]
        if is_lost.any() or not np.isfinite(weight):  # a momentum beyond all numbers is nobody's in particular
            raise NotPositiveDefinite(int(np.argmax(is_lost)), 0, is_of_strand=True)
