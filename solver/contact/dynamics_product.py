"""A v, by 3 × 3 blocks where all unknowns are those of nodes and blocks are not mostly zero."""

from functools import cached_property
from typing import Protocol

import numpy as np

from ..linear_algebra.block_matrix import BlockPattern, diagonal_places
from ..linear_algebra.block_product import multiply_padded
from ..linear_algebra.incomplete_cholesky import IncompleteCholesky, LowerPattern
from .problem import AXES, FrictionProblem

SPARSE_BLOCKS = 1.5  # numbers of blocks for each that is not zero, beyond which blocks do not pay


class Dynamics(Protocol):
    diagonal: np.ndarray  # D (n,) [kg]

    def put(self, padded: np.ndarray, product_out: np.ndarray) -> None:
        """A v (n,) [kg m/s]; v lies in front of at least one more number."""


class MatrixDynamics:
    """The plain twin of what follows."""

    def __init__(self, A):
        self.A, self.diagonal = A, A.diagonal()

    def put(self, padded, product_out):
        product_out[:] = self.A @ padded[: len(product_out)]


class BlockDynamics:
    """Blocks (b, 3, 3) [kg] in a pattern; they are not copied."""

    def __init__(self, pattern: BlockPattern, blocks: np.ndarray, lower: LowerPattern | None = None):
        """The pattern's lower half, if it is known."""
        self.pattern, self.blocks, self._lower = pattern, blocks, lower
        own = blocks[diagonal_places(pattern) if lower is None else lower.diagonal]
        self.diagonal = np.ascontiguousarray(np.diagonal(own, axis1=1, axis2=2)).ravel()

    def put(self, padded, product_out):
        multiply_padded(*self.pattern, self.blocks, padded, product_out)

    @cached_property
    def incomplete(self) -> IncompleteCholesky:
        """An incomplete factor of the blocks as they are now."""
        return IncompleteCholesky(self._lower or LowerPattern(self.pattern), self.blocks)


class DiagonalDynamics:
    """A diagonal (n,) [kg] and nothing else."""

    def __init__(self, diagonal: np.ndarray):
        self.diagonal = diagonal

    def put(self, padded, product_out):
        np.multiply(self.diagonal, padded[: len(product_out)], out=product_out)


class JoinedDynamics:
    """Of unknowns in two groups, one behind the other, that A does not join."""

    def __init__(self, first: Dynamics, second: Dynamics):
        self.first, self.second, self.first_count = first, second, len(first.diagonal)
        self.diagonal = np.concatenate([first.diagonal, second.diagonal])

    def put(self, padded, product_out):
        self.first.put(padded, product_out[: self.first_count])
        self.second.put(padded[self.first_count :], product_out[self.first_count :])


def dynamics_of(problem: FrictionProblem) -> Dynamics:
    form = problem.nodal_form
    if form is None or not np.array_equal(form.node_rows, np.arange(0, len(problem.f), AXES)):
        return MatrixDynamics(problem.A)
    blocks = problem.A.tobsr((AXES, AXES))
    if blocks.data.size >= SPARSE_BLOCKS * problem.A.nnz:
        return MatrixDynamics(problem.A)
    pattern = BlockPattern(blocks.indptr.astype(np.int32), blocks.indices.astype(np.int32))
    return BlockDynamics(pattern, np.ascontiguousarray(blocks.data))
