"""Vectors of nodes to and from the order, the padding and the precision of the fronts."""

from numba import float32, float64, int32, int64, prange

from ..jit_cache import kernel


def _types_with(numbers):
    return (float64[:, ::1], int64[::1], int32[::1], numbers[:, ::1])


@kernel(_types_with(float64), _types_with(float32), parallel=True)
def put_padded(vectors, nodes, slots, padded_out):
    """Of some nodes (k,), vectors (n, 3) to their slots (k,)."""
    for row in prange(len(nodes)):
        for axis in range(3):
            padded_out[slots[row], axis] = vectors[nodes[row], axis]


@kernel(_types_with(float64), _types_with(float32), parallel=True)
def take_padded(vectors_out, nodes, slots, padded):
    """The other way round."""
    for row in prange(len(nodes)):
        for axis in range(3):
            vectors_out[nodes[row], axis] = padded[slots[row], axis]
