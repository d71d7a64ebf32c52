"""The judge of solutions: how far velocities and impulses are from Coulomb's law (docs/theory/friction.md, 2).

No method uses these for its own stopping.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from .ellipsoid_residual import ellipsoid_map, ellipsoid_violation
from .problem import FrictionProblem

TINY = float(np.finfo(float).tiny)


class Residuals(NamedTuple):
    natural_map: float  # of the law with de Saxcé's velocity, over the velocity without contacts
    fischer_burmeister: float  # of normal contact and of the friction cone, over the same
    dynamics: float  # ‖A v − f − Jᵀ r‖ / ‖f‖
    penetration: float  # largest negative normal velocity: depth at the step's end over the step [m/s]
    cone_violation: float  # largest ‖r_T‖ − μ r_N beyond zero, over the largest r_N


def judge(problem: FrictionProblem, v: np.ndarray, r: np.ndarray) -> Residuals:
    """Of velocities v (n,) (or none, for a Delassus operator) and impulses r (m, 3) [N s]."""
    problem = problem.rebounding()
    u = velocities_of(problem, v, r)
    if problem.spin:
        return _judge_spin(problem, v, r, u)
    scale = max(float(np.linalg.norm(free_velocities(problem))), TINY)
    softness = contact_softness(problem)
    return Residuals(
        natural_map=float(np.linalg.norm(natural_map(u, r, problem.mu, softness))) / scale,
        fischer_burmeister=float(np.linalg.norm(fischer_burmeister(u, r, problem.mu, softness))) / scale,
        dynamics=_dynamics(problem, v, r),
        penetration=float(max(-u[:, 0].min(initial=0.0), 0.0)),
        cone_violation=_cone_violation(r, problem.mu),
    )


def _judge_spin(problem, v, r, u):
    """The law of the ellipsoid; Fischer-Burmeister of the normal alone, which has no form of the rest."""
    softness = _row_softness(problem)
    likened = _likened(softness)
    scale = max(float(np.linalg.norm(likened * free_velocities(problem))), TINY)
    return Residuals(
        natural_map=float(np.linalg.norm(likened * ellipsoid_map(u, r, problem.mu, softness))) / scale,
        fischer_burmeister=float(np.linalg.norm(_fischer(u[:, 0], softness[:, 0] * r[:, 0]))) / scale,
        dynamics=_dynamics(problem, v, r),
        penetration=float(max(-u[:, 0].min(initial=0.0), 0.0)),
        cone_violation=ellipsoid_violation(r, problem.mu) / max(r[:, 0].max(initial=0.0), TINY),
    )


def misses(problem: FrictionProblem, u: np.ndarray, r: np.ndarray) -> np.ndarray:
    """How far contacts are from the law of friction (m, w) [m/s]; turning as a velocity along the normal."""
    if not problem.spin:
        return natural_map(u, r, problem.mu, contact_softness(problem))
    softness = _row_softness(problem)
    return _likened(softness) * ellipsoid_map(u, r, problem.mu, softness)


def free_speed(problem: FrictionProblem) -> float:
    """The length of all velocities without any contact [m/s], turning likened as above."""
    velocities = free_velocities(problem)
    return float(np.linalg.norm(_likened(_row_softness(problem)) * velocities if problem.spin else velocities))


def _row_softness(problem):
    """What an impulse of each row does to the row itself (m, w) [1/kg]; what nothing moves has that of the normal."""
    softness = np.diagonal(_own_blocks(problem), axis1=1, axis2=2) + problem.compliance[:, None]
    return np.where(softness > 0.0, softness, np.maximum(softness[:, :1], TINY))


def _likened(softness):
    """Factors (m, w) that make turning, and tangents, velocities along the normal."""
    return np.sqrt(softness[:, :1] / softness)


def velocities_of(problem: FrictionProblem, v: np.ndarray, r: np.ndarray) -> np.ndarray:
    """u (m, 3) [m/s]; compliant contacts give way by their compliance times r."""
    give = problem.compliance[:, None] * r
    if problem.delassus is not None:
        return (problem.delassus @ _net(problem, r).ravel()).reshape(problem.k.shape) + problem.k + give
    return problem.relative_velocities(v) + give


def free_velocities(problem: FrictionProblem) -> np.ndarray:
    """u without any contact (m, 3) [m/s]: J A⁻¹ f + k."""
    if problem.delassus is not None or not problem.contact_count:
        return problem.k
    return problem.relative_velocities(splu(sparse.csc_array(problem.A)).solve(problem.f))


def contact_softness(problem: FrictionProblem) -> np.ndarray:
    """A scale (m,) [1/kg] of what an impulse does to its own contact: ‖W_cc‖, or ‖J_c D⁻¹ J_cᵀ‖ with A's diagonal D."""
    blocks = _own_blocks(problem)
    norms = np.linalg.norm(blocks, ord=2, axis=(1, 2)) if len(blocks) else np.zeros(0)
    return np.maximum(norms + problem.compliance, TINY)


