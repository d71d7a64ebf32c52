"""Friction problems at random."""

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.problem import FrictionProblem


def frames_at(normals):
    """Rows normal, tangent, tangent (m, 3, 3)."""
    helper = np.where(np.abs(normals[:, :1]) < 0.7, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first = np.cross(normals, helper)
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.stack([normals, first, np.cross(normals, first)], axis=1)


def chain_matrix(node_count, stiffness):
    """Mass and a chain of springs between neighbours, in all three axes (3 n, 3 n) [kg]."""
    steps = sparse.csr_array(np.diff(np.eye(node_count), axis=0))
    chain = sparse.eye_array(node_count) + stiffness * (steps.T @ steps)
    return sparse.csr_array(sparse.kron(chain, sparse.eye_array(3)))


def random_problem(seed=0, nodes=12, contacts=8, stiffness=3.0, friction=0.4, **optional):
    """Contacts between points of a chain, or between it and the world."""
    rng = np.random.default_rng(seed)
    widths = rng.integers(1, 5, contacts)
    touched = [rng.choice(nodes, width, replace=False) for width in widths]
    weights = [rng.uniform(0.2, 1.0, width) * rng.choice([-1.0, 1.0], width) for width in widths]
    normals = rng.normal(size=(contacts, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    k = np.column_stack([rng.uniform(0.0, 0.3, contacts), rng.normal(0.0, 0.2, (contacts, 2))])
    return FrictionProblem.nodal(
        *(chain_matrix(nodes, stiffness), rng.normal(size=3 * nodes)),
        *(np.concatenate([[0], np.cumsum(widths)]), np.concatenate(touched), np.concatenate(weights)),
        *(frames_at(normals), k, friction),
        **optional,
    )


def general_form(problem):
    """The same problem by its matrices alone."""
    return FrictionProblem(
        *(problem.A, problem.f, problem.J, problem.k, problem.mu),
        cohesion=problem.cohesion,
        compliance=problem.compliance,
    )
