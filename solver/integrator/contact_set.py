"""The contacts of one step: those near at its start, and what the continuous check adds."""

import numpy as np

from ..collision.candidates import StepCandidates
from ..collision.proximity import SurfaceContacts, touching
from ..collision.step_check import FirstContacts, StepCheck
from ..collision.surface import CollisionSurface
from ..contact.from_surface import GivenMotion, nodal_contacts
from ..contact.nodal_contacts import NodalContacts, joined
from .known_contacts import KnownContacts, feature_keys
from .tangles import Tangles

CORE = 0.1  # of the thickness, which nothing may enter


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
        """Contacts push the nodes of the surface's points, which start at `starts` (p, 3) [m].

        `pair_friction` (o, o) is not a number where objects have their own.
        """
        self.surface, self.candidates, self.tangles, self.starts = surface, candidates, tangles, starts
        tangles.release(candidates)
        self.check = StepCheck(surface, candidates, starts)
        self.given, self.time_step, self.pair_friction = given, time_step, pair_friction
        self.sets: list[NodalContacts] = []
        self._known: list[KnownContacts] = []
        self._take_in(touching(surface, candidates, starts, reach), are_near=True)

    @property
    def contact_count(self) -> int:
        return sum(contacts.contact_count for contacts in self.sets)

    def nodal(self) -> NodalContacts:
        """All contacts."""
        return joined(self.sets)

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

    def add(self, hits: SurfaceContacts) -> NodalContacts | None:
        """Take in what is new, and return it; None if nothing is."""
        new = hits.kept(~self._is_known(hits))
        if not len(new.kinds):
            return None
        self._take_in(new, are_near=False)
        return self.sets[-1]

    def _take_in(self, contacts, are_near):
        contacts = self._with_pair_friction(contacts)
        self.sets.append(nodal_contacts(contacts, are_near, self.surface.nodes, self.given, self.time_step))
        self._known.append(KnownContacts(contacts))

    def _is_known(self, hits):
        keys, is_known = feature_keys(hits), np.zeros(len(hits.kinds), bool)
        for known in self._known:
            is_known |= known.has(hits, keys)
        return is_known

    def _extend(self, ends):
        if self.candidates.extend(ends) and self.tangles.count:
            self.tangles.release(self.candidates)
            self.check.forget()

    def _with_pair_friction(self, contacts):
        if not np.isfinite(self.pair_friction).any() or not len(contacts.kinds):
            return contacts
        objects = self.surface.points.objects
        rows = np.arange(len(contacts.kinds))
        sides = (contacts.points[rows, side(contacts.weights, axis=1)] for side in (np.argmax, np.argmin))
        set_for_pair = self.pair_friction[tuple(objects[side] for side in sides)]
        friction = np.where(np.isfinite(set_for_pair), set_for_pair, contacts.friction)
        return contacts._replace(friction=friction)
