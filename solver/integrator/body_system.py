"""The Newton system of all bodies made of elements: cloth, solids, affine bodies and frames."""

from collections.abc import Sequence

import numpy as np

from ..energies.law import Law
from ..energies.pressure import Pressure
from ..linear_algebra.block_matrix import (
    Gather,
    add_diagonal,
    add_gathered,
    add_gathered_blocks,
    build_pattern,
    diagonal_places,
    gather_blocks,
    gather_nodes,
    hold_rows,
    multiply_blocks,
)
from ..linear_algebra.block_solver import block_solver
from ..linear_algebra.corrected_solves import CorrectedSolves
from ..linear_algebra.sparse_cholesky import SolvedPart, SparseCholesky
from ..model import DampedLaw
from .low_rank_update import LowRankUpdate

# Of a node in a step, over its inertia: where none has more, the matrix is factorized in single precision. Nothing is
# softer than inertia, so that this bounds the matrix's condition; a solution is then right to two digits at least, and
# to two more with each correction.
MOST_STIFFNESS = 3e5


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
        self.positions: np.ndarray | None = None  # where the derivatives were taken in this step

    def start_step(self) -> None:
        """What the law draws to may have changed."""
        self.positions = None

    def evaluate(self, positions) -> None:
        if self.is_evaluated(positions):
            return
        self.law.derivatives(positions, self.gradients, self.hessians)
        self.positions = positions.copy()

    def is_evaluated(self, positions) -> bool:
        return self.positions is not None and np.array_equal(self.positions, positions)

    def add_gradient(self, gradient_out) -> None:
        add_gathered(*self.to_nodes, 1.0, self.gradients.reshape(-1, 3), gradient_out)

    def add_hessian(self, factor: float, blocks_out) -> None:
        add_gathered_blocks(*self.to_blocks, factor, self.hessians.reshape(-1, 9), blocks_out.reshape(-1, 9))

    def energy(self, positions) -> float:
        self.law.energies(positions, self.energies)
        return float(self.energies.sum())


