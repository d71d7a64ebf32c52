"""Coulomb's law at one contact that answers to impulses by any symmetric positive definite 3 × 3 matrix.

(u, r) with u = W r + b, normal first (docs/theory/friction.md, 5). A sliding contact moves against its friction,
u_T = −α r_T with α ≥ 0. For given α, r follows from linear equations, and ‖r_T‖ − μ r_N changes its sign between
α = 0, where the contact would stick beyond the limit, and α = ∞, where friction vanishes.
"""

import math

from ..jit_cache import compiled

MOST_HALVINGS = 200
CONVERGED = 1e-15  # of the bracket, relative


@compiled
def solve_local(w, b, friction):
    """r for W, given by its entries nn, n1, n2, 11, 12, 22, the free velocity b and μ; none if it moves nothing."""
    if b[0] >= 0.0 or not w[0] > 0.0:
        return 0.0, 0.0, 0.0
    stuck = _impulse(w, b, 0.0)
    if stuck[0] > 0.0 and _excess(stuck, friction) <= 0.0:
        return stuck
    low, high = 0.0, w[3] + w[5] if w[3] + w[5] > 0.0 else w[0]
    while _excess(_impulse(w, b, high), friction) > 0.0 and high < math.inf:
        low, high = high, 16.0 * high
    for _ in range(MOST_HALVINGS):
        middle = 0.5 * (low + high)
        if high - low <= CONVERGED * high:
            break
        if _excess(_impulse(w, b, middle), friction) > 0.0:
            low = middle
        else:
            high = middle
    r = _impulse(w, b, high)
    return _on_cone(r, friction)


@compiled
def _impulse(w, b, alpha):
    """r with u_N = 0 and u_T = −α r_T."""
    nn, n1, n2, w11, w12, w22 = w
    w11, w22 = w11 + alpha, w22 + alpha
    determinant = w11 * w22 - w12 * w12
    # (W_TT + α)⁻¹ of the coupling and of b_T
    c1, c2 = (w22 * n1 - w12 * n2) / determinant, (w11 * n2 - w12 * n1) / determinant
    d1, d2 = (w22 * b[1] - w12 * b[2]) / determinant, (w11 * b[2] - w12 * b[1]) / determinant
    normal = (-b[0] + n1 * d1 + n2 * d2) / (nn - n1 * c1 - n2 * c2)
    return normal, -c1 * normal - d1, -c2 * normal - d2


@compiled
def _excess(r, friction):
    return math.sqrt(r[1] * r[1] + r[2] * r[2]) - friction * r[0]


@compiled
def _on_cone(r, friction):
    """The tangential part cut to the cone: what rounding leaves outside."""
    across = math.sqrt(r[1] * r[1] + r[2] * r[2])
    share = min(1.0, friction * max(r[0], 0.0) / across) if across > 0.0 else 1.0
    return max(r[0], 0.0), share * r[1], share * r[2]
