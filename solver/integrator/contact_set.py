"""The contacts of one step: those near at its start, and what the continuous check adds."""

from typing import NamedTuple

import numpy as np

from ..collision.candidates import StepCandidates
from ..collision.proximity import SurfaceContacts, touching
from ..collision.scene_friction import SceneFriction
from ..collision.step_check import FirstContacts, StepCheck
from ..collision.surface import NOTHING, CollisionSurface
from ..collision.surface_parts import sum_nodes
from ..contact.contact_hold import ContactHold
from ..contact.from_surface import GivenMotion, nodal_contacts
from ..contact.nodal_contacts import NodalContacts, joined
from .known_contacts import KnownContacts, feature_keys
from .tangles import Tangles

ROOM = 2.0  # of the reach: boxes that points leave are made so much larger than they need
CORE = 0.1  # of the thickness, which nothing may enter


class _FoundContacts(NamedTuple):
    """Contacts found at once, as `nodal_contacts` takes them."""

    contacts: SurfaceContacts
    hold: ContactHold
    are_near: bool
    turns: np.ndarray  # how often each was relinearized (m,) int64


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
        friction: SceneFriction,
        reach: float,
    ):
        """Contacts push the nodes of the surface's points, which start at `starts` (p, 3) [m]."""
        self.surface, self.candidates, self.tangles, self.starts = surface, candidates, tangles, starts
        tangles.release(candidates)
        self.check = StepCheck(surface, candidates, starts)
        self.given, self.time_step, self.friction, self.reach = given, time_step, friction, reach
        self.room = ROOM * reach
        self.sets: list[NodalContacts] = []
        self._known: list[KnownContacts] = []
        self._found: list[_FoundContacts] = []
        self._take_in(touching(surface, candidates, starts, reach), are_near=True)

    @property
    def contact_count(self) -> int:
        return sum(contacts.contact_count for contacts in self.sets)

    @property
    def on_surface(self) -> list[SurfaceContacts]:
        """The sets, between points."""
        return [found.contacts for found in self._found]

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

    def add(self, first_contacts: FirstContacts) -> NodalContacts | None:
        """Take in what is new, and return it; None if nothing is.

        What would be met later on is left for the next look: where the first contact holds, it is not met at all, and
        hundreds of contacts along a way that is not taken contradict each other.
        """
        hits = first_contacts.contacts.kept(_are_first(first_contacts, len(self.starts)))
        new = hits.kept(~self._is_known(hits))
        if not len(new.kinds):
            return None
        self._take_in(new, are_near=False)
        return self.sets[-1]

    def relinearize(self, ends: np.ndarray, is_pushing: np.ndarray, distance: float) -> NodalContacts | None:
        """All contacts, those that are off at `ends` (p, 3) [m] by more than a distance [m] taken as they are there.

        `is_pushing` (m,) says which bear something. None if none is off. Those of strands stay as they are: nearest
        points run round what is so thin, and the contact would come to push to the other side.
        """
        from ..collision.relinearized import MOST_TURNS, relinearized  # compiled when it is asked for

        firsts, has_changed = np.cumsum([0, *(contacts.contact_count for contacts in self.sets)]), False
        for number, found in enumerate(self._found):
            pushing = is_pushing[firsts[number] : firsts[number + 1]]
            turns = np.where(self._are_of_strands(found.contacts), MOST_TURNS, found.turns)
            contacts, is_changed = relinearized(found.contacts, pushing, turns, self.starts, ends, distance)
            if is_changed.any():
                found.turns[is_changed] += 1
                has_changed, self._found[number] = True, found._replace(contacts=contacts)
                self.sets[number] = self._nodal(self._found[number])
        return self.nodal() if has_changed else None

    def _are_of_strands(self, contacts):
        """Contacts (m,) bool that a strand is part of."""
        return (self.surface.points.strands[contacts.points] != NOTHING).any(axis=1)

    def _take_in(self, contacts, are_near):
        hold = self.friction.of_contacts(
            contacts, self._nearness(contacts, are_near), self._point_velocities, self.time_step
        )
        ellipsoids = self.friction.ellipsoids.of_contacts(
            contacts, hold.friction, self.starts, self.given.point_velocities, self.time_step
        )
        hold = hold._replace(ellipsoids=ellipsoids)
        self._found.append(_FoundContacts(contacts, hold, are_near, np.zeros(len(contacts.kinds), np.int64)))
        self.sets.append(self._nodal(self._found[-1]))
        self._known.append(KnownContacts(contacts))

    def _nodal(self, found):
        return nodal_contacts(
            *(found.contacts, found.hold, found.are_near, self.surface.nodes, self.given, self.time_step)
        )

    def _is_known(self, hits):
        keys, is_known = feature_keys(hits), np.zeros(len(hits.kinds), bool)
        for known in self._known:
            is_known |= known.has(hits, keys)
        return is_known

    def _extend(self, ends):
        if self.candidates.extend(ends, self.room) and self.tangles.count:
            self.tangles.release(self.candidates)
            self.check.forget()

    def _nearness(self, contacts, are_near):
        """One where they touch, falling to zero at the reach; what meets later does not hold yet (m,)."""
        gaps = contacts.distances - contacts.separations
        return np.clip(1.0 - gaps / self.reach, 0.0, 1.0) if are_near else np.zeros(len(gaps))

    def _point_velocities(self):
        """Of all points at the start of the step (p, 3) [m/s]; those of colliders are the step's own."""
        velocities = self.given.point_velocities.copy()
        sum_nodes(self.surface.nodes, self.given.node_velocities, velocities)
        return velocities


def _are_first(first_contacts, point_count):
    """Which contacts are the first of all for one of their points (m,) bool."""
    contacts, times = first_contacts.contacts, first_contacts.contact_times
    earliest = np.full(point_count, np.inf)
    for corner in range(contacts.points.shape[1]):  # unused ones repeat the first
        np.minimum.at(earliest, contacts.points[:, corner], times)
    return (times[:, None] <= earliest[contacts.points]).any(axis=1)
