"""The contacts of a step, as its solver may ask for more of them."""

from collections.abc import Callable

import numpy as np

from ..contact.nodal_contacts import NodalContacts
from ..stage_timer import StageTimer
from .contact_set import ContactSet


class GrowingContacts:
    """Where velocities of nodes (n, 3) [m/s] lead the points of the surface is for `ends_of` to say."""

    def __init__(self, contact_set: ContactSet, ends_of: Callable[[np.ndarray], np.ndarray], timer: StageTimer):
        self._contact_set, self._ends_of, self._timer = contact_set, ends_of, timer

    def __call__(self, velocities: np.ndarray) -> NodalContacts | None:
        """New contacts that the way at these velocities needs, if there are any."""
        with self._timer.stage("detection"):
            return self._contact_set.add(self._contact_set.approaching(self._ends_of(velocities)))

    def relinearized(self, velocities: np.ndarray, is_pushing: np.ndarray, distance: float) -> NodalContacts | None:
        """All contacts as they are where velocities lead, if some (m,) are off there by more than a distance [m]."""
        with self._timer.stage("detection"):
            return self._contact_set.relinearize(self._ends_of(velocities), is_pushing, distance)
