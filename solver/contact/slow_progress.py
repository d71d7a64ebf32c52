"""The paper's stopping rules of ICA: it ends when residuals hardly change any more [Otaduy et al. 2009, section 5.5].

That tells that progress is slow, not that a solution is near (docs/theory/ica.md, 5).
"""

import numpy as np

from .problem import FrictionProblem

PAPERS_SHARE = 0.05
TINY = float(np.finfo(float).tiny)


class SlowProgress:
    """Looks at residuals of one loop, and compares them with those of the last look."""

    def __init__(self, problem: FrictionProblem, softness: np.ndarray, share: float, deepest: float):
        """Answers of contacts to their own normal impulses (m,) [1/kg]; the speed towards each other that may be left.

        Where contacts come nearer than this [m/s], a loop goes on however slow it is.
        """
        self.problem, self.softness = problem, np.maximum(softness, TINY)
        self.share, self.deepest = share, deepest
        self.before: np.ndarray | None = None

    def begin(self) -> None:
        """Of a loop."""
        self.before = None

    def ends(self, velocities: np.ndarray, impulses: np.ndarray, dynamics: float = 0.0) -> bool:
        """With velocities (n,) [m/s], impulses (m, 3) [N s] and the norm of what the dynamics lack [N s]."""
        u = self.problem.relative_velocities(velocities) + self.problem.compliance[:, None] * impulses
        residuals = np.array([*pyramid_residuals(u, impulses, self.problem.mu, self.softness), dynamics])
        before, self.before = self.before, residuals
        if before is None or float(u[:, 0].min(initial=0.0)) < -self.deepest:
            return False
        return bool((np.abs(residuals - before) <= self.share * before).all())


def pyramid_residuals(u: np.ndarray, impulses: np.ndarray, mu: np.ndarray, softness: np.ndarray) -> tuple[float, float]:
    """What is left of both complementarity conditions [m/s]: of normals, and of friction along each tangent."""
    moved = impulses - u / softness[:, None]
    most = (mu * impulses[:, 0])[:, None]
    normals = softness * (impulses[:, 0] - np.maximum(moved[:, 0], 0.0))
    friction = softness[:, None] * (impulses[:, 1:] - np.clip(moved[:, 1:], -most, most))
    return float(np.linalg.norm(normals)), float(np.linalg.norm(friction))
