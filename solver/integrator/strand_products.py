"""The mixed system of a step with strands, whose root is applied, never built (docs/theory/conjugate_residual.md)."""

import numpy as np

from ..contact.contact_similarity import ContactSimilarity
from ..contact.dynamics_product import DiagonalDynamics, Dynamics, JoinedDynamics, MatrixDynamics
from ..contact.jacobian_products import JacobianProducts, JoinedProducts, MatrixProducts, NodalProducts, TurnedProducts
from ..contact.mixed_problem import MixedProblem
from ..contact.nodal_contacts import NodalContacts
from ..contact.problem import AXES, NodalForm, jacobian_of
from .linearized_steps import Linearization
from .strand_unknowns import StrandUnknowns


class StrandProducts(TurnedProducts):
    """J v and Jᵀ r of the strands' unknowns: half a solve of their systems each."""

    def __init__(self, form: NodalForm, strands: StrandUnknowns):
        """Contacts by the points of strands alone."""
        self.form, self.strands = form, strands
        self.nodal = NodalProducts(form, AXES * strands.point_count)

    def velocities(self, v):
        return self.nodal.velocities(self.strands.changes(v).ravel())

    def push(self, impulses):
        return self.strands.pull(self.nodal.push(impulses).reshape(-1, AXES))

    def own_softness(self, mobilities):
        """J_c A⁻¹ J_cᵀ (m, 3, 3) [1/kg]; of two far points of one strand, what one does to the other is left out."""
        own, beside = self.strands.inverse_blocks()
        weights, nodes, count = self.form.weights, self.form.nodes, len(self.form.frames)
        contact_of = np.repeat(np.arange(count), np.diff(self.form.offsets))
        softness = np.zeros((count, AXES, AXES))
        np.add.at(softness, contact_of, (weights**2)[:, None, None] * own[nodes])
        strand_of = self.strands.dynamics.strand_of_point
        for apart in range(1, int(np.diff(self.form.offsets).max(initial=0))):
            first, second = np.arange(len(nodes) - apart), np.arange(apart, len(nodes))
            lower = np.minimum(nodes[first], nodes[second])
            is_pair = (contact_of[first] == contact_of[second]) & (np.abs(nodes[first] - nodes[second]) == 1)
            is_pair &= strand_of[nodes[first]] == strand_of[nodes[second]]
            first, second, lower = first[is_pair], second[is_pair], lower[is_pair]
            blocks = (weights[first] * weights[second])[:, None, None] * beside[lower]
            np.add.at(softness, contact_of[first], blocks + blocks.swapaxes(1, 2))
        return np.einsum("mia,mab,mjb->mij", self.form.frames, softness, self.form.frames)


def mixed_problem_with_strands(
    linear: Linearization, strands: StrandUnknowns, contacts: NodalContacts, frames: np.ndarray, is_rigid: bool
) -> MixedProblem:
    """Contacts' frames (m, 3, 3) have rows normal first; `is_rigid`: some bodies' unknowns are not nodes."""
    form = NodalForm(contacts.offsets, contacts.nodes, contacts.weights, frames, np.zeros(0, np.int64))
    is_strand = contacts.nodes < strands.point_count
    products: JacobianProducts = StrandProducts(_part(form, is_strand, 0, strands.point_count), strands)
    dynamics: Dynamics = DiagonalDynamics(strands.masses)
    first = len(linear.f) - strands.count
    if first:
        assert linear.basis is not None  # or there would be no strands
        bodies = _part(form, ~is_strand, strands.point_count, linear.basis.bodies.shape[0] // AXES)
        products = JoinedProducts(_body_products(bodies, linear, is_rigid), products, first)
        dynamics = JoinedDynamics(MatrixDynamics(linear.A) if is_rigid else linear.A, dynamics)
    return MixedProblem(
        *(dynamics, products, ContactSimilarity.of_same_nodes(form) if is_rigid else ContactSimilarity.of_nodes(form)),
        *(linear.f, np.einsum("mij,mj->mi", frames, contacts.velocities), contacts.friction),
        *(contacts.cohesion, contacts.compliance),
    )


def _body_products(form, linear, is_rigid):
    if is_rigid:
        return MatrixProducts(jacobian_of(form, linear.basis.bodies.shape[0]) @ linear.basis.bodies)
    return NodalProducts(form, linear.basis.bodies.shape[0])


def _part(form, is_kept, first, count):
    """What contacts touch of the nodes from the first on, which are `count`."""
    before = np.concatenate([[0], np.cumsum(is_kept)])
    nodes = (form.nodes[is_kept] - first).astype(np.int32)
    offsets = before[form.offsets].astype(np.int32)
    return NodalForm(offsets, nodes, form.weights[is_kept], form.frames, AXES * np.arange(count))
