"""The best solution that conjugate residuals came by, for problems that they do not solve.

Residuals of steps tell how well a system is solved, but not whether its contacts are in the right states. The measure
here tells both, and is neither what steps stop by nor the judge's (docs/theory/conjugate_residual.md, 14).
"""

from typing import NamedTuple

import numpy as np

from .contact_rows import ContactRows
from .krylov_steps import MixedState
from .residuals import TINY

WORTH_MEASURING = 0.5  # of the best residual: what is hardly less is not looked at


class Found(NamedTuple):
    miss: float  # of dynamics and contacts, relative
    v: np.ndarray  # (n,) [m/s]
    impulses: np.ndarray  # (m, 3) [N s]
    states: np.ndarray  # OPEN, STICK or SLIP (m,)


class BestSoFar:
    def __init__(self, state: MixedState):
        self.state, self.rows = state, state.rows
        self.found: Found | None = None
        self.least_error = np.inf  # of the steps, when something was last measured

    def consider(self, error: float, force_scale: float, velocity_scale: float, is_wanted: bool) -> None:
        """Remember the state if it is better; unless wanted, only if the steps' error tells that it may be."""
        if not (is_wanted or error < WORTH_MEASURING * self.least_error):
            return
        self.least_error = error
        miss = self.miss(force_scale, velocity_scale)
        if np.isfinite(miss) and (self.found is None or miss < self.found.miss):
            self.found = Found(miss, self.state.v.copy(), self.rows.impulses, self.rows.states.copy())

    def miss(self, force_scale: float, velocity_scale: float) -> float:
        """The largest of what dynamics, normals and friction lack, relative to momentum and velocities."""
        top, _ = self.state.residual.norms()
        normals, friction = np.linalg.norm(contact_misses(self.rows, self.state.v), axis=0)
        return float(max(top / force_scale, normals / velocity_scale, friction / velocity_scale))

    def restore(self) -> None:
        """The best instead of what is there now; none of its impulses are free any more."""
        assert self.found is not None
        self.state.v[:], self.rows.states[:] = self.found.v, self.found.states
        self.rows.give_all(self.found.impulses)


def contact_misses(rows: ContactRows, v: np.ndarray) -> np.ndarray:
    """How far contacts are from their laws (m, 2) [m/s], along the normal and the tangents.

    min(u_N, s r_N), and s (r_T − Π(r_T − u_T/s)) with the projection Π onto friction of at most μ r_N and the contact's
    own softness s.
    """
    impulses, laws = rows.impulses, rows.laws
    u = rows.velocities(v) + laws.given + laws.compliance[:, None] * impulses
    softness = np.maximum(np.linalg.norm(laws.own, axis=(1, 2)) / np.sqrt(3.0) + laws.compliance, TINY)
    along = np.minimum(u[:, 0], softness * impulses[:, 0])
    goal = softness[:, None] * impulses[:, 1:] - u[:, 1:]
    limit = laws.friction * softness * np.maximum(impulses[:, 0], 0.0)
    share = np.minimum(1.0, limit / np.maximum(np.linalg.norm(goal, axis=1), TINY))
    across = np.linalg.norm(softness[:, None] * impulses[:, 1:] - share[:, None] * goal, axis=1)
    return np.stack([along, across], axis=1)
