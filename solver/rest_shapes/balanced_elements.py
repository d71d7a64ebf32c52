"""Stresses in elements that balance the forces from outside, with the least change of the rest shapes.

As with strands (equation 3 of docs/theory/sag_free.md): Δσ = k G λ with (Gᵀ k G) λ = f − Gᵀ σ₀, a sparse system of
3 × 3 blocks. What rounding leaves of the force is solved for again.
"""

from collections.abc import Iterable

import numpy as np

from ..linear_algebra.block_matrix import (
    add_diagonal,
    add_gathered,
    build_pattern,
    gather_blocks,
    hold_rows,
)
from ..linear_algebra.errors import NotPositiveDefinite
from ..linear_algebra.sparse_cholesky import SparseCholesky
from .element_stresses import ElementStatics

SOLVES = 5
# [1/s²]; what no stress can hold keeps an acceleration of this times its multiplier, so that the system has a solution
YIELDING = 1e-4
SLOW = 0.01  # [1/s²]; what grows slower than this, such as a turn about the vertical, is no instability
MARGIN = 1.25  # of the load: a pose at its very limit would be slow to come back


class LawStresses:
    """The stresses of one law's elements, some of which may be fixed."""

    def __init__(self, statics: ElementStatics, nodes: np.ndarray):
        self.statics, self.nodes = statics, nodes
        self.stresses = statics.stresses.copy()
        self.is_fixed = np.zeros(len(nodes), bool)

    def stiffness(self, is_counted: np.ndarray) -> np.ndarray:
        """Gᵀ k G of some elements, zero of the others (e, k, k, 3, 3) [N/m]."""
        gradients, stiffness, _ = self.statics
        counted = stiffness * is_counted[:, None, None]
        return np.einsum("eskx,est,etly->eklxy", gradients, counted, gradients, optimize=True)

    def change(self, displacement: np.ndarray) -> None:
        """σ += k G λ where they are not fixed, for λ (n, 3)."""
        gradients, stiffness, _ = self.statics
        change = np.einsum("est,etkx,ekx->es", stiffness, gradients, displacement[self.nodes], optimize=True)
        self.stresses[~self.is_fixed] += change[~self.is_fixed]

    def fix(self, elements: np.ndarray, stresses: np.ndarray) -> int:
        """Leave elements at stresses (e, s); returns how many are new."""
        new = np.setdiff1d(elements, np.flatnonzero(self.is_fixed))
        self.stresses[new] = stresses[new]
        self.is_fixed[new] = True
        return len(new)

    def forces(self, node_count: int) -> np.ndarray:
        """Gᵀ σ (n, 3) [N]."""
        return nodal_sum(self.nodes, np.einsum("eskx,es->ekx", self.statics.gradients, self.stresses), node_count)


class BalancedElements:
    """The search at one pose of a body; `nodes` (e, k) has an entry a law."""

    def __init__(self, nodes: list[np.ndarray], positions, masses, is_free):
        self.nodes = nodes
        self.masses, self.is_free = masses, is_free
        self.pattern = build_pattern(len(positions), nodes)
        self.gathers = [gather_blocks(self.pattern, rows) for rows in nodes]
        self.factor = SparseCholesky(*self.pattern, positions)
        self.laws: list[LawStresses] = []

    def start(self, statics: Iterable[ElementStatics]) -> None:
        """From the stresses of the present rest shapes, an entry a law."""
        self.laws = [LawStresses(*pair) for pair in zip(statics, self.nodes, strict=True)]

    def find(self, forces: np.ndarray) -> None:
        """Change the stresses of elements that are not fixed so that they balance the forces (n, 3) [N], or nearly."""
        self._factorize([law.stiffness(~law.is_fixed) for law in self.laws], YIELDING)
        displacement = np.zeros_like(forces)
        for _ in range(SOLVES):
            self.factor.solve(self.unbalanced(forces), displacement)
            for law in self.laws:
                law.change(displacement)

    def is_stable(self, stress_stiffness: list[np.ndarray]) -> bool:
        """Whether small motions come back (equation 5), with σ ∇²ε of each law (e, k, k, 3, 3) [N/m]."""
        parts = [law.stiffness(np.ones(len(law.nodes), bool)) for law in self.laws]
        try:
            self._factorize([part + MARGIN * more for part, more in zip(parts, stress_stiffness, strict=True)], SLOW)
        except NotPositiveDefinite:
            return False
        return True

    def unbalanced(self, forces: np.ndarray) -> np.ndarray:
        """What the stresses leave of the forces on free nodes (n, 3) [N]."""
        left = forces - sum(law.forces(len(forces)) for law in self.laws)
        return left * self.is_free[:, None]

    def _factorize(self, parts, yielding):
        blocks = np.zeros((self.pattern.block_count, 3, 3))
        for gather, part in zip(self.gathers, parts, strict=True):
            add_gathered(*gather, 1.0, np.ascontiguousarray(part).reshape(-1, 9), blocks.reshape(-1, 9))
        add_diagonal(*self.pattern, yielding * self.masses, blocks)
        hold_rows(*self.pattern, self.is_free.astype(np.int32), blocks)
        self.factor.factorize(blocks)


def nodal_sum(nodes, parts, node_count) -> np.ndarray:
    """Parts (e, k, 3) of elements added up at their nodes (n, 3)."""
    rows, parts = nodes.ravel(), parts.reshape(-1, 3)
    return np.stack([np.bincount(rows, parts[:, axis], minlength=node_count) for axis in range(3)], axis=1)
