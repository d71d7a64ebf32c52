"""How far the PROX schemes go along the velocities: Global, Local and Blocked r-factors.

[Erleben 2017, section 4.2]; docs/theory/proximal.md, 4. A factor R other than a number changes what is nearest: the
iteration has the law of friction for its fixed point only if the distance is measured with R⁻¹.
"""

import numpy as np

from .local_form import TINY, LocalForm, answers, own_blocks
from .proximal_visits import ConeLaw, EllipsoidLaw

GLOBAL, LOCAL, BLOCKED = "global", "local", "blocked"
CUTS = {GLOBAL: 0.5, LOCAL: 0.9, BLOCKED: 0.5}  # ν: what is left of the factors after a roll-back
POWER_STEPS = 30
LEAST_SHARE = 1e-12  # of its trace, on a contact's own matrix: what cannot move must not divide by zero


def cone_law(form: LocalForm, strategy: str) -> ConeLaw:
    """One friction coefficient a contact, three rows; Global or Local."""
    blocks = _regular_blocks(form)
    normal, tangents = 1.0 / blocks[:, 0, 0], 1.0 / np.maximum(blocks[:, 1, 1], blocks[:, 2, 2])
    if strategy == GLOBAL:
        normal = tangents = np.full(len(blocks), _global_factor(form))
    return ConeLaw(form.q, form.mu, np.column_stack([normal, tangents]))


def ellipsoid_law(form: LocalForm, strategy: str) -> EllipsoidLaw:
    """Friction coefficients (m, 3) of two tangents and spin, four rows."""
    blocks = _regular_blocks(form)
    normal, own = 1.0 / blocks[:, 0, 0], blocks[:, 1:, 1:]
    if strategy == BLOCKED:
        axes, turns = _principal_axes(own, form.mu)
        returns = np.linalg.inv(turns)
    else:
        if strategy == GLOBAL:
            normal = np.full(len(blocks), _global_factor(form))
            turns = np.tile(1.0 / np.sqrt(normal)[:, None], (1, 3))
        else:
            turns = np.sqrt(np.einsum("mii->mi", own))
        axes, returns = form.mu * turns, 1.0 / turns
    turns, returns = (np.ascontiguousarray(array.reshape(len(blocks), -1)) for array in (turns, returns))
    reaches = axes.max(axis=1, initial=0.0)
    axes = np.divide(axes, reaches[:, None], out=np.zeros_like(axes), where=reaches[:, None] > 0.0)
    return EllipsoidLaw(form.q, axes, reaches, normal, turns, returns, np.zeros(len(blocks)))


def _principal_axes(own, mu):
    """Axes of the ellipsoid, and T with TᵀT = R⁻¹ that turns it into them: L Lᵀ = R⁻¹, T = QᵀLᵀ."""
    root = np.linalg.cholesky(own)
    squares, Q = np.linalg.eigh(np.einsum("mji,mj,mjk->mik", root, mu**2, root))
    turns = np.einsum("mji,mkj->mik", Q, root)
    return np.sqrt(np.maximum(squares, 0.0)), np.ascontiguousarray(turns)


def _regular_blocks(form):
    blocks = own_blocks(form)
    diagonal = np.arange(blocks.shape[1])
    trace = blocks[:, diagonal, diagonal].sum(axis=1)
    blocks[:, diagonal, diagonal] += (LEAST_SHARE * trace + TINY)[:, None]
    return blocks


def _global_factor(form):
    """One over the largest eigenvalue of W, by powers of it: the smallest is taken for zero."""
    vector = 1.0 + np.arange(form.q.size) % 7 / 7.0  # any that is not normal to the one sought
    largest = 0.0
    for _ in range(POWER_STEPS):
        vector = answers(form, vector / max(float(np.linalg.norm(vector)), TINY))
        largest = float(np.linalg.norm(vector))
    return 1.0 / max(largest, TINY)
