"""The last resort against crossing: what would still cross goes only part of its way.

Each node goes as far as its own earliest hit lets it; what then crosses because of that is held back in the next round.
"""

from collections.abc import Callable

import numpy as np

from ..collision.step_check import FirstContacts
from ..collision.surface import CollisionSurface

ROUNDS = 30
SAFE = 0.8  # of the way to the hit
STILL = 1e-3  # a share of the motion below this becomes none


def held_shares(
    surface: CollisionSurface,
    is_free: np.ndarray,
    hits_of: Callable[[np.ndarray], FirstContacts],
) -> tuple[np.ndarray, int]:
    """Shares (n,) of the nodes' motion that cross nothing, and how many pairs cross nevertheless.

    `hits_of` checks the step for given shares. Pairs whose nodes all stand still cross because of what is given.
    """
    shares = np.ones(len(is_free))
    forced = 0
    for _ in range(ROUNDS):
        hits = hits_of(shares)
        if not len(hits.contact_times):
            return shares, 0
        contacts = hits.contacts
        rows, nodes = _touched(contacts.points, contacts.weights, surface)
        can_give = is_free[nodes] & (shares[nodes] > 0.0)
        forced = len(contacts.kinds) - len(np.unique(rows[can_give]))
        if not can_give.any():
            break
        allowed = np.ones(len(is_free))
        np.minimum.at(allowed, nodes[can_give], SAFE * hits.contact_times[rows[can_give]])
        shares *= allowed
        shares[shares < STILL] = 0.0
    return shares, forced


def _touched(points, weights, surface):
    """Pairs of a contact and a node that it touches."""
    contact, corner = np.nonzero(weights)
    point = points[contact, corner]
    first, end = surface.nodes.offsets[point], surface.nodes.offsets[point + 1]
    counts = end - first
    places = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
    return np.repeat(contact, counts), surface.nodes.nodes[places]
