"""Newton's method on the incremental potential of one body made of elements: cloth, or a solid."""

from collections.abc import Sequence

import numpy as np

from ..energies.law import Law
from ..linear_algebra.block_matrix import (
    Gather,
    add_diagonal,
    add_gathered,
    build_pattern,
    gather_blocks,
    gather_nodes,
    hold_rows,
    multiply_blocks,
)
from ..linear_algebra.sparse_cholesky import SparseCholesky

SUFFICIENT_DECREASE = 1e-4  # Armijo's share of the decrease that the gradient promises
SHORTEST_STEP = 2.0**-12


class LawStorage:
    """One law with room for its elements' derivatives, and where they add up."""

    def __init__(self, law: Law, pattern, node_count: int):
        count, k = law.nodes.shape
        self.law = law
        self.energies = np.zeros(count)
        self.gradients = np.zeros((count, k, 3))
        self.hessians = np.zeros((count, k, k, 3, 3))
        self.to_nodes: Gather = gather_nodes(node_count, law.nodes)
        self.to_blocks: Gather = gather_blocks(pattern, law.nodes)

    def add_derivatives(self, positions, gradient_out, blocks_out):
        self.law.derivatives(positions, self.gradients, self.hessians)
        add_gathered(*self.to_nodes, 1.0, self.gradients.reshape(-1, 3), gradient_out)
        add_gathered(*self.to_blocks, 1.0, self.hessians.reshape(-1, 9), blocks_out.reshape(-1, 9))

    def energy(self, positions) -> float:
        self.law.energies(positions, self.energies)
        return float(self.energies.sum())


class ElementDynamics:
    """Holds the storage of one body's linear system between steps; its nodes are numbered from 0."""

    def __init__(self, laws: Sequence[Law], rest_positions: np.ndarray, is_free: np.ndarray, damping: float):
        count = len(rest_positions)
        self.pattern = build_pattern(count, [law.nodes for law in laws])
        self.laws = [LawStorage(law, self.pattern, count) for law in laws]
        self.is_free = is_free.astype(np.int32)
        self.damping = damping  # ξ [s]
        self.factor = SparseCholesky(*self.pattern, rest_positions)
        self.blocks = np.zeros((self.pattern.block_count, 3, 3))
        self.damping_blocks = np.zeros_like(self.blocks)
        self.forces, self.dissipation, self.change = (np.zeros((count, 3)) for _ in range(3))

    def start_step(self, positions: np.ndarray) -> None:
        """Damping is D = ξ K, with the stiffness K where the step's first guess is: constant in the step."""
        if self.damping:
            self._evaluate(positions)
            np.multiply(self.blocks, self.damping, out=self.damping_blocks)

    def iterate(self, positions, velocities, inertia, time_step: float) -> None:
        """One Newton iteration with full step, in place; `inertia` is the diagonal (n,) and the momentum (n, 3)."""
        self._newton_change(positions, velocities, inertia, time_step)
        velocities -= self.change
        positions -= time_step * self.change

    def iterate_with_line_search(self, positions, velocities, inertia, time_step: float) -> float:
        """One Newton iteration, halved until the potential falls; returns the largest change [m] asked for."""
        start, start_velocities = positions.copy(), velocities.copy()
        before = self._potential(positions, velocities, inertia, time_step)
        promised = self._newton_change(positions, velocities, inertia, time_step)
        share = 1.0
        while True:
            velocities[:] = start_velocities - share * self.change
            positions[:] = start - share * time_step * self.change
            after = self._potential(positions, velocities, inertia, time_step)
            if after <= before - SUFFICIENT_DECREASE * share * promised + 1e-14 * abs(before) or share < SHORTEST_STEP:
                return float(time_step * np.abs(self.change).max())
            share *= 0.5

    def _newton_change(self, positions, velocities, inertia, time_step) -> float:
        """A⁻¹ ∇𝒜 into `change`; returns ∇𝒜 · A⁻¹ ∇𝒜."""
        diagonal, momentum = inertia
        self._evaluate(positions)
        gradient = diagonal[:, None] * velocities - momentum + time_step * self.forces
        self.blocks *= time_step * time_step
        if self.damping:
            multiply_blocks(*self.pattern, self.damping_blocks, velocities, self.dissipation)
            gradient += time_step * self.dissipation
            self.blocks += time_step * self.damping_blocks
        gradient *= self.is_free[:, None]
        add_diagonal(*self.pattern, diagonal, self.blocks)
        hold_rows(*self.pattern, self.is_free, self.blocks)
        self.factor.factorize(self.blocks)
        self.factor.solve(gradient, self.change)
        return float((gradient * self.change).sum())

    def _evaluate(self, positions):
        self.blocks[:] = 0.0
        self.forces[:] = 0.0
        for storage in self.laws:
            storage.add_derivatives(positions, self.forces, self.blocks)

    def _potential(self, positions, velocities, inertia, time_step) -> float:
        diagonal, momentum = inertia
        kinetic = float(((0.5 * diagonal[:, None] * velocities - momentum) * velocities).sum())
        total = kinetic + sum(storage.energy(positions) for storage in self.laws)
        if self.damping:
            multiply_blocks(*self.pattern, self.damping_blocks, velocities, self.dissipation)
            total += 0.5 * time_step * float((self.dissipation * velocities).sum())
        return total
