"""Numbers that may change: one, or one for each vertex, or either as a function of the time."""

from collections.abc import Callable

import numpy as np

Numbers = float | np.ndarray
OverTime = Numbers | Callable[[float], Numbers]
Vector3 = tuple[float, float, float]
VectorOverTime = Vector3 | Callable[[float], np.ndarray]


def value_at(value: OverTime | VectorOverTime, time: float) -> np.ndarray:
    """The number, those of the vertices (n,), or the vector (3,), at a time [s]."""
    return np.asarray(value(time) if callable(value) else value, np.float64)


def as_given(value: OverTime) -> OverTime:
    """The same with arrays that kernels can read."""
    if callable(value):
        return value
    return np.ascontiguousarray(value, dtype=np.float64) if np.ndim(value) else float(value)


def vector3(values) -> Vector3:
    """Three numbers, whatever they came in."""
    x, y, z = values
    return float(x), float(y), float(z)


def vector_over_time(values) -> VectorOverTime:
    """The same, or a function of the time as it is."""
    return values if callable(values) else vector3(values)
