"""Contacts as the projection visits them: all that a visit needs side by side in memory, in the order of the stages.

Contacts of up to four nodes, which most are, have rows of their own, where loops are unrolled; wider ones (points of
embedded surfaces) come after them. Numbers of nodes are unsigned: an index that cannot be negative is a third quicker.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int64, uint32

from ..jit_cache import tuple_of
from .colouring import STAGES, stages_of
from .nodal_contacts import NodalContacts, select_contacts

NARROW = 4  # nodes
NORMAL, GIVEN, PUSH = 0, 3, 6  # first columns of `rows`, three each
FRICTION, GIVE, ASLEEP = 9, 10, 11
COLUMNS = 12


class NarrowContacts(NamedTuple):
    starts: np.ndarray  # first contact of each stage, of the rest, and the end                       (STAGES + 2,)
    nodes: np.ndarray  # unused places repeat the first                                                (m, 4) uint32
    links: np.ndarray  # weights b of the nodes, then their shares γ = b / (s w) of a push            (m, 8)
    rows: np.ndarray  # normal, given velocity k, push r̄, μ, share that the contact gives, 1 asleep   (m, 12)


class WideContacts(NamedTuple):
    starts: np.ndarray  # as above
    offsets: np.ndarray  # first place of each contact in the next two, and the end                   (m + 1,) uint32
    nodes: np.ndarray  # (q,) uint32
    links: np.ndarray  # weight and share                                                             (q, 2)
    rows: np.ndarray  # as above


NARROW_TYPES = tuple_of(NarrowContacts, int64[::1], uint32[:, ::1], float64[:, ::1], float64[:, ::1])
WIDE_TYPES = tuple_of(WideContacts, int64[::1], uint32[::1], uint32[::1], float64[:, ::1], float64[:, ::1])


class PackedContacts(NamedTuple):
    order: np.ndarray  # which contact each is: the narrow ones, then the wide ones    (m,)
    softness: np.ndarray  # s = Σ b²/w and the contact's compliance, in this order     (m,) [1/kg]
    narrow: NarrowContacts
    wide: WideContacts

    def in_order_of_contacts(self, values: np.ndarray) -> np.ndarray:
        """Values (m, …) of the packed contacts as those of the contacts they were made of."""
        ordered = np.empty_like(values)
        ordered[self.order] = values
        return ordered


def pack(contacts: NodalContacts, node_softness: np.ndarray) -> PackedContacts:
    """For nodes that give way by their softness 1/w (n,) [1/kg]."""
    stages = stages_of(contacts.offsets, contacts.nodes, len(node_softness))
    is_wide = np.diff(contacts.offsets) > NARROW
    order = np.lexsort([stages, is_wide])
    chosen = select_contacts(contacts, order)
    softness, shares = _softness(chosen, node_softness)
    narrow_count = int(np.count_nonzero(~is_wide))
    rows = _rows(chosen, softness)
    links = np.column_stack([chosen.weights, shares])
    return PackedContacts(
        *(order, softness),
        _narrow(chosen, _starts(stages[order[:narrow_count]]), links, rows[:narrow_count]),
        _wide(chosen, _starts(stages[order[narrow_count:]]), links, rows[narrow_count:]),
    )


def _softness(contacts, node_softness):
    counts = np.diff(contacts.offsets)
    contact_of = np.repeat(np.arange(contacts.contact_count), counts)
    give = contacts.weights * node_softness[contacts.nodes]
    softness = contacts.compliance + np.bincount(contact_of, contacts.weights * give, minlength=contacts.contact_count)
    return softness, give / softness[contact_of]


def _rows(contacts, softness):
    rows = np.zeros((contacts.contact_count, COLUMNS))
    rows[:, NORMAL : NORMAL + 3] = contacts.normals
    rows[:, GIVEN : GIVEN + 3] = contacts.velocities
    rows[:, FRICTION] = contacts.friction
    rows[:, GIVE] = contacts.compliance / softness
    return rows


def _starts(stages):
    return np.searchsorted(stages, np.arange(STAGES + 2)).astype(np.int64)


def _narrow(contacts, starts, links, rows):
    count = len(rows)
    counts = np.diff(contacts.offsets[: count + 1])
    first = contacts.offsets[:count]
    nodes = np.repeat(contacts.nodes[np.minimum(first, max(len(contacts.nodes) - 1, 0))][:, None], NARROW, axis=1)
    padded = np.zeros((count, 2, NARROW))
    for place in range(NARROW):
        has = counts > place
        at = first[has] + place
        nodes[has, place] = contacts.nodes[at]
        padded[has, :, place] = links[at]
    return NarrowContacts(
        starts, nodes.astype(np.uint32), padded.reshape(count, 2 * NARROW), np.ascontiguousarray(rows)
    )


def _wide(contacts, starts, links, rows):
    first = contacts.contact_count - len(rows)
    begin = contacts.offsets[first]
    offsets = (contacts.offsets[first:] - begin).astype(np.uint32)
    return WideContacts(
        *(starts, offsets, contacts.nodes[begin:].astype(np.uint32)),
        *(np.ascontiguousarray(links[begin:]), np.ascontiguousarray(rows)),
    )
