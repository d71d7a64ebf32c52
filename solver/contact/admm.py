"""The alternating direction method of multipliers for frictional contact [Daviet 2020, algorithms 2 and 4].

Velocities v obey the dynamics, their copies p the contacts; multipliers λ draw the two together, weighted by W
(docs/theory/friction.md, 6). In the end W λ are the contacts' impulses on the nodes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from .admm_updates import Largest, extrapolate, flat, put_copies, put_multipliers

SLEEP = 0.01  # of the present residual: contacts that change less rest until the next iteration
REDUCTION = 0.3  # of the first δ∞, too: errors of the tolerance's size would else go on from step to step as creeping
STILL = 1e-3  # of the tolerance: less is as good as nothing


@dataclass
class AdmmSettings:
    iterations: int = 25
    sweeps: int = 5  # of Gauss-Seidel in each
    tolerance: float = 1e-5  # of δ∞, as a way in the step                                        [m]
    last_rounds: int = 8  # of sweeps on the result, which is then nearer to what contacts allow than in between
    sleeps: bool = True
    accelerates: bool = True


class Dynamics(Protocol):
    def solve(self, targets: np.ndarray, velocities_out: np.ndarray) -> None:
        """v from (A + W) v = f + W targets, both (n, 3) [m/s]."""


class Contacts(Protocol):
    """A projection that keeps impulses from one call to the next."""

    def project(self, velocities: np.ndarray, sweeps: int, sleep_below: float) -> None: ...


@dataclass
class AdmmResult:
    velocities: np.ndarray  # v (n, 3) [m/s]
    projected: np.ndarray  # p (n, 3) [m/s], which the contacts allow
    multipliers: np.ndarray  # λ (n, 3) [m/s]
    iterations: int = 0
    history: list[float] = field(default_factory=list)  # δ∞ [m]
    converged: bool = False


@dataclass
class _Momentum:
    """Of Nesterov, begun anew whenever the residual grows [Goldstein et al. 2014]."""

    theta: float = 1.0
    residual: float = np.inf

    def factor(self, residual: float) -> float:
        is_growing, self.residual = residual > self.residual, residual
        if is_growing:
            self.theta = 1.0
            return 0.0
        before, self.theta = self.theta, 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * self.theta**2))
        return (before - 1.0) / self.theta


def run_admm(
    dynamics: Dynamics,
    contacts: Contacts,
    velocities: np.ndarray,
    multipliers: np.ndarray,
    time_step: float,
    settings: AdmmSettings,
    between: Callable[[int, np.ndarray], bool] = lambda iteration, projected: False,
) -> AdmmResult:
    """From velocities (n, 3) [m/s] and multipliers (n, 3) [m/s] of before.

    `between` is called after each iteration with the projected velocities: it may add contacts and says whether it did,
    so that one more iteration sees them.
    """
    shape = velocities.shape
    v, v_before, p, p_before, lam, lam_before, lam_hat, targets = (np.empty(shape) for _ in range(8))
    v[:] = p[:] = p_before[:] = velocities
    lam[:] = lam_before[:] = multipliers
    result, momentum, largest = AdmmResult(v, p, lam), _Momentum(), Largest(v.size)
    delta, share = np.inf, 0.0
    for iteration in range(1, settings.iterations + 1):
        extrapolate(share, *(flat(array) for array in (p, p_before, lam, lam_before, targets, lam_hat)))
        v, v_before, p, p_before, lam, lam_before = v_before, v, p_before, p, lam_before, lam
        dynamics.solve(targets, v)
        put_copies(*(flat(array) for array in (v, v_before, lam_hat, p)), largest.change)
        sleep_below = SLEEP * delta / time_step if settings.sleeps and np.isfinite(delta) else 0.0
        contacts.project(p, settings.sweeps, sleep_below)
        put_multipliers(*(flat(array) for array in (v, p, lam_hat, lam)), largest.apart)
        delta = time_step * largest.sum()
        result.history.append(delta)
        result.velocities, result.projected, result.multipliers, result.iterations = v, p, lam, iteration
        has_more = between(iteration, p)
        result.converged = delta < _enough(result.history[0], settings.tolerance) and not has_more
        if result.converged or not np.isfinite(delta):
            break
        share = momentum.factor(delta) if settings.accelerates else 0.0
    for _ in range(settings.last_rounds):
        np.subtract(v, lam_hat, out=p)
        contacts.project(p, settings.sweeps, SLEEP * settings.tolerance / time_step if settings.sleeps else 0.0)
    put_multipliers(*(flat(array) for array in (v, p, lam_hat, lam)), largest.apart)
    return result


def _enough(first: float, tolerance: float) -> float:
    return min(tolerance, max(REDUCTION * first, STILL * tolerance))