class BodySystem:
    """Holds the storage of the linear system between steps; nodes are numbered from 0."""

    def __init__(self, laws: Sequence[DampedLaw], positions: np.ndarray, is_free: np.ndarray, groups=()):
        """`groups` (g, k) int32 are nodes that `add_group` will couple."""
        count = len(positions)
        self.pattern = build_pattern(count, [*(damped.law.nodes for damped in laws), *groups])
        self.laws = [LawStorage(damped.law, self.pattern, count) for damped in laws]
        self.dampings = [damped.damping for damped in laws]  # ξ [s]
        self._common_damping = _common([damping for damping in self.dampings if damping])
        self.groups = [gather_blocks(self.pattern, nodes) for nodes in groups]
        self.gases = [damped.law for damped in laws if isinstance(damped.law, Pressure) and damped.law.gas.is_sealed]
        self.is_free = is_free.astype(np.int32)
        self.solver = block_solver(*self.pattern, positions)
        self.blocks = np.zeros((self.pattern.block_count, 3, 3))
        self.kept = np.zeros((0, 3, 3))  # blocks that weights or groups are added to, before they were
        self.weights: np.ndarray | None = None  # that were added to them last
        self.is_changed: np.ndarray | None = None  # nodes whose weight differs from that of the last factor (n,)
        self.weighted_part: SolvedPart | None = None  # what is solved again for nodes that have a weight
        self.diagonal_places = diagonal_places(self.pattern)
        self.kept_places = slice(None) if len(self.groups) else self.diagonal_places
        self.inertia = np.zeros(count)  # of each node as linearized last [kg]
        self.corrected: CorrectedSolves | None = None  # where the factor is of single precision
        self.damping_blocks = np.zeros_like(self.blocks)
        self.dissipation = np.zeros((count, 3))
        self.squeeze: LowRankUpdate | None = None

    def start_step(self, positions: np.ndarray) -> None:
        """Damping is D = ξ K, with the stiffness K where the step's first guess is: constant in the step."""
        self.damping_blocks[:] = 0.0
        for storage, damping in zip(self.laws, self.dampings, strict=True):
            storage.start_step()
            if damping:
                storage.evaluate(positions)
                storage.add_hessian(damping, self.damping_blocks)

    def linearize(self, positions, velocities, inertia, time_step: float, gradient_out) -> None:
        """A, and ∇𝒜 (n, 3), zero where nodes are given; `inertia` is the diagonal (n,) and the momentum (n, 3)."""
        diagonal, momentum = inertia
        multiply_blocks(*self.pattern, self.damping_blocks, velocities, gradient_out)
        self._put_stiffness(positions, time_step)
        for storage in self.laws:
            storage.add_gradient(gradient_out)
        gradient_out *= time_step
        gradient_out += diagonal[:, None] * velocities - momentum
        gradient_out *= self.is_free[:, None]
        add_diagonal(*self.pattern, diagonal, self.blocks)
        self.squeeze = self._squeeze(positions, time_step)
        self.weights = self.is_changed = self.corrected = None
        self.inertia = diagonal

    def _put_stiffness(self, positions, time_step):
        """Δt² K + Δt D. The first linearization of a step is where D = ξ K was taken: the sums of K are known there."""
        damped = [storage for storage, damping in zip(self.laws, self.dampings, strict=True) if damping]
        is_known = self._common_damping > 0.0 and all(storage.is_evaluated(positions) for storage in damped)
        of_damping = time_step + (time_step * time_step / self._common_damping if is_known else 0.0)
        np.multiply(self.damping_blocks, of_damping, out=self.blocks)
        for storage, damping in zip(self.laws, self.dampings, strict=True):
            storage.evaluate(positions)
            if not (is_known and damping):
                storage.add_hessian(time_step * time_step, self.blocks)

    def add_group(self, group: int, blocks: np.ndarray) -> None:
        """Add blocks (g, k, k, 3, 3) between the nodes of a group given at the start."""
        add_gathered(*self.groups[group], 1.0, blocks.reshape(-1, 9), self.blocks.reshape(-1, 9))
        self.is_changed = None

    def node_blocks(self) -> np.ndarray:
        """Diagonal blocks of A (n, 3, 3) [kg]."""
        return self.blocks[self.diagonal_places]

    def keep(self, may_round: bool = False) -> None:
        """What was linearized last, for `put_weighted`; its factor may be of single precision, if that is enough."""
        self.kept = self.blocks[self.kept_places].copy()
        if may_round and self._stiffness() <= MOST_STIFFNESS:
            self.corrected = CorrectedSolves(self._cholesky(), self.pattern)

    def _stiffness(self):
        """The largest of a node, as a multiple of its inertia."""
        traces = np.einsum("nii->n", self.node_blocks())
        return float((traces / self.inertia)[self.is_free > 0].max(initial=0.0))

    def put_weighted(self, weights: np.ndarray) -> None:
        """A + W, of the A that was kept, to be factorized."""
        self.blocks[self.kept_places] = self.kept
        add_diagonal(*self.pattern, weights, self.blocks)
        self.is_changed = None if self.weights is None else weights != self.weights
        self.weights, self.weighted_part = weights.copy(), None

    def factorize(self) -> None:
        hold_rows(*self.pattern, self.is_free, self.blocks)
        if self.corrected:
            self._cholesky().factorize(self.blocks, self.is_changed, np.float32)
        else:
            self.solver.factorize(self.blocks, self.is_changed)
        if self.squeeze:
            self.squeeze.prepare(self.solver.solve)

    def solve(self, right, solution_out) -> None:
        if self.corrected:
            self.corrected.forget()
            self.corrected.correct(self.blocks, right, solution_out)
            return
        self.solver.solve(right, solution_out)
        if self.squeeze:
            self.squeeze.correct(solution_out)

    def solve_on(self, right, solution_out) -> None:
        """As `solve`, from the last solution of what was kept: right to some digits of the change, which takes less."""
        if self.corrected:
            self.corrected.solve(self.blocks, right, solution_out)
        else:
            self.solve(right, solution_out)

    def correct(self, right, solution_out) -> None:
        """The solution of `solve_on` in all its digits."""
        if self.corrected:
            self.corrected.correct(self.blocks, right, solution_out)

    @property
    def solves_parts(self) -> bool:
        """Whether `solve_weighted` takes less than `solve`; a sealed gas joins all nodes around it."""
        return isinstance(self.solver, SparseCholesky) and not self.gases

    def solve_weighted(self, right, solution_out) -> None:
        """As `solve`, for nodes with a weight and what must be known for them; what is in the solution of others stays.

        Only nodes with a weight may have another right-hand side than when all were solved last.
        """
        solver = self.corrected or self._cholesky()
        solver.solve_part(self._weighted_part(), right, solution_out)

    def put_part(self, whole, solution_out) -> None:
        """From the solution of all nodes, those that `solve_weighted` would give."""
        nodes = self._weighted_part().nodes
        solution_out[nodes] = whole[nodes]

    def _weighted_part(self):
        if self.weighted_part is None:
            assert self.weights is not None
            self.weighted_part = self._cholesky().part_above(self.weights > 0.0)
        return self.weighted_part

    def _cholesky(self) -> SparseCholesky:
        assert isinstance(self.solver, SparseCholesky)  # it is if `solves_parts`
        return self.solver

    def potential(self, positions, velocities, inertia, time_step: float) -> float:
        diagonal, momentum = inertia
        kinetic = float(((0.5 * diagonal[:, None] * velocities - momentum) * velocities).sum())
        multiply_blocks(*self.pattern, self.damping_blocks, velocities, self.dissipation)
        dissipated = 0.5 * time_step * float((self.dissipation * velocities).sum())
        return kinetic + dissipated + sum(storage.energy(positions) for storage in self.laws)

    def _squeeze(self, positions, time_step):
        """A sealed gas joins all nodes around it, by Δt² (−dp/dV) ∇V ∇Vᵀ."""
        if not self.gases:
            return None
        factors = [time_step * time_step * gas.volume_stiffness(positions) for gas in self.gases]
        columns = [gas.volume_gradient(positions) * self.is_free[:, None] for gas in self.gases]
        return LowRankUpdate(np.array(factors), np.array(columns))


def _common(dampings):
    """The only one there is; zero if there are several, or none."""
    return dampings[0] if len(set(dampings)) == 1 else 0.0
