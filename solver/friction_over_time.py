"""Coefficients of friction that may change: a number, one for each vertex, or either as a function of the time."""

from collections.abc import Callable

import numpy as np

Friction = float | np.ndarray
FrictionOverTime = Friction | Callable[[float], Friction]


def friction_at(friction: FrictionOverTime, time: float) -> np.ndarray:
    """The coefficient, or that of each vertex (n,), at a time [s]."""
    return np.asarray(friction(time) if callable(friction) else friction, np.float64)


def as_given(friction: FrictionOverTime) -> FrictionOverTime:
    """The same with arrays that kernels can read."""
    if callable(friction):
        return friction
    return np.ascontiguousarray(friction, dtype=np.float64) if np.ndim(friction) else float(friction)