def _own_blocks(problem):
    """(m, w, w) [1/kg]"""
    if problem.delassus is not None:
        return _blocks_of(sparse.coo_array(problem.delassus), problem.width)
    scaled = problem.J @ sparse.diags_array(1.0 / np.sqrt(problem.A.diagonal()))
    return _small_products(sparse.csr_array(scaled), problem.width)


def natural_map(u, r, mu, softness) -> np.ndarray:
    """(m, 3) [m/s]: s (r − P_K(r − ũ/s)), zero where ũ = u + μ‖u_T‖ n and r are normal to each other in their cones."""
    impulses = softness[:, None] * r
    return impulses - onto_cone(impulses - saxce_velocities(u, mu), mu)


def saxce_velocities(u, mu) -> np.ndarray:
    changed = u.copy()
    changed[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
    return changed


def onto_cone(z, mu) -> np.ndarray:
    """The nearest vectors (m, 3) with ‖z_T‖ ≤ μ z_N."""
    along, across = z[:, 0], np.linalg.norm(z[:, 1:], axis=1)
    is_inside, is_below = across <= mu * along, mu * across <= -along
    height = np.where(is_inside, along, (along + mu * across) / (1.0 + mu**2))
    height = np.where(is_below, 0.0, height)
    shrink = np.divide(mu * height, across, out=np.ones_like(across), where=~is_inside & (across > 0.0))
    return np.column_stack([height, z[:, 1:] * np.where(is_below, 0.0, shrink)[:, None]])


def fischer_burmeister(u, r, mu, softness) -> np.ndarray:
    """φ(a, b) = a + b − √(a² + b²) (m, 2) [m/s]: of u_N and r_N, and of sliding speed and room in the cone.

    The second is joined by how far sliding and friction are from pointing against each other at the cone's limit.
    """
    impulses = softness[:, None] * r
    speed, limit = np.linalg.norm(u[:, 1:], axis=1), mu * impulses[:, 0]
    room = limit - np.linalg.norm(impulses[:, 1:], axis=1)
    both = limit[:, None] * u[:, 1:] + speed[:, None] * impulses[:, 1:]
    astray = np.linalg.norm(both, axis=1) / np.maximum(np.abs(limit) + speed, TINY)
    return np.column_stack([_fischer(u[:, 0], impulses[:, 0]), np.hypot(_fischer(speed, room), astray)])


def _fischer(a, b):
    return a + b - np.hypot(a, b)


def _net(problem, r):
    """What acts on the bodies: the law's impulse less that of cohesion."""
    net = r.copy()
    net[:, 0] -= problem.cohesion
    return net


def _dynamics(problem, v, r):
    if problem.A is None:
        return 0.0
    rest = problem.A @ v - problem.f - problem.J.T @ _net(problem, r).ravel()
    return float(np.linalg.norm(rest)) / max(float(np.linalg.norm(problem.f)), TINY)


def _cone_violation(r, mu):
    beyond = np.linalg.norm(r[:, 1:], axis=1) - mu * r[:, 0]
    return float(max(beyond.max(initial=0.0), 0.0) / max(r[:, 0].max(initial=0.0), TINY))


def _small_products(rows, width):
    """R_c R_cᵀ of a contact's rows (m, w, w)."""
    blocks = np.empty((rows.shape[0] // width, width, width))
    parts = [rows[axis::width] for axis in range(width)]
    for i in range(width):
        for j in range(width):
            blocks[:, i, j] = parts[i].multiply(parts[j]).sum(axis=1)
    return blocks


def _blocks_of(entries, width):
    """The blocks on the diagonal (m, w, w)."""
    blocks = np.zeros((entries.shape[0] // width, width, width))
    is_diagonal = entries.row // width == entries.col // width
    row, column = entries.row[is_diagonal], entries.col[is_diagonal]
    np.add.at(blocks, (row // width, row % width, column % width), entries.data[is_diagonal])
    return blocks
