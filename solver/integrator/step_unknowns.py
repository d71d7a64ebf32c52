"""What a step is solved for: unknowns of bodies, then those of strands, and the velocities of nodes that they mean.

Bodies' unknowns are their nodes, or six numbers for a rigid one (rigid_unknowns.py); strands have their own
(strand_unknowns.py). Among the nodes strands come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sparse

from ..contact.nodal_contacts import NodalContacts, velocities_at
from ..contact.problem import AXES
from ..model import Model
from .newton_system import NewtonSystem, Unknowns
from .rigid_unknowns import RigidUnknowns

if TYPE_CHECKING:  # what is not imported is not compiled
    from .strand_unknowns import StrandUnknowns


class StepBasis(NamedTuple):
    """Velocities of the nodes by the unknowns."""

    bodies: sparse.csr_array  # of their nodes (3 b, u)
    strands: StrandUnknowns | None

    def matrix(self, nodes: np.ndarray) -> sparse.csr_array:
        """(3 n, u), with all rows of bodies' nodes, and those of some nodes of strands."""
        if self.strands is None:
            return self.bodies
        points = nodes[nodes < self.strands.point_count]
        return sparse.csr_array(sparse.block_array([[None, self.strands.basis(points)], [self.bodies, None]]))

    def pull(self, pushes: np.ndarray) -> np.ndarray:
        """What pushes on the nodes (n, 3) [N s] are to the unknowns (u,)."""
        if self.strands is None:
            return self.bodies.T @ pushes.ravel()
        points, nodes = np.split(pushes, [self.strands.point_count])
        return np.concatenate([self.bodies.T @ nodes.ravel(), self.strands.pull(points)])


class StepUnknowns:
    """Of a scene."""

    def __init__(self, model: Model, system: NewtonSystem):
        self.rows = model.body_nodes
        self.body_node_count = self.rows.stop - self.rows.start
        self.strands = _strands(system)
        self.rigid = _rigid(model, self.body_node_count)
        self.body_count = self.rigid.unknown_count if self.rigid else AXES * self.body_node_count

    @property
    def is_all_rigid(self) -> bool:
        """Whether there is nothing but rigid bodies."""
        return self.rigid is not None and self.rigid.moves_all and self.strands is None

    def basis(self, bodies: sparse.csr_array | None) -> StepBasis | None:
        """With that of bodies, if their unknowns are not their nodes; None: no unknowns are but nodes."""
        if bodies is None and self.strands is None:
            return None
        if bodies is None:
            bodies = sparse.csr_array(sparse.eye_array(self.body_count))
        return StepBasis(bodies, self.strands)

    def velocities(self, unknowns: np.ndarray) -> Unknowns:
        """Of the way in the step, of nodes (n, 3) [m/s] and of strands' twists (h,) [rad/s]."""
        own = unknowns[: self.body_count]
        nodes = self.rigid.node_velocities(own) if self.rigid else own.reshape(-1, AXES)
        if self.strands is None:
            return Unknowns(nodes, np.zeros(0))
        points, twists = self.strands.velocities(unknowns[self.body_count :])
        return Unknowns(np.concatenate([points, nodes]), twists)

    @property
    def rates(self) -> sparse.csr_array | None:
        """Angular velocities of the nodes' bodies by the unknowns (3 n, u) [1/m]; None if no body is rigid."""
        if self.rigid is None or self.strands is None:
            return None if self.rigid is None else self.rigid.rates
        of_strands = sparse.csr_array((AXES * self.strands.point_count, self.strands.count))
        return sparse.csr_array(sparse.block_array([[None, of_strands], [self.rigid.rates, None]]))

    def contacts_of(self, contacts: NodalContacts) -> NodalContacts:
        """The same contacts for the unknowns of strands, which are changes: what they change is given with the rest."""
        if self.strands is None:
            return contacts
        at = np.zeros((self.rows.stop, AXES))
        at[self.strands.rows] = self.strands.at.nodes
        return contacts._replace(velocities=contacts.velocities + velocities_at(contacts, at))


def _strands(system):
    """Imported when there are some: compiling their kernels takes a while."""
    if system.strands is None:
        return None
    from .strand_unknowns import StrandUnknowns

    return StrandUnknowns(system.strands)


def _rigid(model, body_node_count):
    """Numbered from the first node of bodies."""
    if model.rigid is None:
        return None
    nodes = model.rigid.nodes - np.int32(model.body_nodes.start)
    return RigidUnknowns(model.rigid._replace(nodes=nodes), body_node_count)
