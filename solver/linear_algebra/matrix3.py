"""Matrices of 3 × 3 numbers as tuples of three rows: inside kernels they cost nothing."""

from ..jit_cache import compiled
from .vector3 import add3, dot3, scale3


@compiled
def matrix3_at(array, index):
    """A 3 × 3 slice of an (n, 3, 3) array."""
    return (
        (array[index, 0, 0], array[index, 0, 1], array[index, 0, 2]),
        (array[index, 1, 0], array[index, 1, 1], array[index, 1, 2]),
        (array[index, 2, 0], array[index, 2, 1], array[index, 2, 2]),
    )


@compiled
def transpose3(m):
    return (m[0][0], m[1][0], m[2][0]), (m[0][1], m[1][1], m[2][1]), (m[0][2], m[1][2], m[2][2])


@compiled
def matrix_vector3(m, a):
    return dot3(m[0], a), dot3(m[1], a), dot3(m[2], a)


@compiled
def matrix_product3(m, n):
    return vector_matrix3(m[0], n), vector_matrix3(m[1], n), vector_matrix3(m[2], n)


@compiled
def vector_matrix3(a, m):
    """aᵀ m, which is mᵀ a."""
    return add3(add3(scale3(a[0], m[0]), scale3(a[1], m[1])), scale3(a[2], m[2]))


@compiled
def matrix_add3(m, n):
    return add3(m[0], n[0]), add3(m[1], n[1]), add3(m[2], n[2])


@compiled
def matrix_scale3(factor, m):
    return scale3(factor, m[0]), scale3(factor, m[1]), scale3(factor, m[2])


@compiled
def outer3(a, b):
    """a bᵀ."""
    return scale3(a[0], b), scale3(a[1], b), scale3(a[2], b)


@compiled
def diagonal3(a):
    return (a[0], 0.0, 0.0), (0.0, a[1], 0.0), (0.0, 0.0, a[2])


@compiled
def cross_matrix3(a):
    """[a]×, so that [a]× b = a × b."""
    return (0.0, -a[2], a[1]), (a[2], 0.0, -a[0]), (-a[1], a[0], 0.0)
