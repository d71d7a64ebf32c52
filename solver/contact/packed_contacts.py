"""Contacts as the projection visits them: all that a visit needs side by side in memory, in the order of the stages.

Contacts of up to four nodes, which most are, have rows of their own, where loops are unrolled; wider ones (points of
embedded surfaces) come after them. Numbers of nodes are unsigned: an index that cannot be negative is a third quicker.
"""

from typing import NamedTuple

import numpy as np
from numba import float64, int64, prange, uint8, uint32

from ..jit_cache import compiled, kernel, tuple_of
from .colouring import STAGES, stages_of
from .nodal_contacts import CONTACT_TYPES, NodalContacts

NARROW = 4  # nodes
NORMAL, GIVEN, PUSH = 0, 3, 6  # first columns of `rows`, three each
FRICTION, GIVE = 9, 10
COLUMNS = 11
SOFTEST = 1e-300  # [1/kg]; a contact of which nothing can move has no softness, and pushes nothing


class NarrowContacts(NamedTuple):
    starts: np.ndarray  # first contact of each stage, of the rest, and the end                       (STAGES + 2,)
    nodes: np.ndarray  # unused places repeat the first                                                (m, 4) uint32
    links: np.ndarray  # weights b of the nodes, then their shares γ = b / (s w) of a push            (m, 8)
    rows: np.ndarray  # normal, given velocity k, push r̄, μ, share that the contact gives             (m, 11)
    asleep: np.ndarray  # 1 where it rests: by itself, so that those that rest are passed over quickly  (m,) uint8


class WideContacts(NamedTuple):
    starts: np.ndarray  # as above
    offsets: np.ndarray  # first place of each contact in the next two, and the end                   (m + 1,) uint32
    nodes: np.ndarray  # (q,) uint32
    links: np.ndarray  # weight and share                                                             (q, 2)
    rows: np.ndarray  # as above
    asleep: np.ndarray  # as above


TABLE = float64[:, ::1]
NARROW_TYPES = tuple_of(NarrowContacts, int64[::1], uint32[:, ::1], TABLE, TABLE, uint8[::1])
WIDE_TYPES = tuple_of(WideContacts, int64[::1], uint32[::1], uint32[::1], TABLE, TABLE, uint8[::1])


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
    count, wide_count = contacts.contact_count, int(np.count_nonzero(is_wide))
    narrow_count = count - wide_count
    narrow_starts, wide_starts = (_starts(stages[part]) for part in (order[:narrow_count], order[narrow_count:]))
    offsets = np.concatenate([[0], np.cumsum(np.diff(contacts.offsets)[order[narrow_count:]])]).astype(np.uint32)
    narrow = NarrowContacts(
        *(narrow_starts, np.empty((narrow_count, NARROW), np.uint32)),
        *(np.zeros((narrow_count, 2 * NARROW)), np.zeros((narrow_count, COLUMNS)), np.zeros(narrow_count, np.uint8)),
    )
    wide = WideContacts(
        *(wide_starts, offsets, np.empty(offsets[-1], np.uint32)),
        *(np.empty((offsets[-1], 2)), np.zeros((wide_count, COLUMNS)), np.zeros(wide_count, np.uint8)),
    )
    softness = np.empty(count)
    put_packed(contacts, node_softness, order, softness, narrow, wide)
    return PackedContacts(order, softness, narrow, wide)


def _starts(stages):
    return np.searchsorted(stages, np.arange(STAGES + 2)).astype(np.int64)


@kernel((CONTACT_TYPES, float64[::1], int64[::1], float64[::1], NARROW_TYPES, WIDE_TYPES), parallel=True)
def put_packed(contacts, node_softness, order, softness_out, narrow_out, wide_out):
    # numba drops what a parallel loop writes to fields
    nodes_out, links_out, rows_out = narrow_out.nodes, narrow_out.links, narrow_out.rows
    wide_nodes_out, wide_links_out, wide_rows_out = wide_out.nodes, wide_out.links, wide_out.rows
    for place in prange(len(order)):
        contact, row = order[place], place - len(rows_out)
        softness = _softness(contacts, node_softness, contact)
        softness_out[place] = softness
        first = contacts.offsets[contact]
        count = contacts.offsets[contact + 1] - first
        if row < 0:
            _put_row(contacts, contact, softness, rows_out, place)
            for slot in range(NARROW):
                node = contacts.nodes[first + slot] if slot < count else (contacts.nodes[first] if count else 0)
                nodes_out[place, slot] = node
                if slot < count:
                    weight = contacts.weights[first + slot]
                    links_out[place, slot] = weight
                    links_out[place, NARROW + slot] = weight * node_softness[node] / softness
        else:
            _put_row(contacts, contact, softness, wide_rows_out, row)
            for slot in range(count):
                node, weight = contacts.nodes[first + slot], contacts.weights[first + slot]
                at = wide_out.offsets[row] + slot
                wide_nodes_out[at] = node
                wide_links_out[at, 0] = weight
                wide_links_out[at, 1] = weight * node_softness[node] / softness


@compiled
def _softness(contacts, node_softness, contact):
    total = contacts.compliance[contact]
    for place in range(contacts.offsets[contact], contacts.offsets[contact + 1]):
        total += contacts.weights[place] ** 2 * node_softness[contacts.nodes[place]]
    return max(total, SOFTEST)


@compiled
def _put_row(contacts, contact, softness, rows_out, row):
    for axis in range(3):
        rows_out[row, NORMAL + axis] = contacts.normals[contact, axis]
        rows_out[row, GIVEN + axis] = contacts.velocities[contact, axis]
    rows_out[row, FRICTION] = contacts.friction[contact]
    rows_out[row, GIVE] = contacts.compliance[contact] / softness
