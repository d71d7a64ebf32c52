"""What constraint refinement asks of a solver of steps with contacts."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from ..contact.admm import AdmmResult
from ..contact.nodal_contacts import NodalContacts
from ..state import State
from .newton_system import Inertia

MoreContacts = Callable[[np.ndarray], NodalContacts | None]  # new ones that velocities (n, 3) [m/s] need, if any


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
