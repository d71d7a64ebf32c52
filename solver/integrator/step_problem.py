"""A linearized step as a friction problem that any method can solve."""

from typing import Any

import numpy as np
import scipy.sparse as sparse

from ..contact.nodal_contacts import NodalContacts
from ..contact.problem import AXES, FrictionProblem, NodalForm, jacobian_of
from .linearized_steps import Linearization


def step_problem(linear: Linearization, contacts: NodalContacts, frames: np.ndarray) -> FrictionProblem:
    """With contacts' frames (m, 3, 3), rows normal, tangent, tangent; A of bodies is a sparse matrix."""
    places = contacts.offsets, contacts.nodes, contacts.weights, frames
    k = np.einsum("mij,mj->mi", frames, contacts.velocities)
    optional: dict[str, Any] = {"cohesion": contacts.cohesion, "compliance": contacts.compliance}
    if linear.basis is None:
        return FrictionProblem.nodal(linear.A, linear.f, *places, k, contacts.friction, **optional)
    basis = linear.basis.matrix(contacts.nodes)
    node_count = basis.shape[0] // AXES
    J = jacobian_of(NodalForm(*places, AXES * np.arange(node_count)), AXES * node_count) @ basis
    return FrictionProblem(_whole_matrix(linear), linear.f, J, k, contacts.friction, **optional)


def _whole_matrix(linear):
    """A of all unknowns; that of strands is their masses."""
    strands = linear.basis.strands
    if strands is None:
        return linear.A
    own = sparse.diags_array(strands.masses)
    return own if linear.A is None else sparse.block_diag((linear.A, own))
