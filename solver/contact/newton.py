"""Newton's method on contacts that are made a little soft, and less and less so (docs/theory/proximal.md, 5).

Where contacts are redundant W is singular: many impulses do the same, and relaxation creeps from one to the other. The
proximal point of the last impulses, r⁺ with u = W r⁺ + q + σ s (r⁺ − r) in Coulomb's law, is a problem of its own, and
not singular. Its solution is found by Newton's method on the functions of Alart and Curnier [1991].
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from .local_form import TINY, LocalForm, local_form, velocities_under
from .problem import AXES, FrictionProblem

STRICTER = 0.03  # than the tolerance asked: the functions are not the judge's
FIRST, LEAST, MOST = 1e-2, 1e-10, 1e2  # σ, relative to the contacts' softness
FACTOR = 10.0  # by which σ changes
STEPS = 30  # of Newton's method for one proximal point
SHORTEST = 1e-3  # step of the line search
MEMORY = (
    5  # errors of which the highest may be reached again: the functions have kinks, and straight ways lead into them
)
ENOUGH = 1e-4  # decrease for a step, as a part of what the slope promises
NEARER = 0.1  # a proximal point is exact enough at this part of the error that there was
DENSE_ABOVE = 0.15  # share of entries of W from which on dense factors are faster


class Slope(NamedTuple):
    values: np.ndarray  # the functions (m, 3), as impulses
    blocks: np.ndarray  # derivatives of the projection (m, 3, 3)


def solve_by_newton(problem: FrictionProblem, tolerance: float, iterations: int):
    """Velocities, impulses and the history of the functions' norm, relative to the velocities without contacts."""
    form = local_form(problem)
    r, history = np.zeros_like(form.q), [0.0]
    if problem.contact_count:
        scale = max(float(np.linalg.norm(form.q)), TINY)
        r, history = _proximal_points(form, STRICTER * tolerance * scale, iterations)
        history = [value / scale for value in history]
    return velocities_under(problem, r), r, history


def _proximal_points(form, least, iterations):
    """σ falls while Newton's method finds the proximal points, and rises where it does not."""
    r, sigma = np.zeros_like(form.q), FIRST
    best, error = r, error_of(form, r)
    history = [error]
    while error > least and len(history) < iterations:
        target = max(NEARER * error_of(form, r), 0.3 * least)
        nearer, is_found = _proximal_point(form, r, sigma, target, history, iterations)
        reached = error_of(form, nearer)
        if reached < error:
            best, error = nearer, reached
        if is_found:
            r, sigma = nearer, max(sigma / FACTOR, LEAST)
        elif sigma < MOST:
            sigma *= FACTOR
        else:
            break
    return best, history


def _proximal_point(form, centre, sigma, target, history, iterations):
    """r with u = W r + q + σ s (r − centre) in the law, from the centre; and whether it was found."""
    soft = np.repeat(sigma * form.softness, AXES)
    shifted = form._replace(
        W=form.W + sparse.diags_array(soft), q=form.q - (soft * centre.ravel()).reshape(form.q.shape)
    )
    r, errors = centre, [error_of(shifted, centre)]
    while errors[-1] > target and len(errors) <= STEPS and len(history) < iterations:
        r, error = _newton_step(shifted, r, max(errors[-MEMORY:]))
        errors.append(error)
        history.append(error_of(form, r))
    return r, errors[-1] <= target


def _newton_step(form, r, highest):
    """The longest of some steps after which the error is below the highest; if there is none, the shortest."""
    step = _step(form, alart_curnier(form, r))
    length = 1.0
    while True:
        trial = r + length * step
        error = error_of(form, trial)
        if error <= (1.0 - ENOUGH * length) * highest or length <= SHORTEST:
            return trial, error
        length *= 0.5


def error_of(form: LocalForm, r: np.ndarray) -> float:
    """The functions of Alart and Curnier as velocities [m/s]."""
    return float(np.linalg.norm(form.softness[:, None] * alart_curnier(form, r).values))


def alart_curnier(form: LocalForm, r: np.ndarray) -> Slope:
    """r − (max(z_N, 0), z_T cut to the disc of radius μ max(z_N, 0)) with z = r − u/s; the bracket's slope by z."""
    z = r - (form.W @ r.ravel()).reshape(r.shape) / form.softness[:, None] - form.q / form.softness[:, None]
    lengths, limits = np.linalg.norm(z[:, 1:], axis=1), form.mu * z[:, 0]
    is_pressed = z[:, 0] > 0.0
    is_stuck, is_sliding = is_pressed & (lengths <= limits), is_pressed & (lengths > limits)
    target, blocks = np.where(is_stuck[:, None], z, 0.0), np.zeros((len(z), AXES, AXES))
    blocks[is_stuck] = np.eye(AXES)
    along = z[is_sliding, 1:] / lengths[is_sliding, None]
    target[is_sliding, 0], blocks[is_sliding, 0, 0] = z[is_sliding, 0], 1.0
    target[is_sliding, 1:] = limits[is_sliding, None] * along
    across = np.eye(2) - along[:, :, None] * along[:, None, :]
    blocks[is_sliding, 1:, 1:] = across * (limits[is_sliding] / lengths[is_sliding])[:, None, None]
    blocks[is_sliding, 1:, 0] = form.mu[is_sliding, None] * along
    return Slope(r - target, blocks)


def _step(form, slope):
    """Open contacts lose their impulses; the others have an equation each, in which these are known."""
    is_pressed = slope.blocks[:, 0, 0] > 0.0
    step, rows = -slope.values.ravel(), np.repeat(is_pressed, AXES)
    matrix = _jacobian(form.W[rows], form.softness[is_pressed], slope.blocks[is_pressed], rows)
    step[rows] = _solve(sparse.csr_array(matrix[:, rows]), step[rows] - matrix[:, ~rows] @ step[~rows])
    return step.reshape(slope.values.shape)


def _jacobian(W, softness, blocks, rows):
    """Rows of 1 − B (1 − W/s), with the blocks B."""
    B = sparse.bsr_array((blocks, np.arange(len(blocks)), np.arange(len(blocks) + 1)), shape=(W.shape[0], W.shape[0]))
    scaled = sparse.diags_array(np.repeat(1.0 / softness, AXES)) @ W
    identity = sparse.eye_array(len(rows)).tocsr()[rows]
    return sparse.csr_array(identity - B @ (identity - scaled))


def _solve(matrix, right):
    size = len(right)
    if not size:
        return right
    try:
        if matrix.nnz > DENSE_ABOVE * size * size:
            return np.linalg.solve(matrix.toarray(), right)
        return splu(sparse.csc_array(matrix)).solve(right)
    except (RuntimeError, np.linalg.LinAlgError):  # singular: no step, and σ rises
        return np.zeros(size)
