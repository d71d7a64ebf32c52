"""The contacts of one step: those near at its start, and what the continuous check adds."""

import numpy as np

from ..collision.candidates import StepCandidates
from ..collision.proximity import SurfaceContacts, touching
from ..collision.step_check import FirstContacts, StepCheck
from ..collision.surface import CollisionSurface
from ..contact.from_surface import GivenMotion, nodal_contacts
from ..contact.nodal_contacts import NodalContacts
from .tangles import Tangles

CORE = 0.1  # of the thickness, which nothing may enter
# Contacts of the same features are the same if they point alike, at the same place: what slides past each other needs
# one where it is met first and one where it arrives.
SAME_DIRECTION = 0.999  # cosine
SAME_PLACE = 0.03  # difference of the weights


class ContactSet:
    """Grows during a step; what is in it keeps its number."""

    def __init__(
        self,
        surface: CollisionSurface,
        candidates: StepCandidates,
        tangles: Tangles,
        starts: np.ndarray,
        given: GivenMotion,
        time_step: float,
        pair_friction: np.ndarray,
        reach: float,
    ):
        """Points start at `starts` (p, 3) [m]; `pair_friction` (o, o) is not a number where objects have their own."""
        self.surface, self.candidates, self.tangles, self.starts = surface, candidates, tangles, starts
        tangles.release(candidates)
        self.check = StepCheck(surface, candidates, starts)
        self.given, self.time_step, self.pair_friction = given, time_step, pair_friction
        self.contacts = self._with_pair_friction(touching(surface, candidates, starts, reach))
        self.start_count = len(self.contacts.kinds)

    def nodal(self) -> NodalContacts:
        return nodal_contacts(self.contacts, self.start_count, self.surface.nodes, self.given, self.time_step)

    def approaching(self, ends: np.ndarray) -> FirstContacts:
        """What would come nearer than its thickness on the way to `ends` (p, 3) [m]."""
        self._extend(ends)
        return self.check.first_contacts(ends)

    def crossing(self, ends: np.ndarray) -> FirstContacts:
        """What would come so near that it might as well cross.

        Contacts are linear, and solved to a tolerance: to insist on all of the thickness would never end.
        """
        self._extend(ends)
        return self.check.first_contacts(ends, CORE)

    def add(self, hits: SurfaceContacts) -> int:
        """Take in what is new; returns how many."""
        new = self._with_pair_friction(hits.kept(~self._is_known(hits)))
        joined = (np.concatenate(pair) for pair in zip(self.contacts, new, strict=True))
        self.contacts = SurfaceContacts(*(np.ascontiguousarray(array) for array in joined))
        return len(new.kinds)

    def _extend(self, ends):
        if self.candidates.extend(ends) and self.tangles.count:
            self.tangles.release(self.candidates)
            self.check.forget()

    def _is_known(self, hits):
        """Whether the same features are in contact already, and alike."""
        own, new = _keys(self.contacts), _keys(hits)
        order = np.argsort(own, kind="stable")
        is_known = np.zeros(len(new), bool)
        first, end = np.searchsorted(own[order], new, "left"), np.searchsorted(own[order], new, "right")
        for offset in range(int((end - first).max(initial=0))):
            has = first + offset < end
            other = order[np.minimum(first + offset, len(order) - 1)]
            alike = (self.contacts.normals[other] * hits.normals).sum(axis=1) > SAME_DIRECTION
            near = np.abs(self.contacts.weights[other] - hits.weights).max(axis=1) < SAME_PLACE
            is_known |= has & alike & near
        return is_known

    def _with_pair_friction(self, contacts):
        if not np.isfinite(self.pair_friction).any() or not len(contacts.kinds):
            return contacts
        objects = self.surface.points.objects
        rows = np.arange(len(contacts.kinds))
        sides = (contacts.points[rows, side(contacts.weights, axis=1)] for side in (np.argmax, np.argmin))
        set_for_pair = self.pair_friction[tuple(objects[side] for side in sides)]
        friction = np.where(np.isfinite(set_for_pair), set_for_pair, contacts.friction)
        return contacts._replace(friction=friction)


def _keys(contacts):
    """A number for each pair of features (m,) uint64."""
    key = contacts.kinds.astype(np.uint64)
    for point in np.sort(contacts.points, axis=1).T:
        key = (key ^ point.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    return key
