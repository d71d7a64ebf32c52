"""A linearized step as a friction problem that any method can solve."""

from typing import Any

import numpy as np

from ..contact.nodal_contacts import NodalContacts
from ..contact.problem import AXES, FrictionProblem, NodalForm, jacobian_of
from .linearized_steps import Linearization


def step_problem(linear: Linearization, contacts: NodalContacts, frames: np.ndarray) -> FrictionProblem:
    """With contacts' frames (m, 3, 3), rows normal, tangent, tangent; A is a sparse matrix."""
    places = contacts.offsets, contacts.nodes, contacts.weights, frames
    k = np.einsum("mij,mj->mi", frames, contacts.velocities)
    optional: dict[str, Any] = {"cohesion": contacts.cohesion, "compliance": contacts.compliance}
    if linear.basis is None:
        return FrictionProblem.nodal(linear.A, linear.f, *places, k, contacts.friction, **optional)
    node_count = linear.basis.shape[0] // AXES
    J = jacobian_of(NodalForm(*places, AXES * np.arange(node_count)), AXES * node_count) @ linear.basis
    return FrictionProblem(linear.A, linear.f, J, k, contacts.friction, **optional)
