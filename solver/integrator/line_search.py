"""Newton steps that never raise the potential: halved until it falls as the gradient promises.

Each strand that stands alone has a step of its own; bodies and the strands they carry share one.
"""

import numpy as np

from ..state import State
from .newton_system import Inertia, NewtonSystem, Unknowns

SUFFICIENT_DECREASE = 1e-4  # Armijo's share of the decrease that the gradient promises
ROUNDING = 1e-14  # of the potential: a rise by less means nothing
SHORTEST_STEP = 2.0**-12


class LineSearch:
    """Moves the state of one scene along Newton's change."""

    def __init__(self, system: NewtonSystem):
        self.system = system
        model = system.model
        offsets, strand_count = model.rods.offsets, len(model.rods.offsets) - 1
        self.group_of_strand = np.arange(1, strand_count + 1)  # group 0 are bodies and what they carry
        if model.bound_points is not None:
            self.group_of_strand[model.bound_points.strands] = 0
        self.group_of_node = np.zeros(len(model.masses), int)
        self.group_of_node[model.strand_nodes] = np.repeat(self.group_of_strand, np.diff(offsets))
        self.group_count = strand_count + 1

    def move(self, state: State, start, gradient: Unknowns, change: Unknowns, inertia: Inertia, time_step: float):
        """Take the longest sufficient step from the state, in place."""
        before, origin = self._potentials(state, inertia, time_step), state.copy()
        promised = self._promised(gradient, change)
        shares = np.ones(self.group_count)
        while True:
            self._put(state, origin, change, shares, start, time_step)
            after = self._potentials(state, inertia, time_step)
            allowed = before - SUFFICIENT_DECREASE * shares * promised + ROUNDING * np.abs(before)
            is_worse = ~(after <= allowed) & (shares > SHORTEST_STEP)
            if not is_worse.any():
                return
            shares[is_worse] *= 0.5

    def _put(self, state, origin, change, shares, start, time_step):
        of_nodes = shares[self.group_of_node][:, None] * change.nodes
        of_twists = shares[self.group_of_node[: len(change.twists)]] * change.twists
        for name, array in origin.arrays().items():
            getattr(state, name)[:] = array
        state.velocities -= of_nodes
        state.positions -= time_step * of_nodes
        state.twist_velocities -= of_twists
        state.twists -= time_step * of_twists
        self.system.follow(state, start, time_step)

    def _potentials(self, state, inertia, time_step):
        of_strands, of_bodies = self.system.potentials(state, inertia, time_step)
        potentials = np.bincount(self.group_of_strand, of_strands, self.group_count).astype(float)  # integers for none
        potentials[0] += of_bodies
        return potentials

    def _promised(self, gradient, change):
        """∇𝒜 · A⁻¹ ∇𝒜 of each group."""
        per_node = (gradient.nodes * change.nodes).sum(axis=1)
        per_node[: len(change.twists)] += gradient.twists * change.twists
        return np.bincount(self.group_of_node, per_node, minlength=self.group_count)
