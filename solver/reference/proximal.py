"""PROX iterations in plain words: dense, one contact after the other, the friction's distance measured with R⁻¹."""

import numpy as np

from ..contact.ellipsoid_residual import nearest_in_ellipsoid


def prox_sweep(W, q, mu, normal_factors, friction_factors, r, is_at_once) -> np.ndarray:
    """The impulses (m, 4) after an iteration, of W (4 m, 4 m), q (m, 4), μ (m, 3), r-factors (m,) and (m, 3, 3)."""
    old, new = r.copy(), r.copy()
    for contact in range(len(q)):
        known = old if is_at_once else new
        rows = slice(4 * contact, 4 * contact + 4)
        u = W[rows] @ known.ravel() + q[contact]
        normal = max(known[contact, 0] - normal_factors[contact] * u[0], 0.0)
        R = friction_factors[contact]
        z = known[contact, 1:] - R @ u[1:]
        limit = known[contact, 0] if is_at_once else normal
        new[contact] = [normal, *nearest_in_metric(z, limit * mu[contact], np.linalg.inv(R))]
    return new


def nearest_in_metric(z, axes, metric) -> np.ndarray:
    """x with Σ (x/a)² ≤ 1 and the smallest (z − x)ᵀ metric (z − x), in axes in which the ellipsoid is a ball."""
    if not (axes > 0.0).all():
        return np.zeros(3)  # no normal impulse, no friction
    scaled = axes[:, None] * metric * axes
    lengths, turns = np.linalg.eigh(scaled)
    # x = a Q y/√λ turns the metric into the identity and the ball into an ellipsoid along the axes.
    y = np.sqrt(lengths) * (turns.T @ (z / axes))
    nearest = nearest_in_ellipsoid(y[None], np.sqrt(lengths)[None])[0]
    return axes * (turns @ (nearest / np.sqrt(lengths)))
