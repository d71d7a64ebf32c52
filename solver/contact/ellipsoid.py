"""The nearest point of an ellipsoid: friction that differs between directions, and friction of spinning.

[Erleben 2017, section 4.1]; docs/theory/proximal.md, 3.
"""

import math

from ..jit_cache import compiled

STEPS = 200  # at most
ENOUGH = 4e-15  # of g, or of the bracket: what rounding leaves
SMALL, LARGE = 1e-15, 1e15  # impulses between which powers of them neither vanish nor overflow
LEFT = 64.0  # times the cube of g and the square of the bend is more than a step leaves
FLAT = 1e-50  # of the largest axis, or of the point: an axis is none, and powers neither vanish nor overflow


@compiled
def onto_ellipsoid(z, axes, guess):
    """The point nearest to z of all with Σ (x/a)² ≤ 1, and its root t of g over the largest axis.

    An axis may be zero, then x is too. The guess is the root for a point that was near to z, or zero.
    """
    largest = max(axes[0], axes[1], axes[2])
    by = 1.0 / largest if largest > 0.0 else 0.0
    return onto_scaled_ellipsoid(z, largest, (by * axes[0], by * axes[1], by * axes[2]), guess, ENOUGH)


@compiled
def onto_scaled_ellipsoid(z, largest, axes, guess, enough):
    """The same with the axes over the largest of them, and so much of g as is enough left."""
    if not largest > FLAT * max(abs(z[0]), abs(z[1]), abs(z[2])):
        return 0.0, 0.0, 0.0, guess
    # Into the unit cube, equation 38, where powers could vanish or overflow: else nothing waits for the division.
    by = 1.0 if SMALL < largest < LARGE else 1.0 / largest
    size = by * largest
    a, b, c = size * axes[0], size * axes[1], size * axes[2]
    x, y, w = _kept(by * z[0], axes[0]), _kept(by * z[1], axes[1]), _kept(by * z[2], axes[2])
    squares, arms = (_square(a, axes[0]), _square(b, axes[1]), _square(c, axes[2])), (a * x, b * y, c * w)
    if _is_inside(squares, x * x, y * y, w * w):
        return _kept(z[0], axes[0]), _kept(z[1], axes[1]), _kept(z[2], axes[2]), guess
    t, _, is_last = _step(squares, arms, by * size * guess, enough)
    if not is_last:
        # No share of g + 1 is above one at the root.
        low = max(max(abs(arms[0]) - squares[0], 0.0), abs(arms[1]) - squares[1], abs(arms[2]) - squares[2])
        t = _root(squares, arms, low, size * (abs(x) + abs(y) + abs(w)), t, enough)
    # (t K + 1)⁻¹ z of equation 32.
    return (
        a * arms[0] / (by * (squares[0] + t)),
        b * arms[1] / (by * (squares[1] + t)),
        c * arms[2] / (by * (squares[2] + t)),
        t / (by * size),
    )


@compiled
def _kept(coordinate, axis):
    return coordinate if axis > FLAT else 0.0


@compiled
def _square(axis, share):
    """a², or anything where there is no axis: its part of g is zero."""
    return axis * axis if share > FLAT else 1.0


@compiled
def _is_inside(squares, p, q, r):
    """Σ (x/a)² ≤ 1 without a division."""
    ab, bc, ca = squares[0] * squares[1], squares[1] * squares[2], squares[2] * squares[0]
    return p * bc + q * ca + r * ab <= ab * squares[2]


@compiled
def _root(squares, arms, low, high, t, enough):
    """The root of g from a t that may be anything, or nothing: g falls, so that the bracket holds it.

    A step that leaves the bracket becomes a halving.
    """
    t = t if low <= t <= high else low
    t, _, is_last = _step(squares, arms, t, enough)
    t = min(max(t, low), high)
    for _ in range(STEPS):
        if is_last or high - low <= ENOUGH * high:
            break
        step, level, is_last = _step(squares, arms, t, enough)
        if level > 0.0:
            low = t
        else:
            high = t
        t = step if low <= step <= high else 0.5 * (low + high)
    return t


@compiled
def _step(squares, arms, t, enough):
    """The next t, g at this one, and whether the next leaves nothing but rounding of it.

    Chebyshev's method on (g + 1)^(−1/2), which is almost straight: docs/theory/proximal.md, 8.
    """
    second, third, fourth = _sums(squares, arms, t)
    level, by = second - 1.0, 1.0 / third
    rise, bend = math.sqrt(second) - 1.0, second * fourth * by * by - 1.0
    step = t + second * rise * by * (1.0 + min(max(1.5 * rise * bend, -0.5), 1.0))
    small = level * (1.0 + bend)
    return step, level, LEFT * small * small * abs(level) <= enough


@compiled
def _sums(squares, arms, t):
    """g + 1 of equation 35, half of how fast it falls, and a sixth of its second derivative."""
    x, y, w = 1.0 / (squares[0] + t), 1.0 / (squares[1] + t), 1.0 / (squares[2] + t)
    p, q, r = arms[0] * x, arms[1] * y, arms[2] * w
    p, q, r = p * p, q * q, r * r
    second = p + q + r
    p, q, r = p * x, q * y, r * w
    return second, p + q + r, p * x + q * y + r * w
