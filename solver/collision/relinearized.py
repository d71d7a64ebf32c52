"""Contacts along the normals of where a step ends, not of where it began [Verschoor and Jalba 2019, section 3.3].

A contact holds two features apart along a normal that is constant in the step. Where they slide, turn or bend, their
true distance at the end is another one (docs/theory/conjugate_residual.md, 13).
"""

import math

import numpy as np
from numba import boolean, float64, int64, prange

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import add3, dot3, norm3, row3, scale3, sub3
from .closest_points import between, edge_edge_weights, point_edge_weight, point_triangle_weights
from .contact_features import EDGE_EDGE, POINT_EDGE, POINT_TRIANGLE
from .proximity import CONTACTS, SurfaceContacts

LEAST_COSINE = math.cos(math.radians(15.0))  # between the normals before and after
SHARES = (1.0, 0.5, 0.25, 0.125)  # of the way to the end, where normals may be taken instead
MOST_TURNS = 3  # of a contact in a step: nearest points of parallel edges jump to and fro
POSITIONS = float64[:, ::1]


def relinearized(
    contacts: SurfaceContacts,
    is_pushing: np.ndarray,
    turns: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    distance: float,
) -> tuple[SurfaceContacts, np.ndarray]:
    """Contacts as they are at ends (p, 3) [m], and which (m,) bool have changed, given where points start (p, 3).

    Those change that push (m,) or overlap at the end, and whose distance there is not what they hold by more than
    `distance` [m]; unless they did so too often in this step, `turns` (m,) times. What overlaps at the start is opened
    slowly: at the end it holds less than its separation.
    """
    after = SurfaceContacts(*(field.copy() for field in contacts))
    is_changed = np.zeros(len(contacts.kinds), bool)
    turn_contacts(contacts, is_pushing, turns, starts, ends, distance, after, is_changed)
    return after, is_changed


@kernel((CONTACTS, boolean[::1], int64[::1], POSITIONS, POSITIONS, float64, CONTACTS, boolean[::1]), parallel=True)
def turn_contacts(contacts, is_pushing, turns, starts, ends, distance, contacts_out, is_changed_out):
    for contact in prange(len(is_pushing)):
        if turns[contact] < MOST_TURNS and contacts.distances[contact] > 0.0:
            is_changed_out[contact] = _turn(
                contacts, is_pushing[contact], contact, starts, ends, distance, contacts_out
            )


@compiled
def _turn(contacts, is_pushing, contact, starts, ends, distance, contacts_out):
    """Whether a contact changed: it takes the normal and the weights of the end, or of as much of the way as it may."""
    corners, before = _row4(contacts.points, contact), row3(contacts.normals, contact)
    at = _moments(starts, ends, corners, 1.0)
    there = norm3(_offset(at, _weights(contacts.kinds[contact], at)))
    meant = dot3(before, _offset(at, _row4(contacts.weights, contact)))
    is_overlapping = there < contacts.separations[contact] - distance
    if abs(there - meant) <= distance or not (is_pushing or is_overlapping):
        return False
    for share in SHARES:
        at = _moments(starts, ends, corners, share)
        weights = _weights(contacts.kinds[contact], at)
        offset = _offset(at, weights)
        length = norm3(offset)
        if length > 0.0 and dot3(offset, before) > LEAST_COSINE * length:
            _put(scale3(1.0 / length, offset), weights, corners, starts, contact, contacts_out)
            return True
    return False


@compiled
def _put(normal, weights, corners, starts, contact, contacts_out):
    """The distance is that of the start along the new normal, so that it is the true one at the way's share."""
    offset = _offset(_moments(starts, starts, corners, 0.0), weights)
    contacts_out.distances[contact] = dot3(normal, offset)
    for axis in range(3):
        contacts_out.normals[contact, axis] = normal[axis]
    for place in range(4):
        contacts_out.weights[contact, place] = weights[place]


@compiled
def _row4(rows, row):
    return rows[row, 0], rows[row, 1], rows[row, 2], rows[row, 3]


@compiled
def _weights(kind, at):
    """Of the nearest points of two features whose corners are at four places; A, with positive ones, comes first."""
    if kind == POINT_TRIANGLE:
        u, v, w = point_triangle_weights(at[0], at[1], at[2], at[3])
        return 1.0, -u, -v, -w
    if kind == EDGE_EDGE:
        s, t = edge_edge_weights(at[0], at[1], at[2], at[3])
        return 1.0 - s, s, t - 1.0, -t
    if kind == POINT_EDGE:
        t = point_edge_weight(at[0], at[1], at[2])
        return 1.0, t - 1.0, -t, 0.0
    return 1.0, -1.0, 0.0, 0.0


@compiled
def _offset(at, weights):
    """The sum of four weighted places; weights of one side are positive, of the other negative, and all cancel."""
    total = scale3(weights[1], sub3(at[1], at[0]))
    total = add3(total, scale3(weights[2], sub3(at[2], at[0])))
    return add3(total, scale3(weights[3], sub3(at[3], at[0])))


@compiled
def _moments(starts, ends, corners, time):
    """Where four points are at a share of the way."""
    return (
        between(row3(starts, corners[0]), row3(ends, corners[0]), time),
        between(row3(starts, corners[1]), row3(ends, corners[1]), time),
        between(row3(starts, corners[2]), row3(ends, corners[2]), time),
        between(row3(starts, corners[3]), row3(ends, corners[3]), time),
    )
