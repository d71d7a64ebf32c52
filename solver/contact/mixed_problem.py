"""A friction problem as conjugate residuals see it: products with A and J, and what they need of each contact.

Nothing here is a sparse matrix that would have to be built anew in each step.
"""

from dataclasses import dataclass

import numpy as np

from .contact_similarity import ContactSimilarity
from .dynamics_product import Dynamics, dynamics_of
from .jacobian_products import JacobianProducts, NodalProducts, jacobian_products
from .nodal_contacts import NodalContacts
from .problem import AXES, FrictionProblem, NodalForm


@dataclass
class MixedProblem:
    """A v = f + Jᵀ r,  u = J v + k + compliance × r; shapes and units as in FrictionProblem."""

    dynamics: Dynamics
    products: JacobianProducts
    similarity: ContactSimilarity
    f: np.ndarray
    k: np.ndarray
    friction: np.ndarray
    cohesion: np.ndarray
    compliance: np.ndarray

    def __post_init__(self):
        refuse_masses(self.dynamics.diagonal)
        self.mobilities = 1.0 / self.dynamics.diagonal  # D⁻¹ (n,) [1/kg]
        self.own = self.products.own_softness(self.mobilities)  # J_c D⁻¹ J_cᵀ (m, 3, 3) [1/kg]

    @property
    def contact_count(self) -> int:
        return len(self.friction)


def mixed_problem(problem: FrictionProblem) -> MixedProblem:
    if problem.A is None:
        raise ValueError("This method needs the dynamics A, f and J; this problem has a Delassus operator only.")
    return MixedProblem(
        *(dynamics_of(problem), jacobian_products(problem), ContactSimilarity.of(problem), problem.f, problem.k),
        *(problem.mu, problem.cohesion, problem.compliance),
    )


def nodal_mixed_problem(dynamics: Dynamics, f: np.ndarray, contacts: NodalContacts, frames: np.ndarray) -> MixedProblem:
    """Of a step whose nodes j have the unknowns 3 j to 3 j + 2; contacts' frames (m, 3, 3) have rows normal first."""
    form = NodalForm(contacts.offsets, contacts.nodes, contacts.weights, frames, AXES * np.arange(len(f) // AXES))
    return MixedProblem(
        *(dynamics, NodalProducts(form, len(f)), ContactSimilarity.of_nodes(form), f),
        *(np.einsum("mij,mj->mi", frames, contacts.velocities), contacts.friction),
        *(contacts.cohesion, contacts.compliance),
    )


def refuse_masses(diagonal: np.ndarray) -> None:
    if not (diagonal > 0.0).all():
        worst = int(np.argmin(diagonal))
        raise ValueError(f"A of the friction problem is not positive definite (at unknown {worst}).")
