"""Right-hand sides and solutions of (A + W) v = f + W targets, as changes of velocities that are known."""

import numpy as np
from numba import boolean, float64, prange

from ..jit_cache import kernel

VECTORS = float64[:, ::1]


def quotients(vectors: np.ndarray, divisors: np.ndarray) -> np.ndarray:
    """Of rows (n, 3) by (n,); zero where the divisor is."""
    quotients = np.empty_like(vectors)
    put_quotients(vectors, divisors, quotients)
    return quotients


@kernel((VECTORS, float64[::1], VECTORS, VECTORS, VECTORS), parallel=True)
def put_right(gradient, weights, targets, velocities, right_out):
    """∇𝒜 − W (targets − v). Nodes that are given have no weight, but by the bound ones strands pull at bodies."""
    for node in prange(len(weights)):
        for axis in range(3):
            pull = weights[node] * (targets[node, axis] - velocities[node, axis])
            right_out[node, axis] = gradient[node, axis] - pull


@kernel((VECTORS, VECTORS, boolean[::1], VECTORS), parallel=True)
def put_changed(velocities, change, is_free, changed_out):
    for node in prange(len(is_free)):
        for axis in range(3):
            changed_out[node, axis] = velocities[node, axis] - (change[node, axis] if is_free[node] else 0.0)


@kernel((VECTORS, VECTORS, boolean[::1], float64, VECTORS, VECTORS), parallel=True)
def move_free(start, velocities, is_free, time_step, velocities_out, positions_out):
    """Nodes that are not given move from `start` by their velocities."""
    for node in prange(len(is_free)):
        if is_free[node]:
            for axis in range(3):
                velocities_out[node, axis] = velocities[node, axis]
                positions_out[node, axis] = start[node, axis] + time_step * velocities[node, axis]


@kernel((VECTORS, float64[::1], VECTORS), parallel=True)
def put_quotients(vectors, divisors, quotients_out):
    for row in prange(len(divisors)):
        for axis in range(3):
            quotients_out[row, axis] = vectors[row, axis] / divisors[row] if divisors[row] > 0.0 else 0.0
