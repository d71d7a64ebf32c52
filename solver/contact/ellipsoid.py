"""The nearest point of an ellipsoid: friction that differs between directions, and friction of spinning.

[Erleben 2017, section 4.1]; docs/theory/proximal.md, 3.
"""

import math

from ..jit_cache import compiled

STEPS = 200  # at most
ENOUGH = 4e-15  # of g, or of the bracket: what rounding leaves


@compiled
def onto_ellipsoid(z, axes):
    """The point nearest to z of all with Σ (x/a)² ≤ 1; an axis may be zero, then x is too."""
    scale = max(max(axes[0], axes[1], axes[2]), max(abs(z[0]), abs(z[1]), abs(z[2])))
    if not scale > 0.0:
        return 0.0, 0.0, 0.0
    by = 1.0 / scale  # into the unit cube, equation 38
    a, b, c = by * axes[0], by * axes[1], by * axes[2]
    x, y, w = _flat(by * z[0], a), _flat(by * z[1], b), _flat(by * z[2], c)
    squares, arms = (_square(a), _square(b), _square(c)), (a * x, b * y, c * w)
    if _level_and_fall(squares, arms, 0.0)[0] <= 0.0:
        return scale * x, scale * y, scale * w
    # No share of g + 1 is above one at the root.
    low = max(max(abs(arms[0]) - squares[0], 0.0), abs(arms[1]) - squares[1], abs(arms[2]) - squares[2])
    t = _root(squares, arms, low, max(a, b, c) * math.sqrt(x * x + y * y + w * w))
    # (t K + 1)⁻¹ z of equation 32.
    return (
        scale * a * arms[0] / (squares[0] + t),
        scale * b * arms[1] / (squares[1] + t),
        scale * c * arms[2] / (squares[2] + t),
    )


@compiled
def _flat(coordinate, axis):
    return coordinate if axis > 0.0 else 0.0


@compiled
def _square(axis):
    """a², or anything where there is no axis: its share is zero."""
    return axis * axis if axis > 0.0 else 1.0


@compiled
def _root(squares, arms, low, high):
    """t with g(t) = 0; g falls, and is not positive at max(a, b, c) ‖z‖, so that the bracket holds it.

    Halving, unless a step of Newton's method on (g + 1)^(−1/2), which is almost straight, stays in the bracket.
    """
    t = low
    for _ in range(STEPS):
        level, fall = _level_and_fall(squares, arms, t)
        if level > 0.0:
            low = t
        else:
            high = t
        if abs(level) <= ENOUGH or high - low <= ENOUGH * high:
            break
        step = t + (math.sqrt(level + 1.0) - 1.0) * (level + 1.0) / fall
        t = step if low < step < high else 0.5 * (low + high)
    return t


@compiled
def _level_and_fall(squares, arms, t):
    """g(t) of equation 35, and half of how fast it falls."""
    x, y, w = 1.0 / (squares[0] + t), 1.0 / (squares[1] + t), 1.0 / (squares[2] + t)
    p, q, r = arms[0] * x, arms[1] * y, arms[2] * w
    p, q, r = p * p, q * q, r * r
    return p + q + r - 1.0, p * x + q * y + r * w
