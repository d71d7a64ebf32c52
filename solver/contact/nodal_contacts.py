"""Contacts between points that are weighted sums of nodes, in world axes (docs/theory/friction.md, 1)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import float64, int32

from ..jit_cache import tuple_of
from .contact_ellipsoids import NO_ELLIPSOIDS


class NodalContacts(NamedTuple):
    """The relative velocity of a contact is u = Σ b v + k; its impulse r acts on each node with b r."""

    offsets: np.ndarray  # first place of each contact in the next two, and the end           (m + 1,) int32
    nodes: np.ndarray  # that the contact touches; none twice                                 (q,) int32
    weights: np.ndarray  # b of these nodes; body A positive, B negative                      (q,)
    normals: np.ndarray  # from B to A                                                        (m, 3)
    velocities: np.ndarray  # k: what is given of the relative velocity, and gap/Δt along the normal  (m, 3) [m/s]
    friction: np.ndarray  # coefficient μ                                                     (m,)
    cohesion: np.ndarray  # impulse that holds the two together                               (m,) [N s]
    compliance: np.ndarray  # of the contact itself: it gives way by this for an impulse      (m,) [1/kg]
    opening: np.ndarray = np.zeros(0)  # part of −k along the normal: what overlaps comes apart so fast  (m,) [m/s]
    # Ellipsoids instead of cones of friction, for the method that has them: fields of `ContactEllipsoids`.
    tangents: np.ndarray = NO_ELLIPSOIDS.tangents
    axes: np.ndarray = NO_ELLIPSOIDS.axes
    turning: np.ndarray = NO_ELLIPSOIDS.turning

    @property
    def contact_count(self) -> int:
        return len(self.friction)


CONTACT_TYPES = tuple_of(
    NodalContacts,
    *(int32[::1], int32[::1], float64[::1], float64[:, ::1], float64[:, ::1]),
    *(float64[::1], float64[::1], float64[::1], float64[::1]),
    *(float64[:, ::1], float64[:, ::1], float64[::1]),
)


def joined(parts: Sequence[NodalContacts]) -> NodalContacts:
    """All contacts of some sets, one after the other."""
    if len(parts) == 1:
        return parts[0]
    firsts = np.cumsum([0, *(len(part.nodes) for part in parts)], dtype=np.int32)
    offsets = [part.offsets[:-1] + first for part, first in zip(parts, firsts)]
    others = (np.concatenate(values) for values in zip(*(part[1:] for part in parts), strict=True))
    return NodalContacts(np.concatenate([*offsets, firsts[-1:]]), *others)


def impulses_on_nodes(contacts: NodalContacts, impulses: np.ndarray, node_count: int) -> np.ndarray:
    """What impulses (m, 3) [N s] of contacts, in world axes, do to the nodes (n, 3)."""
    shares = contacts.weights[:, None] * impulses[_contact_of(contacts)]
    return np.stack([np.bincount(contacts.nodes, share, node_count) for share in shares.T], axis=1)


def velocities_at(contacts: NodalContacts, velocities: np.ndarray) -> np.ndarray:
    """Σ b v of each contact (m, 3) [m/s], of velocities of the nodes (n, 3)."""
    shares, contact_of = contacts.weights[:, None] * velocities[contacts.nodes], _contact_of(contacts)
    return np.stack([np.bincount(contact_of, share, contacts.contact_count) for share in shares.T], axis=1)


def _contact_of(contacts):
    return np.repeat(np.arange(contacts.contact_count), np.diff(contacts.offsets))
