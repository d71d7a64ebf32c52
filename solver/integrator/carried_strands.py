"""Strands that bodies carry: solved together with them, exactly, by condensing each strand to its bound points.

docs/theory/time_step.md, 3 to 5.
"""

import numpy as np

from ..model import Model
from ..rods.bound_points import NONE, BoundPoints, bound_directors, bound_jacobians, bound_positions
from ..rods.transport import turn_root_frames
from ..state import State


class CarriedStrands:
    """Ties the strands' systems to that of the bodies."""

    def __init__(self, model: Model, bound: BoundPoints, strands, bodies):
        self.model = model
        self.bound = bound
        self.strands, self.bodies = strands, bodies
        self.has_point = self.bound.slots != NONE
        self.jacobians = np.zeros((*bound.nodes.shape, 3, 3))  # of the bound points by the nodes that carry them
        self.rooted = _rooted(bound, model.rods.offsets)

    def move(self, state: State, start, time_step: float) -> None:
        """Put the bound points where the bodies have them."""
        points = self.bound.points
        state.positions[points] = bound_positions(self.bound, state.positions[self.model.body_nodes])
        state.velocities[points] = (state.positions[points] - start[points]) / time_step

    def turn_roots(self, state: State) -> None:
        """Roots' sections turn with the surface."""
        directors = bound_directors(self.bound, state.positions[self.model.body_nodes])[self.rooted]
        strands = self.bound.strands[self.rooted]
        turn_root_frames(strands, self.model.rods.offsets, np.ascontiguousarray(directors), state.frames)

    def linearize(self, state: State) -> None:
        """How bound points follow the bodies' nodes."""
        self.jacobians[:] = bound_jacobians(self.bound, state.positions[self.model.body_nodes])

    def add_to_bodies(self) -> None:
        """Jᵀ S J of every strand, an element on all nodes that carry it."""
        condensed = self.strands.dynamics.condensed_blocks()
        count = len(condensed)
        of_slots = self._of_slots(self.jacobians)  # (b, k, w, 3, 3)
        blocks = np.einsum("biwam,bijac,bjvcn->biwjvmn", of_slots, condensed, of_slots, optimize=True)
        width = of_slots.shape[1] * of_slots.shape[2]
        self.bodies.add_group(0, np.ascontiguousarray(blocks.reshape(count, width, width, 3, 3)))

    def solve(self, right, out) -> None:
        """Bodies first, with the strands' forces at the bound points; then the strands beside them."""
        rows, strand_rows = self.model.body_nodes, self.model.strand_nodes
        dynamics = self.strands.dynamics
        of_strands = right.nodes[strand_rows], right.twists
        forces = dynamics.condensed_gradients(*of_strands)
        on_bodies = right.nodes[rows].copy()
        spread = np.einsum("bkwam,bka->bkwm", self._of_slots(self.jacobians), forces)
        nodes = self.bound.nodes[self.bound.slots]
        for axis in range(3):
            on_bodies[:, axis] += np.bincount(nodes.ravel(), spread[..., axis].ravel(), minlength=len(on_bodies))
        on_bodies[~self.model.is_free[rows]] = 0.0
        self.bodies.solve(on_bodies, out.nodes[rows])
        moved = np.einsum("pwam,pwm->pa", self.jacobians, out.nodes[rows][self.bound.nodes])
        beside = self._of_slots(moved)
        dynamics.solve_beside(*of_strands, beside, out.nodes[strand_rows], out.twists)
        out.nodes[self.bound.points] = moved

    def _of_slots(self, values):
        """Values (p, …) of the bound points by strand (b, k, …), zero where one has fewer."""
        has_point = self.has_point.reshape(*self.has_point.shape, *([1] * (values.ndim - 1)))
        return np.where(has_point, values[self.bound.slots], 0.0)


def _rooted(bound, offsets):
    """Which of the bound strands (b,) have their first two points bound: their roots are clamped."""
    if bound.width < 2:
        return np.zeros(len(bound.strands), bool)
    first, second = (np.where(bound.slots[:, i] != NONE, bound.points[bound.slots[:, i]], NONE) for i in (0, 1))
    roots = offsets[bound.strands]
    return (first == roots) & (second == roots + 1)
