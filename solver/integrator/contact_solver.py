"""What constraint refinement asks of a solver of steps with contacts."""

from typing import Any, Protocol

import numpy as np

from ..contact.admm import AdmmResult
from ..contact.nodal_contacts import NodalContacts
from ..state import State
from .newton_system import Inertia


class MoreContacts(Protocol):
    """What the contacts of a step become as its solution comes about."""

    def __call__(self, velocities: np.ndarray) -> NodalContacts | None:
        """New ones that velocities (n, 3) [m/s] need, if there are any."""

    def relinearized(self, velocities: np.ndarray, is_pushing: np.ndarray, distance: float) -> NodalContacts | None:
        """All contacts, as they are where velocities (n, 3) lead, if some are off there by more than a distance [m].

        `is_pushing` (m,) says which contacts bear something.
        """


class ContactSolver(Protocol):
    """Solves a step for given contacts: by Newton's method, or by the ADMM integrator."""

    settings: Any
    contact_impulses: np.ndarray  # of the last solution's contacts, in world axes (m, 3) [N s]
    contact_states: np.ndarray  # OPEN, STICK or SLIP of the last solution's contacts (m,) uint8

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None: ...

    def solve(
        self,
        state: State,
        start: np.ndarray,
        inertia: Inertia,
        time_step: float,
        contacts: NodalContacts,
        more_contacts: MoreContacts,
        iterations: int,
    ) -> list[AdmmResult]: ...

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None: ...

    def end_step(self, state: State, start: np.ndarray) -> None: ...
