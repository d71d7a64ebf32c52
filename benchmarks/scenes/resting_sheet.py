"""A sheet of springs that comes to rest on the ground, as a friction problem."""

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.problem import FrictionProblem

STIFFNESS = 2.0  # Δt² k of a spring [kg], beside nodes of 1 kg
UP = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def resting_sheet(side: int, contacts: int, friction: float) -> FrictionProblem:
    """side² nodes that fall and drift; so many of them, spread over the sheet, touch the ground."""
    line = sparse.csr_array(np.diff(np.eye(side), axis=0))
    springs, here = line.T @ line, sparse.eye_array(side)
    plane = sparse.kron(springs, here) + sparse.kron(here, springs)
    A = sparse.kron(sparse.eye_array(side**2) + STIFFNESS * plane, sparse.eye_array(3))
    rng = np.random.default_rng(0)
    velocities = [0.5, 0.2, -1.0] + 0.2 * rng.normal(size=(side**2, 3))
    nodes = np.sort(rng.permutation(side**2)[:contacts])
    ground = np.arange(contacts + 1), nodes, np.ones(contacts), np.tile(UP, (contacts, 1, 1)), np.zeros((contacts, 3))
    return FrictionProblem.nodal(A, A @ velocities.ravel(), *ground, friction)
