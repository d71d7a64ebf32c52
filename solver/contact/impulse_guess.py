"""Impulses of contacts from those on the nodes, which outlive the contacts of a step."""

import numpy as np

from ..linear_algebra.flat_vectors import dot_flat
from .mixed_problem import MixedProblem
from .residuals import TINY

ITERATIONS = 20
ENOUGH = 1e-3  # of the first residual


def impulses_from_nodes(problem: MixedProblem, pushes: np.ndarray) -> np.ndarray:
    """r (m, 3) [N s] in the cone, with Jᵀ r near to what acts on the unknowns (n,) [N s].

    Conjugate gradients on J D⁻¹ Jᵀ r = J D⁻¹ pushes with A's diagonal D; copies of a contact share alike.
    """
    mobilities, products = problem.mobilities, problem.products
    r = np.zeros_like(problem.k)
    rest = products.velocities(mobilities * pushes)
    direction, square = rest, _square(rest)
    first = square
    for _ in range(ITERATIONS):
        if not square > ENOUGH**2 * first:
            break
        image = products.velocities(mobilities * products.push(direction))
        step = square / max(dot_flat(direction.ravel(), image.ravel()), TINY)
        r, rest = r + step * direction, rest - step * image
        before, square = square, _square(rest)
        direction = rest + square / before * direction
    return _within_cones(r, problem.friction)


def _square(vectors):
    return dot_flat(vectors.ravel(), vectors.ravel())


def _within_cones(r, mu):
    """What pulls is let go, and friction cut to its limit."""
    push = np.maximum(r[:, 0], 0.0)
    lengths = np.linalg.norm(r[:, 1:], axis=1)
    share = np.minimum(mu * push / np.maximum(lengths, TINY), 1.0)
    return np.column_stack([push, share[:, None] * r[:, 1:]])
