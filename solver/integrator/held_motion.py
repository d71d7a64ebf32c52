"""The last resort against crossing: what would still cross moves along with what it would cross.

First each hit is pushed, as if it stuck (`pushed_pairs.py`). What goes on crossing is joined [Bridson et al. 2002,
section 7.5]: nodes that hit each other form groups. In a group they keep a share of their motion against its own, which
is the rigid motion nearest to theirs, or to that of the colliders and pins they hit: with no share left the group moves
as one, and nothing in it comes nearer. In shots whole grooms are swung about; to hold nodes back against the world
would throw them in the way of all others. What then crosses because of that joins in the next round.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ..collision.step_check import FirstContacts
from ..collision.surface import CollisionSurface
from .pushed_pairs import PushedPairs, collider_points, touched_nodes
from .rigid_motion import nearest_rigid_motions, rigidly_moved, weighted_means

ROUNDS = 80
PATIENCE = 5  # rounds of pushes without fewer hits, or much later ones, before groups are formed
LATER = 1.2  # times the time of the earliest hit so far
SAFE = 0.8  # of the way to the hit
STILL = 1e-3  # a share of the motion below this becomes none
NO_NUMBERS = np.empty(0, np.int64)
FIRM = 1e12  # times the mass of the free nodes: what is given counts alone for a group's motion, as far as it tells


class Moving(NamedTuple):
    """Nodes or points, and where they would go."""

    starts: np.ndarray  # (n, 3) [m]
    motion: np.ndarray  # (n, 3) [m]


class HeldMotion:
    """The motion (n, 3) [m] of the nodes, of which more and more is held."""

    def __init__(
        self, surface: CollisionSurface, masses: np.ndarray, is_free: np.ndarray, nodes: Moving, points: Moving
    ):
        """Of nodes with masses (n,) [kg] that are free or not (n,) bool; of points those of colliders count."""
        self.surface, self.masses, self.is_free, self.wanted, self.points = surface, masses, is_free, nodes, points
        self.pairs = PushedPairs(surface, masses, is_free.copy(), points.motion)
        self.motion = nodes.motion.copy()
        self.shares = np.ones(len(masses))
        self.groups, self.is_pushed = np.full(len(masses), -1), np.zeros(len(masses), bool)
        self.forced = 0  # pairs that cross nevertheless
        self.hit_count = 0
        self.rows, self.nodes = NO_NUMBERS, NO_NUMBERS  # hits so far, and free nodes that they touch
        self.given_rows, self.given = (
            NO_NUMBERS,
            Moving(np.empty((0, 3)), np.empty((0, 3))),
        )  # the same, given

    @property
    def held_count(self) -> int:
        return int(np.count_nonzero(self.is_pushed | (self.groups >= 0)))

    def hold(self, hits_of: Callable[[np.ndarray], FirstContacts], most: float = np.inf) -> None:
        """Until nothing crosses, or nothing can give way any more; `hits_of` checks a motion (n, 3) [m].

        It is given up when more than so many nodes would have to be held.
        """
        pushes = _Progress()
        for _ in range(ROUNDS):
            hits = hits_of(self.motion)
            self.forced = len(hits.contact_times)
            if not self.forced or self.held_count > most:
                return
            if pushes.help(self.forced, hits.earliest):
                self._push(hits.contacts, SAFE * hits.contact_times)
            elif self._take_in(hits.contacts, SAFE * hits.contact_times):
                self._move()
                pushes = _Progress()  # what groups run into gives way first, and joins them only if that does not help
            else:
                return
        self.forced = len(hits_of(self.motion).contact_times)

    def _push(self, contacts, shares):
        self.is_pushed[self.pairs.push(contacts, shares, self.motion)] = True
        self.wanted = Moving(self.wanted.starts, self.motion.copy())

    def _take_in(self, contacts, shares):
        """Whether anything can give way: it has a share left, or is not in one group yet.

        Of their motion against the group, what hits keeps these shares (m,) of what it had.
        """
        rows, nodes, _ = touched_nodes(contacts, self.surface)
        is_free = self.is_free[nodes]
        if not self._can_give(rows[is_free], nodes[is_free], len(shares)):
            return False
        allowed = np.ones(len(self.shares))
        np.minimum.at(allowed, nodes[is_free], shares[rows[is_free]])
        self.shares *= allowed
        self.shares[self.shares < STILL] = 0.0
        self.rows = np.concatenate([self.rows, self.hit_count + rows[is_free]])
        self.nodes = np.concatenate([self.nodes, nodes[is_free]])
        self._add_given(rows[~is_free], _rows_of(self.wanted, nodes[~is_free]))
        hits, points, _ = collider_points(contacts, self.surface)
        self._add_given(hits, _rows_of(self.points, points))
        self.hit_count += len(shares)
        return True

    def _can_give(self, rows, nodes, count):
        lowest, highest = np.full(count, len(self.groups)), np.full(count, -2)
        np.minimum.at(lowest, rows, self.groups[nodes])
        np.maximum.at(highest, rows, self.groups[nodes])
        return (self.shares[nodes] > 0.0).any() or (lowest < highest).any()

    def _add_given(self, rows, given):
        self.given_rows = np.concatenate([self.given_rows, self.hit_count + rows])
        self.given = Moving(*(np.concatenate(both) for both in zip(self.given, given)))

    def _move(self):
        """Each group's nodes by its own motion and a share of what they wanted against it."""
        members, place = np.unique(self.nodes, return_inverse=True)
        size = len(members) + self.hit_count
        links = coo_array((np.ones(len(place)), (place, len(members) + self.rows)), shape=(size, size))
        _, labels = connected_components(links, directed=False)
        own, of_given = labels[: len(members)], labels[len(members) :][self.given_rows]
        free, masses = _rows_of(self.wanted, members), self.masses[members]
        firmness = FIRM * np.bincount(own, masses, size)[of_given]
        rigid = nearest_rigid_motions(
            *(np.concatenate([own, of_given]), np.concatenate([masses, firmness]), size),
            *(np.concatenate(both) for both in zip(free, self.given)),
        )
        common = rigidly_moved(rigid, own, free.starts)
        held = common + self.shares[members, None] * (free.motion - common)
        is_anchored = np.bincount(of_given, minlength=size) > 0
        lost = weighted_means(own, masses, size, free.motion - held)  # shares differ, and momentum is to be kept
        self.groups[members] = own
        self.pairs.is_free[members] = False
        self.motion[members] = held + np.where(is_anchored[:, None], 0.0, lost)[own]


class _Progress:
    """Whether pushes lead anywhere; once they do not, they are given up."""

    def __init__(self):
        self.fewest, self.latest, self.patience = np.inf, 0.0, PATIENCE

    def help(self, count: int, earliest: float) -> bool:
        """After a push that has left so many hits, the earliest of them at this share of the way."""
        if self.patience and (count < self.fewest or earliest > LATER * self.latest):
            self.patience = PATIENCE
            self.fewest, self.latest = min(count, self.fewest), max(earliest, self.latest)
        self.patience = max(self.patience - 1, 0)
        return self.patience > 0


def _rows_of(moving, rows):
    return Moving(*(values[rows] for values in moving))
