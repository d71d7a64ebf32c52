"""The linear systems of all strands, one band a strand."""

import numpy as np

from ..linear_algebra.band_columns import COLUMN
from ..linear_algebra.banded_cholesky import factorize, solve
from ..linear_algebra.lanes import LANES
from ..linear_algebra.strand_layout import StrandLayout
from .assembly import RodInertia, RodTrial, assemble_rods
from .bound_points import BoundPoints
from .condensation import at_bound_points, bound_blocks, coupled_products, new_coupling, subtract_coupled
from .damping import damp_rods, damped_storage
from .energy import rod_energies
from .lane_transfer import points_from_lanes, points_to_lanes
from .point_blocks import put_diagonal, put_point_blocks, put_point_weights
from .rods import RodFrames, Rods


class RodDynamics:
    """Holds the storage of the linear systems between steps."""

    def __init__(self, rods: Rods, bound: BoundPoints | None = None):
        self.rods = rods
        self.damped = damped_storage(rods)
        self.layout = StrandLayout.from_offsets(rods.offsets)
        self.matrix = self.layout.new_matrix()
        self.factors = self.matrix  # in place, unless contacts need the matrix again
        self.diagonal = np.empty((0, 3))  # of the points, as linearized
        self.gradient, self.lanes, self.solution = (self.layout.new_vector() for _ in range(3))
        self.vector_starts = self.layout.strand_rows * LANES + self.layout.strand_lanes
        self.matrix_starts = self.layout.strand_rows * (COLUMN * LANES) + self.layout.strand_lanes
        self.strand_of_point = np.repeat(np.arange(len(rods.offsets) - 1), np.diff(rods.offsets))
        self.is_sound = np.ones(len(rods.offsets) - 1, bool)  # whether a strand's system could be solved
        self.coupling = new_coupling(rods, self.vector_starts, bound)

    def start_step(self, frames: RodFrames, positions, twists, time_step: float) -> None:
        """Before the step's first guess: damping looks back to where the step starts."""
        damp_rods(self.rods, frames, positions, twists, time_step, self.damped)

    def linearize(
        self, frames: RodFrames, trial: RodTrial, inertia: RodInertia, time_step: float, points_out, twists_out
    ) -> None:
        """A and ∇𝒜 at a trial: by the velocities of points (n, 3) and of twists (n,)."""
        starts, system = (self.matrix_starts, self.vector_starts), (self.coupling, self.matrix, self.gradient)
        assemble_rods(self.damped, frames, trial, inertia, time_step, *starts, *system)
        points_from_lanes(self.rods.offsets, self.vector_starts, self.gradient, points_out, twists_out)
        points_out[self.coupling.points] = self.coupling.gradients

    def put_point_blocks(self, blocks_out) -> None:
        """The points' own blocks of A (n, 3, 3) [kg], before it is factorized."""
        put_point_blocks(self.rods.offsets, self.matrix_starts, self.matrix, blocks_out)

    def keep(self) -> None:
        """What was linearized last, for `put_weighted`: its factors go elsewhere."""
        if self.factors is self.matrix:
            self.factors, self.diagonal = np.empty_like(self.matrix), np.empty((self.rods.offsets[-1], 3))
        put_diagonal(self.rods.offsets, self.matrix_starts, self.matrix, self.diagonal)

    def put_weighted(self, weights) -> None:
        """A + W, of the A that was kept, to be factorized; weights (n,) [kg] of the points."""
        put_point_weights(self.rods.offsets, self.matrix_starts, self.diagonal, weights, self.matrix)

    def kept_matrix(self) -> np.ndarray:
        """A copy of the A that was kept."""
        matrix = self.matrix.copy()
        put_point_weights(self.rods.offsets, self.matrix_starts, self.diagonal, np.zeros(len(self.diagonal)), matrix)
        return matrix

    def factorize(self) -> None:
        self.is_sound = factorize(self.layout, self.matrix, self.factors)

    def solve(self, points, twists, points_out, twists_out) -> None:
        """A_hh x = b for the free unknowns; given ones get their right-hand side."""
        self._load(points, twists)
        self._solve(points_out, twists_out)

    def solve_beside(self, points, twists, moved, points_out, twists_out) -> None:
        """A_hh x = b − A_hB B, where bound points move by B (b, k, 3)."""
        self._load(points, twists)
        subtract_coupled(self.coupling, moved, self.lanes)
        self._solve(points_out, twists_out)

    def condensed_blocks(self) -> np.ndarray:
        """S = A_BB − A_Bh A_hh⁻¹ A_hB of each bound strand (b, k, k, 3, 3)."""
        count, width = self.coupling.slots.shape
        blocks = bound_blocks(self.coupling)
        moved, products = np.zeros((count, width, 3)), np.zeros((count, width, 3))
        for place in range(width):
            for axis in range(3):
                moved[:], self.lanes[:] = 0.0, 0.0
                moved[:, place, axis] = -1.0
                subtract_coupled(self.coupling, moved, self.lanes)
                solve(self.layout, self.factors, self.lanes, self.solution)
                coupled_products(self.coupling, self.solution, products)
                blocks[:, :, place, :, axis] -= products
        return blocks

    def condensed_gradients(self, points, twists) -> np.ndarray:
        """g_B − A_Bh A_hh⁻¹ g_h at the bound points (b, k, 3), for g of points (n, 3) and twists (n,)."""
        self._load(points, twists)
        solve(self.layout, self.factors, self.lanes, self.solution)
        products = np.zeros((*self.coupling.slots.shape, 3))
        coupled_products(self.coupling, self.solution, products)
        return at_bound_points(self.coupling, points) - products

    def potentials(self, frames, trial, inertia) -> np.ndarray:
        """The incremental potential 𝒜 of each strand (s,)."""
        energies = np.zeros(len(self.rods.offsets) - 1)
        rod_energies(self.damped, frames, trial.positions, trial.twists, energies)
        kinetic = (0.5 * inertia.diagonal[:, None] * trial.velocities - inertia.momentum) * trial.velocities
        spin = (0.5 * self.rods.inertias * trial.twist_velocities - inertia.twist_momentum) * trial.twist_velocities
        return energies + self.sums(kinetic.sum(axis=1) + spin)

    def sums(self, values) -> np.ndarray:
        """Sums (s,) over the points of each strand."""
        return np.add.reduceat(values, self.rods.offsets[:-1])

    def _load(self, points, twists):
        points_to_lanes(self.rods.offsets, self.vector_starts, points, twists, self.lanes)

    def _solve(self, points_out, twists_out):
        solve(self.layout, self.factors, self.lanes, self.solution)
        points_from_lanes(self.rods.offsets, self.vector_starts, self.solution, points_out, twists_out)
        if not self.is_sound.all():  # numbers beyond all bounds: the simulation says which object it was
            points_out[~self.is_sound[self.strand_of_point]] = np.nan
