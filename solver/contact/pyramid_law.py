"""Friction by a pyramid with four sides instead of Coulomb's cone [Otaduy et al. 2009, section 3.4].

The two tangents have friction of their own, |γ₁| ≤ μ λ and |γ₂| ≤ μ λ. The first points along the sliding that there
would be without contacts (docs/theory/ica.md, 3).
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sparse

from ..jit_cache import compiled
from .problem import AXES, FrictionProblem

ROUNDS = 3  # [Otaduy et al. 2009, section 5.5, step 3.2.1]


@compiled
def pyramid_impulse(w, b, friction, impulse):
    """λ, γ₁ and γ₂ in turn, from an impulse; w has the entries nn, n1, n2, 11, 12, 22 of u = W r + b."""
    n, s, t = impulse
    for _ in range(ROUNDS):
        n = max(-(b[0] + w[1] * s + w[2] * t) / w[0], 0.0)
        most = friction * n
        s = min(max(-(b[1] + w[1] * n + w[4] * t) / w[3], -most), most)
        t = min(max(-(b[2] + w[2] * n + w[4] * s) / w[5], -most), most)
    return n, s, t


def aligned_frames(free: np.ndarray) -> sparse.csr_array:
    """Turns (3 m, 3 m) of the tangents, so that the first points along the sliding velocities of free (m, 3) [m/s]."""
    speeds = np.linalg.norm(free[:, 1:], axis=1)
    is_sliding = speeds > 0.0  # or any direction will do
    turns = np.zeros((len(free), AXES, AXES))
    cosines = np.divide(free[:, 1], speeds, out=np.ones(len(free)), where=is_sliding)
    sines = np.divide(free[:, 2], speeds, out=np.zeros(len(free)), where=is_sliding)
    turns[:, 0, 0] = 1.0
    turns[:, 1, 1] = turns[:, 2, 2] = cosines
    turns[:, 1, 2], turns[:, 2, 1] = sines, -sines
    places = np.arange(len(free))
    return sparse.csr_array(sparse.bsr_array((turns, places, np.arange(len(free) + 1))))


def turned(problem: FrictionProblem, turns: sparse.csr_array) -> FrictionProblem:
    """The problem in other frames, by its matrices alone."""
    k = (turns @ problem.k.ravel()).reshape(-1, AXES)
    return replace(problem, J=turns @ problem.J, k=k, nodal_form=None)
