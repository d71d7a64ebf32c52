"""Conjugate gradients for matrices of 3 × 3 blocks: where a factor would not fit in memory.

The same words as those of the sparse Cholesky: take a pattern, take values, solve. Memory is that of the matrix and of
a few vectors, and the bits of a result do not depend on the number of threads.
"""

from typing import NamedTuple, Protocol

import numpy as np

from .block_jacobi import BlockJacobi
from .block_matrix import BlockPattern, multiply_blocks
from .errors import NotPositiveDefinite
from .long_vectors import add_multiple, dot, follow

TOLERANCE = 1e-8  # of the right-hand side's length
ITERATIONS = 2000
ROUNDING = np.finfo(float).eps  # of a residual's length: less than that, the iterations carry no more digits of it
WORTHWHILE = 0.5  # a restart that leaves more of the residual than this is up against the rounding errors of A x


class Preconditioner(Protocol):
    """Something like A⁻¹, symmetric and positive definite: a BlockJacobi, a SparseCholesky of a matrix like A."""

    def solve(self, right_hand_side, solution_out) -> object: ...


class Convergence(NamedTuple):
    iterations: int
    residual: float  # ‖b − A x‖ / ‖b‖, of the solution itself, not as the iterations carry it along
    is_reached: bool  # whether that is within the tolerance


class ConjugateGradient:
    """Solutions of A x = b for symmetric positive definite A, without a factor."""

    def __init__(
        self,
        offsets,
        columns,
        preconditioner: Preconditioner | None = None,
        tolerance: float = TOLERANCE,
        iterations: int = ITERATIONS,
    ):
        """The pattern is symmetric and includes the diagonal; without a preconditioner, it is a BlockJacobi.

        offsets (n + 1,) int32: first block of each node's row; columns (k,) int32, ascending in each row
        """
        self._pattern = BlockPattern(np.ascontiguousarray(offsets, np.int32), np.ascontiguousarray(columns, np.int32))
        self._jacobi = BlockJacobi(self._pattern)
        self._preconditioner: Preconditioner = self._jacobi if preconditioner is None else preconditioner
        self._tolerance, self._iterations = tolerance, iterations
        self._blocks: np.ndarray | None = None

    def factorize(self, blocks, is_changed=None) -> None:
        """Take new values: blocks (k, 3, 3) in the pattern, which are kept, not copied. Raises NotPositiveDefinite.

        It is no help to know which nodes' values have changed.
        """
        self._blocks = np.ascontiguousarray(blocks, np.float64)
        if self._preconditioner is self._jacobi:
            self._jacobi.factorize(self._blocks)

    def solve(self, right_hand_side, solution_out) -> Convergence:
        """A x = b with the last values, from x = 0: right_hand_side (n, 3), solution_out (n, 3), maybe the same array.

        Raises NotPositiveDefinite, at the latest when it shows.
        """
        if self._blocks is None:
            raise RuntimeError("Solve needs values: call factorize first.")
        scale = np.abs(right_hand_side).max(initial=0.0)
        if not np.isfinite(scale):
            raise ValueError("The right-hand side of a linear system has infinite or undefined numbers.")
        if scale == 0.0:
            solution_out[:] = 0.0
            return Convergence(0, 0.0, True)
        # Of numbers up to 1, squares do not overflow, and those that vanish do not matter.
        solution, convergence = self._solve_scaled(np.ascontiguousarray(right_hand_side, np.float64) / scale)
        np.multiply(solution, scale, out=solution_out)
        return convergence

    def _solve_scaled(self, right):
        length = np.sqrt(dot(right, right))
        target = self._tolerance * length
        x, residual, residual_length = np.zeros_like(right), right, length
        done = 0
        while residual_length > target and done < self._iterations:
            reachable = max(target, ROUNDING * residual_length)
            done += self._iterate(x, residual, reachable, self._iterations - done)
            residual = right - self._product(x)
            before, residual_length = residual_length, np.sqrt(dot(residual, residual))
            if residual_length > WORTHWHILE * before:
                break
        return x, Convergence(done, float(residual_length / length), bool(residual_length <= target))

    def _iterate(self, x_out, residual, target, iterations):
        """Add A⁻¹ residual to x, until what is missing is as short as the target; returns the number of iterations.

        [Saad 2003, "Iterative Methods for Sparse Linear Systems", algorithm 9.1], with its letters.
        """
        r, z = residual.copy(), np.empty_like(residual)
        self._preconditioner.solve(r, z)
        p, rz = z.copy(), dot(r, z)
        for iteration in range(1, iterations + 1):
            product = self._product(p)
            curvature = dot(product, p)
            if not (0.0 < curvature < np.inf and 0.0 < rz < np.inf):
                raise _refusal(p, product)
            alpha = rz / curvature
            add_multiple(alpha, p, x_out)
            add_multiple(-alpha, product, r)
            if dot(r, r) <= target * target:
                return iteration
            self._preconditioner.solve(r, z)
            before, rz = rz, dot(r, z)
            follow(rz / before, z, p)
        return iterations

    def _product(self, vector):
        product = np.empty_like(vector)
        multiply_blocks(*self._pattern, self._blocks, vector, product)
        return product


def _refusal(direction, product):
    """A direction along which the energy does not grow: name the node where it falls most."""
    growth = np.nan_to_num(direction * product, nan=-np.inf, posinf=-np.inf, neginf=-np.inf)
    node, axis = np.unravel_index(np.argmin(growth), growth.shape)
    return NotPositiveDefinite(int(node), int(axis))
