"""Newton's method on the incremental potential of all strands, one band solve a strand."""

import numpy as np

from ..linear_algebra.band_columns import COLUMN
from ..linear_algebra.banded_cholesky import factorize, solve
from ..linear_algebra.lanes import LANES
from ..linear_algebra.strand_layout import StrandLayout, from_lanes
from .assembly import RodInertia, RodTrial, assemble_rods
from .damping import damp_rods, damped_storage
from .energy import rod_energies
from .rods import RodFrames, Rods
from .transport import transport_frames

SUFFICIENT_DECREASE = 1e-4  # Armijo's share of the decrease that the gradient promises
SHORTEST_STEP = 2.0**-12


class RodDynamics:
    """Holds the storage of the linear systems between steps."""

    def __init__(self, rods: Rods):
        self.rods = rods
        self.damped = damped_storage(rods)
        self.layout = StrandLayout.from_offsets(rods.offsets)
        self.matrix = self.layout.new_matrix()
        self.gradient = self.layout.new_vector()
        self.increments = self.layout.new_vector()
        self.vector_starts = self.layout.strand_rows * LANES + self.layout.strand_lanes
        self.matrix_starts = self.layout.strand_rows * (COLUMN * LANES) + self.layout.strand_lanes
        self.flat = np.zeros(self.layout.unknown_count)
        self.point_rows, self.edge_rows, self.edges = _rows_of(rods.offsets)
        self.strand_of_point = np.repeat(np.arange(len(rods.offsets) - 1), np.diff(rods.offsets))

    def start_step(self, frames: RodFrames, positions, twists, time_step: float) -> None:
        """Before the step's first guess: damping looks back to where the step starts."""
        damp_rods(self.rods, frames, positions, twists, time_step, self.damped)

    def iterate(self, frames: RodFrames, trial: RodTrial, inertia: RodInertia, time_step: float) -> None:
        """One Newton iteration with full step, in place."""
        change = self.newton_change(frames, trial, inertia, time_step)
        _move(trial, change, -1.0, time_step)
        transport_frames(self.rods.offsets, trial.positions, frames, frames)

    def iterate_with_line_search(self, frames, trial, inertia, time_step: float) -> float:
        """One Newton iteration; each strand halves its step until its potential falls.

        Returns the largest change of a position [m] that Newton asked for.
        """
        before = self.potentials(frames, trial, inertia)
        change = self.newton_change(frames, trial, inertia, time_step)
        promised = self._sum_by_strand(self.flat * self._flat_gradient)
        shares = np.ones(len(before))
        while True:
            moved, moved_frames = RodTrial(*(array.copy() for array in trial)), frames.copy()
            _move(moved, change, -shares[self.strand_of_point], time_step)
            transport_frames(self.rods.offsets, moved.positions, frames, moved_frames)
            after = self.potentials(moved_frames, moved, inertia)
            is_worse = ~(after <= before - SUFFICIENT_DECREASE * shares * promised + 1e-14 * np.abs(before))
            is_worse &= shares > SHORTEST_STEP
            if not is_worse.any():
                break
            shares[is_worse] *= 0.5
        for kept, new in ((trial, moved), (frames, moved_frames)):
            for array, value in zip(kept, new, strict=True):
                array[:] = value
        return float(time_step * np.abs(change[0]).max(initial=0.0))

    def newton_change(self, frames, trial, inertia, time_step):
        """A⁻¹ ∇𝒜 for the velocities of points (n, 3) and of twists (n,)."""
        starts = self.matrix_starts, self.vector_starts
        assemble_rods(self.damped, frames, trial, inertia, time_step, *starts, self.matrix, self.gradient)
        is_sound = factorize(self.layout, self.matrix, self.matrix)
        solve(self.layout, self.matrix, self.gradient, self.increments)
        from_lanes(self.layout, self.increments, self.flat)
        if not is_sound.all():  # numbers beyond all bounds: the simulation says which object it was
            self.flat[np.repeat(~is_sound, np.diff(self.layout.unknown_offsets))] = np.nan
        turned = np.zeros(len(self.edge_rows))
        turned[self.edges] = self.flat[self.edge_rows[self.edges]]
        return self.flat[self.point_rows], turned

    def potentials(self, frames, trial, inertia) -> np.ndarray:
        """The incremental potential 𝒜 of each strand (s,)."""
        energies = np.zeros(len(self.rods.offsets) - 1)
        rod_energies(self.damped, frames, trial.positions, trial.twists, energies)
        kinetic = (0.5 * inertia.diagonal[:, None] * trial.velocities - inertia.momentum) * trial.velocities
        spin = (0.5 * self.rods.inertias * trial.twist_velocities - inertia.twist_momentum) * trial.twist_velocities
        per_point = kinetic.sum(axis=1)
        per_point[self.edges] += spin[self.edges]
        return energies + np.bincount(self.strand_of_point, per_point, minlength=len(energies))

    @property
    def _flat_gradient(self):
        flat = np.zeros_like(self.flat)
        from_lanes(self.layout, self.gradient, flat)
        return flat

    def _sum_by_strand(self, flat):
        return np.add.reduceat(flat, self.layout.unknown_offsets[:-1])


def _move(trial, change, share, time_step):
    velocities, twist_velocities = change
    share = np.asarray(share)
    moved = (share if share.ndim == 0 else share[:, None]) * velocities
    turned = share * twist_velocities
    trial.velocities[:] += moved
    trial.positions[:] += time_step * moved
    trial.twist_velocities[:] += turned
    trial.twists[:] += time_step * turned


def _rows_of(offsets):
    """The unknowns of each point (n, 3) and of each edge's twist (n,), and the points that an edge begins at."""
    counts = np.diff(offsets)
    strand = np.repeat(np.arange(len(counts)), counts)
    first_row = 4 * offsets[:-1] - np.arange(len(counts))  # strands before have one unknown less than 4 a point
    row = first_row[strand] + 4 * (np.arange(offsets[-1]) - offsets[strand])
    has_edge = np.ones(offsets[-1], bool)
    has_edge[offsets[1:] - 1] = False
    return row[:, None] + np.arange(3), row + 3, np.flatnonzero(has_edge)
