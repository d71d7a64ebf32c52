"""All strands over a step by the alternating direction method of multipliers, with twist in equilibrium.

No matrix but a scalar band, the same for the three axes: some thirty numbers a point, where Newton's method has sixty.
"""

import numpy as np

from .damping import damp_rods, damped_storage
from .quasi_static_twist import relax_twists
from .rods import RodFrames, Rods
from .split_iteration import StrandMotions, iterate_strands
from .split_weights import SplitWeights, factorize_points, put_weights
from .stresses import strains_at, stresses_of

TWIST_ITERATIONS = 4  # before the first: roots may have turned


class StrandSplitting:
    """One step after the other; nothing but storage goes from step to step."""

    def __init__(self, rods: Rods):
        count = len(rods.masses)
        self.rods = rods
        self.damped = damped_storage(rods)
        self.weights = SplitWeights(*(np.zeros(count) for _ in SplitWeights._fields))
        self.factor = np.zeros((count, 3))
        self.inertia = np.zeros(count)
        self.motions = StrandMotions(*(np.zeros(len(rods.offsets) - 1) for _ in StrandMotions._fields))

    def start_step(self, frames: RodFrames, start, twists, inertia, loads, time_step: float) -> None:
        """From points at `start` (n, 3) [m], where the frames are.

        Points have an inertia (n,) [N/m]; loads (n,) [N] are what pulls at them.
        """
        damp_rods(self.rods, frames, start, twists, time_step, self.damped)
        strains = strains_at(self.rods, frames, start, twists)
        self.stresses = stresses_of(self.rods, strains)
        self.inertia = inertia
        put_weights(self.damped, strains, self.stresses, inertia, loads, self.weights)
        factorize_points(self.damped, inertia, self.weights, self.factor)
        self.motions.least[:] = np.inf

    def put_inertia(self, inertia: np.ndarray) -> None:
        """Points are drawn to their targets by other stiffnesses (n,) [N/m] than at the step's start."""
        self.inertia = inertia
        factorize_points(self.damped, inertia, self.weights, self.factor)

    def settle_twists(self, frames: RodFrames, positions, twists) -> None:
        """Before the first iteration, after the frames have followed the points and the roots."""
        relax_twists(self.damped, frames, positions, TWIST_ITERATIONS, twists)

    def iterate(self, frames: RodFrames, targets, positions, twists) -> float:
        """Move points, whose inertia draws them to `targets` (n, 3) [m], in place; returns the largest motion [m]."""
        iterate_strands(
            *(self.damped, self.inertia, targets, self.weights, self.factor),
            *(frames, self.stresses, positions, twists, self.motions),
        )
        return float(self.motions.last.max(initial=0.0))
