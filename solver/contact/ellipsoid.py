"""The nearest point of an ellipsoid: friction that differs between directions, and friction of spinning.

[Erleben 2017, section 4.1]; docs/theory/proximal.md, 3.
"""

import math

from ..jit_cache import compiled

STEPS = 200  # at most
ENOUGH = 4e-15  # of g, or of the bracket: what rounding leaves
LEFT = 64.0  # times the cube of g and the square of the bend is more than a step leaves
FLAT = 1e-50  # of the largest axis, or of the point: an axis is none, and powers neither vanish nor overflow


@compiled
def onto_ellipsoid(z, axes, guess):
    """The point nearest to z of all with Σ (x/a)² ≤ 1, and its root t of g over the largest axis.

    An axis may be zero, then x is too. The guess is the root for a point that was near to z, or zero.
    """
    largest = max(axes[0], axes[1], axes[2])
    by = 1.0 / largest if largest > 0.0 else 0.0
    return onto_scaled_ellipsoid(z, largest, (by * axes[0], by * axes[1], by * axes[2]), guess)


@compiled
def onto_scaled_ellipsoid(z, largest, axes, guess):
    """The same with the axes over the largest of them."""
    if not largest > FLAT * max(abs(z[0]), abs(z[1]), abs(z[2])):
        return 0.0, 0.0, 0.0, guess
    a, b, c = axes
    by = 1.0 / largest  # into the unit cube, equation 38
    x, y, w = _kept(by * z[0], a), _kept(by * z[1], b), _kept(by * z[2], c)
    squares, arms = (_square(a), _square(b), _square(c)), (a * x, b * y, c * w)
    if _is_inside(squares, x * x, y * y, w * w):
        return largest * x, largest * y, largest * w, guess
    # No share of g + 1 is above one at the root.
    low = max(max(abs(arms[0]) - squares[0], 0.0), abs(arms[1]) - squares[1], abs(arms[2]) - squares[2])
    t = _root(squares, arms, low, abs(x) + abs(y) + abs(w), by * guess)
    # (t K + 1)⁻¹ z of equation 32.
    return (
        largest * a * arms[0] / (squares[0] + t),
        largest * b * arms[1] / (squares[1] + t),
        largest * c * arms[2] / (squares[2] + t),
        largest * t,
    )


@compiled
def _kept(coordinate, axis):
    return coordinate if axis > FLAT else 0.0


@compiled
def _square(axis):
    """a², or anything where there is no axis: its share is zero."""
    return axis * axis if axis > FLAT else 1.0


@compiled
def _is_inside(squares, p, q, r):
    """Σ (x/a)² ≤ 1 without a division."""
    ab, bc, ca = squares[0] * squares[1], squares[1] * squares[2], squares[2] * squares[0]
    return p * bc + q * ca + r * ab <= ab * squares[2]


@compiled
def _root(squares, arms, low, high, guess):
    """t with g(t) = 0; g falls, and is not positive at max(a, b, c) ‖z‖, so that the bracket holds it.

    One step or two from a good guess are almost always enough. Else the bracket is halved where steps leave it.
    """
    t, _, is_last = _step(squares, arms, min(max(guess, low), high))
    t = min(max(t, low), high)
    if is_last:
        return t
    t, _, is_last = _step(squares, arms, t)
    t = min(max(t, low), high)
    for _ in range(STEPS):
        if is_last or high - low <= ENOUGH * high:
            break
        step, level, is_last = _step(squares, arms, t)
        if level > 0.0:
            low = t
        else:
            high = t
        t = step if low <= step <= high else 0.5 * (low + high)
    return t


@compiled
def _step(squares, arms, t):
    """The next t, g at this one, and whether the next leaves nothing but rounding of it.

    Chebyshev's method on (g + 1)^(−1/2), which is almost straight: docs/theory/proximal.md, 8.
    """
    second, third, fourth = _sums(squares, arms, t)
    level, by = second - 1.0, 1.0 / third
    rise, bend = math.sqrt(second) - 1.0, second * fourth * by * by - 1.0
    step = t + second * rise * by * (1.0 + min(max(1.5 * rise * bend, -0.5), 1.0))
    small = level * (1.0 + bend)
    return step, level, LEFT * small * small * abs(level) <= ENOUGH


@compiled
def _sums(squares, arms, t):
    """g + 1 of equation 35, half of how fast it falls, and a sixth of its second derivative."""
    x, y, w = 1.0 / (squares[0] + t), 1.0 / (squares[1] + t), 1.0 / (squares[2] + t)
    p, q, r = arms[0] * x, arms[1] * y, arms[2] * w
    p, q, r = p * p, q * q, r * r
    second = p + q + r
    p, q, r = p * x, q * y, r * w
    return second, p + q + r, p * x + q * y + r * w
