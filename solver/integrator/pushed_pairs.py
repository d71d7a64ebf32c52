"""Pairs that would cross, pushed as if they stuck, without driving those together that were pushed before.

Of the way that its two sides go against each other, each pair that hits is left a share. What is pushed out of one
pair's way may come into another's, so that none is forgotten: a pair of before may come as near as it was left, but no
nearer. The pushes of all are repeated, as in Gauss-Seidel's method.
"""

from typing import NamedTuple

import numpy as np

from ..collision.proximity import SurfaceContacts
from ..collision.surface import CollisionSurface
from .rigid_motion import TINY

SWEEPS = 20


class _Pairs(NamedTuple):
    points: np.ndarray  # (m, 4)
    weights: np.ndarray  # (m, 4)
    normals: np.ndarray  # from B to A                                      (m, 3)
    ways: np.ndarray  # that the sides are left to go against each other    (m, 3) [m]


class PushedPairs:
    """Of the nodes of a surface with masses (n,) [kg] that are free or not (n,) bool."""

    def __init__(self, surface: CollisionSurface, masses: np.ndarray, is_free: np.ndarray, given_motion: np.ndarray):
        """Points of colliders have a given motion, a row of (p, 3) [m]."""
        self.surface, self.masses, self.is_free, self.given_motion = surface, masses, is_free, given_motion
        self.pairs = _Pairs(np.empty((0, 4), np.int32), np.empty((0, 4)), np.empty((0, 3)), np.empty((0, 3)))

    def push(self, contacts: SurfaceContacts, shares: np.ndarray, motion_out: np.ndarray) -> np.ndarray:
        """Leave these shares (m,) of their ways to pairs that hit; in the motion (n, 3).

        Returns the nodes that were pushed. Of a pair that is met again only the new way counts.
        """
        ways = shares[:, None] * self._against_each_other(contacts, motion_out)
        hits_now = self._put(_Pairs(contacts.points, contacts.weights, contacts.normals, ways))
        rows, nodes, weights = touched_nodes(self.pairs, self.surface)
        rows, nodes, weights = (values[self.is_free[nodes]] for values in (rows, nodes, weights))
        softness = np.bincount(rows, weights**2 / self.masses[nodes], len(self.pairs.ways))
        turns = np.ones(len(softness))  # pairs that share nodes push but a part of it each
        np.maximum.at(turns, rows, np.bincount(nodes)[nodes].astype(float))
        gains = (weights / self.masses[nodes])[:, None]
        for _ in range(SWEEPS):
            missing = self._missing(hits_now, motion_out)
            push = missing / np.maximum(softness * turns, TINY)[:, None]
            np.add.at(motion_out, nodes, gains * push[rows])
        return nodes

    def _put(self, new):
        """The last of each pair is kept; returns which are new (m,) bool."""
        joined = _Pairs(*(np.concatenate(both) for both in zip(new, self.pairs)))
        _, first = np.unique(joined.points, axis=0, return_index=True)
        kept = np.sort(first)
        self.pairs = _Pairs(*(values[kept] for values in joined))
        return kept < len(new.points)

    def _missing(self, hits_now, motion):
        """What pairs lack of the way that they are left (m, 3) [m]: those of before only where they come too near."""
        missing = self.pairs.ways - self._against_each_other(self.pairs, motion)
        along = np.maximum(np.einsum("mx,mx->m", missing, self.pairs.normals), 0.0)
        return np.where(hits_now[:, None], missing, along[:, None] * self.pairs.normals)

    def _against_each_other(self, pairs, motion):
        """The way of A against B (m, 3) [m]."""
        rows, nodes, weights = touched_nodes(pairs, self.surface)
        ways = _sums(rows, weights[:, None] * motion[nodes], len(pairs.points))
        rows, points, weights = collider_points(pairs, self.surface)
        return ways + _sums(rows, weights[:, None] * self.given_motion[points], len(pairs.points))


def touched_nodes(contacts, surface: CollisionSurface):
    """Pairs of a contact and a node that it touches, and the node's weight."""
    contact, corner = np.nonzero(contacts.weights)
    point = contacts.points[contact, corner]
    first, end = surface.nodes.offsets[point], surface.nodes.offsets[point + 1]
    counts = end - first
    places = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) + np.arange(counts.sum())
    weights = np.repeat(contacts.weights[contact, corner], counts) * surface.nodes.weights[places]
    return np.repeat(contact, counts), surface.nodes.nodes[places], weights


def collider_points(contacts, surface: CollisionSurface):
    """Pairs of a contact and a point of a collider in it, and the point's weight."""
    has_nodes = np.diff(surface.nodes.offsets) > 0
    contact, corner = np.nonzero((contacts.weights != 0.0) & ~has_nodes[contacts.points])
    return contact, contacts.points[contact, corner], contacts.weights[contact, corner]


def _sums(rows, vectors, count):
    return np.stack([np.bincount(rows, vectors[:, axis], count) for axis in range(3)], axis=1)
