"""ADMM on a friction problem given as matrices."""

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from .admm import AdmmSettings, run_admm
from .admm_weights import WITHOUT_MASS, node_weights
from .general_projection import GeneralProjection
from .problem import AXES, FrictionProblem, contacts_of
from .projection import Projection

SWEEPS = 10
STRICTER = 0.03  # than the tolerance asked: δ∞ is the last change, not the error


def solve_by_admm(problem: FrictionProblem, tolerance: float, iterations: int):
    """Velocities, impulses and the history of δ∞, in m/s here: a problem of its own knows no step.

    The tolerance is relative to the velocities without contacts.
    """
    weights, rows = _weights(problem)
    dynamics = _MatrixDynamics(problem, weights, rows)
    contacts = _projection(problem, weights)
    start = dynamics.free_velocities()
    least = STRICTER * tolerance * float(np.linalg.norm(problem.relative_velocities(dynamics.all)))
    settings = AdmmSettings(iterations=iterations, sweeps=SWEEPS, tolerance=least)
    result = run_admm(dynamics, contacts, start, np.zeros_like(start), 1.0, settings)
    return dynamics.unknowns(), _impulses(problem, contacts), result.history


def _weights(problem):
    """Weights (j,) [kg], and which unknowns they belong to (j, width)."""
    if problem.nodal_form is None:
        return WITHOUT_MASS * problem.A.diagonal(), np.arange(len(problem.f))[:, None]
    rows = problem.nodal_form.node_rows[:, None] + np.arange(AXES)
    dense = np.stack([[_entries(problem.A, rows[:, i], rows[:, j]) for j in range(AXES)] for i in range(AXES)])
    return node_weights(np.ascontiguousarray(dense.transpose(2, 0, 1)), problem.masses), rows


def _entries(matrix, rows, columns):
    return np.asarray(matrix[rows, columns]).ravel()


class _MatrixDynamics:
    def __init__(self, problem, weights, rows):
        self.problem, self.weights, self.rows = problem, weights, rows
        diagonal = np.zeros(len(problem.f))
        diagonal[rows] = weights[:, None]
        self.factor = splu(sparse.csc_array(problem.A + sparse.diags_array(diagonal)))
        self.all = np.zeros(len(problem.f))

    def free_velocities(self):
        self.all = splu(sparse.csc_array(self.problem.A)).solve(self.problem.f)
        return self.all[self.rows]

    def solve(self, targets, velocities_out):
        right = self.problem.f.copy()
        right[self.rows] += self.weights[:, None] * targets
        self.all = self.factor.solve(right)
        velocities_out[:] = self.all[self.rows]

    def unknowns(self):
        return self.all


def _projection(problem, weights):
    if problem.nodal_form is None:
        return GeneralProjection(problem, weights)
    return Projection(contacts_of(problem), weights)


def _impulses(problem, contacts):
    if problem.nodal_form is None:
        return contacts.impulses
    return np.einsum("mij,mj->mi", problem.nodal_form.frames, contacts.impulses)
