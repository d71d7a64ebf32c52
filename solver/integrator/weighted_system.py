"""Right-hand sides and solutions of (A + W) v = f + W targets, as changes of velocities that are known."""

from numba import boolean, float64, prange

from ..jit_cache import kernel

VECTORS = float64[:, ::1]


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
