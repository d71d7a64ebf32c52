"""Contacts between points that are weighted sums of nodes, in world axes (docs/theory/friction.md, 1)."""

from typing import NamedTuple

import numpy as np
from numba import float64, int32

from ..jit_cache import tuple_of


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

    @property
    def contact_count(self) -> int:
        return len(self.friction)


CONTACT_TYPES = tuple_of(
    NodalContacts,
    *(int32[::1], int32[::1], float64[::1], float64[:, ::1], float64[:, ::1]),
    *(float64[::1], float64[::1], float64[::1]),
)


def no_contacts() -> NodalContacts:
    vectors, numbers = np.zeros((0, 3)), np.zeros(0)
    return NodalContacts(
        *(np.zeros(1, np.int32), np.zeros(0, np.int32), numbers, vectors, vectors.copy()),
        *(numbers.copy(), numbers.copy(), numbers.copy()),
    )


def join_contacts(first: NodalContacts, second: NodalContacts) -> NodalContacts:
    """Those of the first, then those of the second."""
    offsets = np.concatenate([first.offsets, first.offsets[-1] + second.offsets[1:]]).astype(np.int32)
    pairs = zip(first[1:], second[1:], strict=True)
    return NodalContacts(offsets, *(np.ascontiguousarray(np.concatenate(pair)) for pair in pairs))


def select_contacts(contacts: NodalContacts, chosen: np.ndarray) -> NodalContacts:
    """Those with the numbers `chosen` (c,), in that order."""
    counts = np.diff(contacts.offsets)[chosen]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    places = np.repeat(contacts.offsets[:-1][chosen] - offsets[:-1], counts) + np.arange(offsets[-1])
    return NodalContacts(
        *(offsets, contacts.nodes[places], contacts.weights[places]),
        *(np.ascontiguousarray(values[chosen]) for values in contacts[3:]),
    )
