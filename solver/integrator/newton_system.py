"""The Newton system of a whole scene: strands, bodies, and strands that bodies carry.

A step minimises 𝒜(v) = ½ Σ m ‖v − v̂‖² + Ψ(x + Δt v) + the potential of damping. `linearize` gives A = M + Δt² K + Δt D,
with the Hessians K of the elements made positive semi-definite, and the gradient ∇𝒜; `solve` gives A⁻¹ b exactly.
"""

from typing import NamedTuple

import numpy as np

from ..model import Model
from ..state import State


class Inertia(NamedTuple):
    """The inertial part of the potential, ½ d v² − p·v: d is a mass with drag, p a momentum with forces."""

    diagonal: np.ndarray  # of the nodes (n,) [kg]
    momentum: np.ndarray  # of the nodes (n, 3) [kg m/s]
    twist_momentum: np.ndarray  # of the strands' edges (h,) [kg m²/s]

    def rows(self, rows: slice) -> "Inertia":
        """Of some nodes; twists as they are."""
        return Inertia(self.diagonal[rows], self.momentum[rows], self.twist_momentum)


class Unknowns(NamedTuple):
    """One value for each unknown of the scene."""

    nodes: np.ndarray  # (n, 3)
    twists: np.ndarray  # of the strands' edges (h,)

    def dot(self, other: "Unknowns") -> float:
        return float((self.nodes * other.nodes).sum() + (self.twists * other.twists).sum())


