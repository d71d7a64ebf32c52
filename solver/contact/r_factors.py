"""How far the PROX schemes go along the velocities: Global, Local and Blocked r-factors.

[Erleben 2017, section 4.2]; docs/theory/proximal.md, 4. A factor R other than a number changes what is nearest: the
iteration has the law of friction for its fixed point only if the distance is measured with R⁻¹.
"""

import numpy as np

from .local_form import TINY, LocalForm, diagonal_blocks
from .proximal_sweeps import ConeLaw, EllipsoidLaw

GLOBAL, LOCAL, BLOCKED = "global", "local", "blocked"
CUTS = {GLOBAL: 0.5, LOCAL: 0.9, BLOCKED: 0.5}  # ν: what is left of the factors after a roll-back
POWER_STEPS = 30
LEAST_SHARE = 1e-12  # of its trace, on a contact's own matrix: what cannot move must not divide by zero


def cone_law(form: LocalForm, strategy: str) -> ConeLaw:
    """One friction coefficient a contact, three rows; Global or Local."""
    blocks = _own_blocks(form, 3)
    normal, tangents = 1.0 / blocks[:, 0, 0], 1.0 / np.maximum(blocks[:, 1, 1], blocks[:, 2, 2])
    if strategy == GLOBAL:
        normal = tangents = np.full(len(blocks), _global_factor(form))
    return ConeLaw(form.q, form.mu, np.column_stack([normal, tangents]))


def ellipsoid_law(form: LocalForm, strategy: str) -> EllipsoidLaw:
    """Friction coefficients (m, 3) of two tangents and spin, four rows."""
    blocks = _own_blocks(form, 4)
    normal, own = 1.0 / blocks[:, 0, 0], blocks[:, 1:, 1:]
    if strategy == GLOBAL:
        normal = np.full(len(blocks), _global_factor(form))
        own = np.eye(3) / normal[:, None, None]
    elif strategy == LOCAL:
        own = np.eye(3) * own
    axes, turns = _principal_axes(own, form.mu)
    returns = np.linalg.inv(turns)
    return EllipsoidLaw(form.q, axes, normal, turns.reshape(-1, 9), returns.reshape(-1, 9))


def _principal_axes(own, mu):
    """Axes of the ellipsoid, and T with TᵀT = R⁻¹ that turns it into them: L Lᵀ = R⁻¹, T = QᵀLᵀ."""
    root = np.linalg.cholesky(own)
    squares, Q = np.linalg.eigh(np.einsum("mji,mj,mjk->mik", root, mu**2, root))
    turns = np.einsum("mji,mkj->mik", Q, root)
    return np.sqrt(np.maximum(squares, 0.0)), np.ascontiguousarray(turns)


def _own_blocks(form, width):
    blocks = diagonal_blocks(form.W, width)
    diagonal = np.arange(width)
    trace = blocks[:, diagonal, diagonal].sum(axis=1)
    blocks[:, diagonal, diagonal] += (LEAST_SHARE * trace + TINY)[:, None]
    return blocks


def _global_factor(form):
    """One over the largest eigenvalue of W, by powers of it: the smallest is taken for zero."""
    vector = 1.0 + np.arange(form.W.shape[0]) % 7 / 7.0  # any that is not normal to the one sought
    largest = 0.0
    for _ in range(POWER_STEPS):
        vector = form.W @ (vector / max(float(np.linalg.norm(vector)), TINY))
        largest = float(np.linalg.norm(vector))
    return 1.0 / max(largest, TINY)
