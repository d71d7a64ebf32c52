"""Small friction problems solved exactly: dense, slow, to rounding.

Gauss-Seidel over the contacts gets near; Newton's method on the functions of Alart and Curnier [1991] finishes.
"""

import numpy as np

from ..contact.local_law import solve_local
from ..contact.problem import AXES, FrictionProblem
from ..contact.residuals import natural_map

SWEEPS = 2000
NEWTON = 50


def solve_exactly(problem: FrictionProblem) -> tuple[np.ndarray, np.ndarray]:
    """Velocities v (n,) and impulses r (m, 3)."""
    W, q = delassus(problem)
    softness = np.array([np.linalg.norm(_block(W, c), 2) for c in range(problem.contact_count)])
    r = np.zeros_like(problem.k)
    for sweep in range(SWEEPS):
        _sweep(W, q, problem.mu, r)
        if sweep % 20 == 0 and _error(W, q, problem.mu, softness, r) < 1e-6:
            break
    r = _newton(W, q, problem.mu, softness, r)
    return _velocities(problem, r), r


def delassus(problem: FrictionProblem) -> tuple[np.ndarray, np.ndarray]:
    """W = J A⁻¹ Jᵀ with the contacts' compliance (3 m, 3 m), and the velocities without the law's impulses (3 m,)."""
    held = np.zeros_like(problem.k)
    held[:, 0] = problem.cohesion
    if problem.delassus is not None:
        W, q = problem.delassus.toarray(), problem.k.ravel()
    else:
        J, A = problem.J.toarray(), problem.A.toarray()
        W, q = J @ np.linalg.solve(A, J.T), J @ np.linalg.solve(A, problem.f) + problem.k.ravel()
    q = q - W @ held.ravel()
    return W + np.diag(np.repeat(problem.compliance, AXES)), q


def _velocities(problem, r):
    if problem.A is None:
        return np.zeros(0)
    net = r.copy()
    net[:, 0] -= problem.cohesion
    return np.linalg.solve(problem.A.toarray(), problem.f + problem.J.T @ net.ravel())


def _block(W, contact):
    rows = slice(AXES * contact, AXES * contact + AXES)
    return W[rows, rows]


def _sweep(W, q, mu, r):
    for contact in range(len(mu)):
        rows = slice(AXES * contact, AXES * contact + AXES)
        block = W[rows, rows]
        free = W[rows] @ r.ravel() + q[rows] - block @ r[contact]
        upper = block[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]
        r[contact] = solve_local(tuple(upper), tuple(free), float(mu[contact]))


def _error(W, q, mu, softness, r):
    u = (W @ r.ravel() + q).reshape(-1, AXES)
    return float(np.linalg.norm(natural_map(u, r, mu, softness))) / max(float(np.linalg.norm(q)), 1e-300)


def _newton(W, q, mu, softness, r):
    best = r, _error(W, q, mu, softness, r)
    for _ in range(NEWTON):
        value, slope = _alart_curnier(W, q, mu, 1.0 / softness, r)
        r = r - np.linalg.lstsq(slope, value, rcond=None)[0].reshape(r.shape)
        error = _error(W, q, mu, softness, r)
        if error < best[1]:
            best = r, error
        if error < 1e-14:
            break
    return best[0]


def _alart_curnier(W, q, mu, rho, r):
    """r − (max(r_N − ρ u_N, 0), (r_T − ρ u_T) cut to the disc of μ times that), and its derivative by r."""
    count = len(mu)
    z = r - rho[:, None] * (W @ r.ravel() + q).reshape(-1, AXES)
    change = np.eye(AXES * count) - np.repeat(rho, AXES)[:, None] * W
    target, slope = np.zeros_like(r), np.zeros_like(W)
    for c in range(count):
        n, t = AXES * c, slice(AXES * c + 1, AXES * c + AXES)
        if z[c, 0] <= 0.0:
            continue
        target[c, 0], slope[n] = z[c, 0], change[n]
        limit, length = mu[c] * z[c, 0], np.linalg.norm(z[c, 1:])
        if length <= limit:
            target[c, 1:], slope[t] = z[c, 1:], change[t]
        else:
            along = z[c, 1:] / length
            target[c, 1:] = limit * along
            across = (np.eye(2) - np.outer(along, along)) * limit / length
            slope[t] = across @ change[t] + mu[c] * np.outer(along, change[n])
    return (r - target).ravel(), np.eye(AXES * count) - slope
