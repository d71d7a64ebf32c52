"""Contacts between points of the surface as contacts between nodes (docs/theory/friction.md, 1).

Points are weighted sums of nodes. Nodes whose motion is given, and colliders' points, go into the given velocity k.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int32, prange

from ..collision.proximity import CONTACTS, SurfaceContacts
from ..collision.surface import POINT_NODES, PointNodes
from ..jit_cache import compiled, kernel, tuple_of
from .contact_hold import ContactHold
from .nodal_contacts import NodalContacts

OPENING_TIME = 0.1  # that overlaps of the start take to open by a thickness, at least [s]
MOST_NODES = 64  # of a contact: four points of sixteen nodes
LEVER = 0.1  # weight of the freest node of a contact, below which it is hardly its to obey
CHUNK = 256  # contacts that share room for their nodes


class GivenMotion(NamedTuple):
    """What is known of a step before it is solved."""

    is_free: np.ndarray  # nodes that are not given               (n,) bool
    node_velocities: np.ndarray  # of all nodes; used where given  (n, 3) [m/s]
    point_velocities: np.ndarray  # of all points; used where they have no nodes  (p, 3) [m/s]


GIVEN_TYPES = tuple_of(GivenMotion, boolean[::1], float64[:, ::1], float64[:, ::1])


def nodal_contacts(
    contacts: SurfaceContacts,
    hold: ContactHold,
    are_near: bool,
    point_nodes: PointNodes,
    given: GivenMotion,
    time_step: float,
) -> NodalContacts:
    """For a step of this length [s] from where the contacts' distances were measured.

    They are near at the start, or would meet in the step. A force acts for the whole step: a compliance c [m/N] gives
    way by c F = c r/Δt in it, at the speed c r/Δt².
    """
    count = len(contacts.kinds)
    counts = np.empty(count, np.int32)
    count_nodes(contacts, point_nodes, given.is_free, counts)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    nodes, weights = np.empty(offsets[-1], np.int32), np.empty(offsets[-1])
    speeds, opening = _gap_speeds(contacts, hold, are_near, time_step)
    velocities = speeds[:, None] * contacts.normals
    put_nodes(contacts, point_nodes, given, offsets, nodes, weights, velocities, opening)
    return NodalContacts(
        *(offsets, nodes, weights, contacts.normals, velocities, hold.friction),
        cohesion=hold.cohesion * time_step,
        compliance=hold.compliance / time_step**2,
        opening=opening,
        **hold.ellipsoids._asdict(),
    )


def _gap_speeds(contacts, hold, are_near, time_step):
    """gap/Δt (m,) along the normals, and how fast overlaps of the start open (m,).

    What overlaps at the start opens slowly, or it would fly apart; unless the contact is compliant, which is pressed
    together as long as it bears something. What meets later does not overlap: along the normal of the meeting the start
    may be on the other side, and the step must make up for that. What rebounds does so from where it is.
    """
    speeds = (contacts.distances - contacts.separations) / time_step
    if are_near:
        slowly = np.maximum(speeds, -contacts.separations / OPENING_TIME)
        speeds = np.where(hold.compliance > 0.0, speeds, slowly)
    is_rebounding = hold.rebound < 0.0
    is_opening = are_near & (hold.compliance == 0.0) & ~is_rebounding
    opening = np.where(is_opening, np.maximum(-speeds, 0.0), 0.0)
    return np.where(is_rebounding, hold.rebound, speeds), opening


@kernel((CONTACTS, POINT_NODES, boolean[::1], int32[::1]), parallel=True)
def count_nodes(contacts, point_nodes, is_free, counts_out):
    for chunk in prange(-(-len(contacts.kinds) // CHUNK)):
        nodes, weights = np.empty(MOST_NODES, np.int32), np.empty(MOST_NODES)
        for contact in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(contacts.kinds))):
            counts_out[contact] = _gather(contacts, point_nodes, is_free, contact, nodes, weights)


@kernel(
    (CONTACTS, POINT_NODES, GIVEN_TYPES, int32[::1], int32[::1], float64[::1], float64[:, ::1], float64[::1]),
    parallel=True,
)
def put_nodes(contacts, point_nodes, given, offsets, nodes_out, weights_out, velocities_out, opening_out):
    for chunk in prange(-(-len(contacts.kinds) // CHUNK)):
        nodes, weights = np.empty(MOST_NODES, np.int32), np.empty(MOST_NODES)
        for contact in range(CHUNK * chunk, min(CHUNK * (chunk + 1), len(contacts.kinds))):
            count = _gather(contacts, point_nodes, given.is_free, contact, nodes, weights)
            for place in range(count):
                nodes_out[offsets[contact] + place] = nodes[place]
                weights_out[offsets[contact] + place] = weights[place]
            _add_given(contacts, point_nodes, given, contact, velocities_out)
            _shorten_lever(weights, count, contact, velocities_out, opening_out)


@compiled
def _shorten_lever(weights, count, contact, velocities_out, opening_out):
    """Of a contact beside what is held, only a part of the way is asked: its one free node would have to fly off."""
    largest = 0.0
    for place in range(count):
        largest = max(largest, abs(weights[place]))
    if 0.0 < largest < LEVER:
        opening_out[contact] *= largest / LEVER
        for axis in range(3):
            velocities_out[contact, axis] *= largest / LEVER


@compiled
def _gather(contacts, point_nodes, is_free, contact, nodes_out, weights_out):
    """Free nodes of a contact, each once, with their weights; returns how many. A node that cancels out is left out."""
    count = 0
    for corner in range(4):
        share, point = contacts.weights[contact, corner], contacts.points[contact, corner]
        if share == 0.0:
            continue
        for place in range(point_nodes.offsets[point], point_nodes.offsets[point + 1]):
            node, weight = point_nodes.nodes[place], share * point_nodes.weights[place]
            if is_free[node] and weight != 0.0 and count < MOST_NODES:
                count = _add(node, weight, count, nodes_out, weights_out)
    return count


@compiled
def _add(node, weight, count, nodes_out, weights_out):
    for other in range(count):
        if nodes_out[other] == node:
            weights_out[other] += weight
            return count
    nodes_out[count], weights_out[count] = node, weight
    return count + 1


@compiled
def _add_given(contacts, point_nodes, given, contact, velocities_out):
    for corner in range(4):
        share, point = contacts.weights[contact, corner], contacts.points[contact, corner]
        first, end = point_nodes.offsets[point], point_nodes.offsets[point + 1]
        for axis in range(3):
            if first == end:
                velocities_out[contact, axis] += share * given.point_velocities[point, axis]
            for place in range(first, end):
                node = point_nodes.nodes[place]
                if not given.is_free[node]:
                    speed = given.node_velocities[node, axis]
                    velocities_out[contact, axis] += share * point_nodes.weights[place] * speed
