"""When two moving primitives cross, by the classical cubic in extended precision: shares nothing with the solver.

Only crossings that are beyond doubt count: well inside the primitives, at a root of the cubic that is well conditioned.
"""

from itertools import pairwise

import numpy as np

NEVER = 2.0
INSIDE = 1e-7  # least weight of a corner at a crossing
BISECTIONS = 70  # more than the digits of a number


def first_crossings(kind, starts, ends):
    """First time (n,) at which corners (n, 4, 3), the first `kind` of one primitive, cross for certain; or NEVER."""
    starts, ends = (array.astype(np.longdouble) for array in (starts - starts[:, :1], ends - starts[:, :1]))
    first = np.full(len(starts), NEVER)
    for low, high in _monotone_pieces(*_cubic(kind, starts, ends)):
        rows = np.flatnonzero(_value(kind, starts, ends, low) * _value(kind, starts, ends, high) < 0)
        time = _root(kind, starts[rows], ends[rows], low[rows], high[rows])
        crosses = _is_inside(kind, _at(starts[rows], ends[rows], time))
        first[rows[crosses]] = np.minimum(first[rows[crosses]], time[crosses])
    return first


def _at(starts, ends, time):
    return starts + time[:, None, None] * (ends - starts)


def _value(kind, starts, ends, time):
    return volume(kind, _at(starts, ends, time))


def volume(kind, corners):
    """Six times the volume that four corners span (n,)."""
    u, v, w = _edges(kind, corners)
    return (np.cross(u, v) * w).sum(axis=1)


def _edges(kind, x):
    if kind == 1:
        return x[:, 2] - x[:, 1], x[:, 3] - x[:, 1], x[:, 0] - x[:, 1]
    return x[:, 1] - x[:, 0], x[:, 3] - x[:, 2], x[:, 2] - x[:, 0]


def _cubic(kind, starts, ends):
    """Slope a t² + b t + c of the volume, by interpolation at four times."""
    times = np.array([0, 1, 2, 3], np.longdouble) / 3
    values = np.stack([volume(kind, starts + time * (ends - starts)) for time in times])
    d1, d2, d3 = np.diff(values, axis=0)[0], np.diff(values, 2, axis=0)[0], np.diff(values, 3, axis=0)[0]
    # Newton's form in s = 3 t: f = f₀ + d₁ s + d₂ s (s − 1)/2 + d₃ s (s − 1)(s − 2)/6
    return 13.5 * d3, 9 * d2 - 9 * d3, 3 * (d1 - d2 / 2 + d3 / 3)


def _monotone_pieces(a, b, c):
    """Three intervals of times between which the volume rises or falls."""
    with np.errstate(invalid="ignore", divide="ignore"):
        q = -(b + np.where(b < 0, -1, 1) * np.sqrt(b * b - 4 * a * c)) / 2
        roots = np.stack([q / a, c / q])
    turns = np.sort(np.clip(np.where(np.isfinite(roots), roots, 0), 0, 1), axis=0)
    bounds = [np.zeros_like(a), turns[0], turns[1], np.ones_like(a)]
    return pairwise(bounds)


def _root(kind, starts, ends, low, high):
    """By bisection, between times at which the volume has different signs."""
    at_low = _value(kind, starts, ends, low)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        is_left = _value(kind, starts, ends, middle) * at_low < 0
        low, high = np.where(is_left, low, middle), np.where(is_left, middle, high)
    return high


def _is_inside(kind, corners):
    u, v, w = _edges(kind, corners)
    normal = np.cross(u, v)
    square = (normal * normal).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        s = (np.cross(w, v) * normal).sum(axis=1) / square
        t = (np.cross(u, w) * normal).sum(axis=1) / square
    is_flat = square > 1e-12 * (u * u).sum(axis=1) * (v * v).sum(axis=1)
    if kind == 1:
        return is_flat & (np.minimum(np.minimum(s, t), 1 - s - t) > INSIDE)
    # w = s u + t v, with the place −t on the second edge
    return is_flat & (np.minimum(np.minimum(s, 1 - s), np.minimum(-t, 1 + t)) > INSIDE)