class NewtonSystem:
    """Holds the storage of all linear systems between steps."""

    def __init__(self, model: Model, positions: np.ndarray):
        self.model = model
        self.strands = _strands(model)
        self.bodies = _bodies(model, positions)
        self.carried = _carried(model, self.strands, self.bodies)
        self.end_time = 0.0  # of the step [s]
        self.factor_weights: np.ndarray | None = None  # of the factors of what is kept (n,) [kg]; None: not factorized

    def new_unknowns(self) -> Unknowns:
        return Unknowns(np.zeros((len(self.model.masses), 3)), np.zeros(len(self.model.rods.masses)))

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        """`start` (n, 3) are the positions where the step begins; the first guess of its end is in the state."""
        self.end_time = end_time
        if self.strands:
            self.strands.start_step(state, start, time_step)
        if self.bodies:
            self.bodies.start_step(state.positions[self.model.body_nodes])
        self.follow(state, start, time_step)

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None:
        """Let what hangs on the free unknowns take its place: bound points, and frames of strands."""
        if self.carried:
            self.carried.move(state, start, time_step)
        if self.strands:
            self.strands.carry_frames(state, self.end_time)
        if self.carried:
            self.carried.turn_roots(state)

    def linearize(self, state: State, inertia: Inertia, time_step: float, gradient_out: Unknowns) -> None:
        if self.carried:
            self.carried.linearize(state)
        if self.strands:
            self.strands.linearize(state, inertia, time_step, gradient_out)
        if self.bodies:
            rows = self.model.body_nodes
            inertia_of_bodies = inertia.diagonal[rows], inertia.momentum[rows]
            at = state.positions[rows], state.velocities[rows]
            self.bodies.linearize(*at, inertia_of_bodies, time_step, gradient_out.nodes[rows])

    def node_blocks(self) -> np.ndarray:
        """The nodes' own blocks of A (n, 3, 3) [kg], as linearized; those of given nodes mean nothing."""
        blocks = np.empty((len(self.model.masses), 3, 3))
        if self.strands:
            self.strands.put_node_blocks(blocks[self.model.strand_nodes])
        if self.bodies:
            blocks[self.model.body_nodes] = self.bodies.node_blocks()
        return blocks

    def keep(self) -> None:
        """What was linearized last, for `factorize_with`."""
        self.factor_weights = None
        if self.strands:
            self.strands.dynamics.keep()
        if self.bodies:
            self.bodies.keep(may_round=self.solves_parts)

    def factorize_with(self, weights: np.ndarray) -> None:
        """A + W, of the A that was kept; weights (n,) [kg] of the nodes, zero for given ones.

        Where contacts came to strands only, the factor of the bodies is still good, and the other way round.
        """
        before, self.factor_weights = self.factor_weights, None
        strands, bodies = (
            before is None or self.carried is not None or not np.array_equal(before[rows], weights[rows])
            for rows in (self.model.strand_nodes, self.model.body_nodes)
        )
        if self.strands and strands:
            self.strands.put_weighted(weights[self.model.strand_nodes])
        if self.bodies and bodies:
            self.bodies.put_weighted(weights[self.model.body_nodes])
        self._factorize(strands, bodies)
        self.factor_weights = weights.copy()

    def factorize(self) -> None:
        """Of what was linearized last. Raises NotPositiveDefinite."""
        self._factorize(strands=True, bodies=True)

    def _factorize(self, strands, bodies):
        if self.strands and strands:
            self.strands.dynamics.factorize()
        if self.carried:
            self.carried.add_to_bodies()
        if self.bodies and bodies:
            self.bodies.factorize()

    def solve(self, right: Unknowns, out: Unknowns) -> None:
        """A⁻¹ b; nodes with a given motion get zero."""
        if self.carried:
            self.carried.solve(right, out)
            return
        if self.strands:
            self.strands.solve(right, out)
        if self.bodies:
            self.bodies.solve(right.nodes[self.model.body_nodes], out.nodes[self.model.body_nodes])

    def solve_on(self, right: Unknowns, out: Unknowns) -> None:
        """As `solve`, from the bodies' last solution of what was kept: right to some digits of the change."""
        if self.carried or not self.bodies:
            self.solve(right, out)
            return
        if self.strands:
            self.strands.solve(right, out)
        self.bodies.solve_on(right.nodes[self.model.body_nodes], out.nodes[self.model.body_nodes])

    def correct(self, right: Unknowns, out: Unknowns) -> None:
        """The solution of `solve_on` in all its digits."""
        if self.bodies:
            self.bodies.correct(right.nodes[self.model.body_nodes], out.nodes[self.model.body_nodes])

    @property
    def solves_parts(self) -> bool:
        """Whether there is something to gain by `solve_weighted`."""
        return self.bodies is not None and self.carried is None and self.bodies.solves_parts

    def solve_weighted(self, right: Unknowns, out: Unknowns) -> None:
        """As `solve`, for strands, nodes with a weight and what must be known for them; others stay as they are.

        Only nodes with a weight may have another right-hand side than when all were solved last.
        """
        if self.strands:
            self.strands.solve(right, out)
        self.bodies.solve_weighted(right.nodes[self.model.body_nodes], out.nodes[self.model.body_nodes])

    def put_part(self, whole: Unknowns, out: Unknowns) -> None:
        """From the solution of all unknowns, those that `solve_weighted` would give."""
        rows = self.model.strand_nodes
        out.nodes[rows], out.twists[:] = whole.nodes[rows], whole.twists
        self.bodies.put_part(whole.nodes[self.model.body_nodes], out.nodes[self.model.body_nodes])

    def potentials(self, state: State, inertia: Inertia, time_step: float) -> tuple[np.ndarray, float]:
        """𝒜 of each strand (s,) and of all bodies."""
        of_strands = self.strands.potentials(state, inertia) if self.strands else np.zeros(0)
        if not self.bodies:
            return of_strands, 0.0
        rows = self.model.body_nodes
        inertia_of_bodies = inertia.diagonal[rows], inertia.momentum[rows]
        return of_strands, self.bodies.potential(
            state.positions[rows], state.velocities[rows], inertia_of_bodies, time_step
        )


def _strands(model):
    """Imported when there are some: compiling their kernels takes a while."""
    if not len(model.rods.masses):
        return None
    from .strand_system import StrandSystem

    return StrandSystem(model)


def _bodies(model, positions):
    if not model.laws:
        return None
    from .body_system import BodySystem

    carried = [] if model.bound_points is None else [model.bound_points.nodes[model.bound_points.slots]]
    groups = [nodes.reshape(len(nodes), -1) for nodes in carried]
    rows = model.body_nodes
    return BodySystem(model.laws, positions[rows], model.is_free[rows], groups)


def _carried(model, strands, bodies):
    if model.bound_points is None:
        return None
    from .carried_strands import CarriedStrands

    return CarriedStrands(model, model.bound_points, strands, bodies)
