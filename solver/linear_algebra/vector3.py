"""Vectors of three numbers as tuples: inside kernels they cost nothing."""

import math

from ..jit_cache import compiled


@compiled
def row3(array, row):
    """A row of an (n, 3) array."""
    return array[row, 0], array[row, 1], array[row, 2]


@compiled
def add3(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@compiled
def sub3(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@compiled
def scale3(factor, a):
    return factor * a[0], factor * a[1], factor * a[2]


@compiled
def dot3(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def cross3(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@compiled
def norm3(a):
    return math.sqrt(dot3(a, a))
