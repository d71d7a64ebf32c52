"""The judge's measure of friction with an ellipsoid: two tangents and spin (docs/theory/proximal.md, 3).

Written apart from the methods: the nearest point is found by Newton's method from below instead of by halving.
"""

import numpy as np

STEPS = 200


def ellipsoid_map(u, r, mu, softness) -> np.ndarray:
    """s (r − P(r − u/s)) (m, 4), with P in the metric of s: zero where u and r obey the law.

    The normal part of P is max(·, 0), the rest the nearest point of the ellipsoid with axes μ r_N.
    """
    normal = np.maximum(r[:, 0] - u[:, 0] / softness[:, 0], 0.0)
    roots = np.sqrt(softness[:, 1:])
    nearest = nearest_in_ellipsoid(roots * r[:, 1:] - u[:, 1:] / roots, mu * np.maximum(r[:, :1], 0.0) * roots)
    return softness * (r - np.column_stack([normal, nearest / roots]))


def nearest_in_ellipsoid(z, axes) -> np.ndarray:
    """(m, 3), of points z and axes (m, 3) ≥ 0."""
    size = np.maximum(np.abs(z).max(axis=1, initial=0.0), axes.max(axis=1, initial=0.0))[:, None]
    size[size == 0.0] = 1.0  # so that powers neither vanish nor overflow
    z, axes = z / size, axes / size
    is_flat, squares, weights = axes == 0.0, axes**2, (axes * z) ** 2
    t = np.zeros((len(z), 1))
    for _ in range(STEPS):  # g is convex and falls: from the left, Newton's method never passes its root
        below = np.where(is_flat, 1.0, squares + t)
        value, slope = (weights / below**2).sum(axis=1) - 1.0, 2.0 * (weights / below**3).sum(axis=1)
        step = np.divide(value, slope, out=np.zeros(len(z)), where=value > 0.0)[:, None]
        if not (step > 1e-16 * t).any():
            break
        t += step
    return size * squares * z / np.where(is_flat, 1.0, squares + t)


def ellipsoid_violation(r, mu) -> float:
    """How far friction leaves the ellipsoid, as a normal impulse [N s]; where there is no friction, all of it does."""
    needed = np.linalg.norm(np.divide(r[:, 1:], mu, out=np.abs(r[:, 1:]), where=mu > 0.0), axis=1)
    return float(max((needed - r[:, 0]).max(initial=0.0), 0.0))
