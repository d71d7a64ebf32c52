"""Contacts in the ADMM integrator of strands: one more tie of the points, beside those of their edges.

Each iteration draws touched points also to where contacts let them go, and then projects onto the contacts
[Daviet 2020, section 6.1]; docs/theory/friction.md, 8. For strands: what else there is must be given.
"""

from dataclasses import dataclass, field

import numpy as np

from ..contact.admm import AdmmResult, AdmmSettings, run_admm
from ..contact.admm_weights import BETA
from ..contact.nodal_contacts import NodalContacts
from ..contact.projection import Projection
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .admm_integrator import AdmmStrands
from .contact_solver import MoreContacts
from .newton_system import Inertia
from .weighted_system import quotients


@dataclass
class SplittingSettings:
    newton_iterations: int = 1  # one run is all: nothing is linearized
    admm: AdmmSettings = field(default_factory=lambda: AdmmSettings(iterations=100, accelerates=False))
    check_every: int = 10  # iterations: look for what would cross meanwhile


class ContactSplitting:
    """Solves steps for given contacts, and remembers their impulses; as ContactNewton does."""

    def __init__(self, model: Model, timer: StageTimer | None = None):
        self.model, self.timer = model, timer or StageTimer()
        self.settings = SplittingSettings()
        self.strands = AdmmStrands(model)
        self.contact_impulses = np.zeros((0, 3))  # of each in this step [N s]
        self.contact_states = np.zeros(0, np.uint8)  # OPEN, STICK or SLIP

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        self.end_time, self.is_begun = end_time, False
        self.contact_impulses = np.zeros((0, 3))

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None:
        self.strands.follow(state, self.end_time)

    def end_step(self, state: State, start: np.ndarray) -> None:
        """Velocities are those of the way: nothing is left to do."""

    def solve(
        self,
        state: State,
        start: np.ndarray,
        inertia: Inertia,
        time_step: float,
        contacts: NodalContacts,
        more_contacts: MoreContacts,
        iterations: int,
    ) -> list[AdmmResult]:
        """Move the state from `start` (n, 3) [m] to the step's end; contacts of the last call in it come first."""
        if not self.is_begun:
            self.targets = self.strands.start_step(state, start, inertia, self.end_time, time_step)
            self.stiffness, self.is_begun = self.strands.splitting.inertia, True
        run = _Run(self, state, start, time_step, contacts)
        results = [run.run(more_contacts) for _ in range(iterations)]
        is_free = self.model.is_free
        state.velocities[is_free] = results[-1].projected[is_free]
        state.positions[is_free] = start[is_free] + time_step * state.velocities[is_free]
        state.twist_velocities[:] = 0.0
        self.follow(state, start, time_step)
        self.contact_impulses = run.projection.impulses
        self.contact_states = run.projection.states(results[-1].projected)
        return results


class _Run:
    """One run of ADMM: each iteration moves the strands once and projects onto the contacts."""

    def __init__(self, solver: ContactSplitting, state, start, time_step, contacts):
        self.solver, self.timer, self.splitting = solver, solver.timer, solver.strands.splitting
        self.state, self.start, self.time_step = state, start, time_step
        self.is_free = solver.model.is_free
        self.is_touched, self.weights = np.zeros(len(self.is_free), bool), np.zeros(len(self.is_free))
        self._tie(contacts)
        impulses = np.zeros((contacts.contact_count, 3))
        impulses[: len(solver.contact_impulses)] = solver.contact_impulses
        self.projection = Projection(contacts, self._divisors(), impulses)

    def run(self, more_contacts: MoreContacts) -> AdmmResult:
        self.more_contacts = more_contacts
        multipliers, settings = quotients(self.state.impulses, self.weights), self.solver.settings.admm
        velocities = (self.state.positions - self.start) / self.time_step
        result = run_admm(self, self, velocities, multipliers, self.time_step, settings, self._add_contacts)
        self.state.impulses[:] = self.weights[:, None] * result.multipliers
        return result

    def solve(self, targets, velocities_out):
        """One iteration of the strands, touched points being drawn to Δt targets from the start, too."""
        with self.timer.stage("dynamics"):
            ties, solver = self._ties()[:, None], self.solver
            allowed = self.start + self.time_step * targets
            drawn = (solver.stiffness[:, None] * solver.targets + ties * allowed) / self.splitting.inertia[:, None]
            state = self.state
            self.splitting.iterate(state.frames, np.ascontiguousarray(drawn), state.positions, state.twists)
            velocities_out[:] = (state.positions - self.start) / self.time_step

    def project(self, velocities, sweeps, sleep_below):
        with self.timer.stage("projection"):
            self.projection.project(velocities, sweeps, sleep_below)

    def _tie(self, contacts):
        self.is_touched[contacts.nodes] = True
        self.weights[:] = np.where(self.is_touched, BETA * self.solver.model.masses, 0.0)
        self.splitting.put_inertia(self.solver.stiffness + self._ties())

    def _ties(self):
        return self.weights / self.time_step**2

    def _divisors(self):
        return np.where(self.is_touched, self.weights, 1.0)

    def _add_contacts(self, iteration, projected):
        settings = self.solver.settings
        is_last = iteration == settings.admm.iterations  # what its result crosses is looked for anyway
        if is_last or (iteration > 1 and iteration % settings.check_every):
            return False
        contacts = self.more_contacts(projected)
        if contacts is None:
            return False
        if not self.is_touched[contacts.nodes].all():
            self._tie(contacts)
        with self.timer.stage("projection"):
            self.projection.add(contacts, self._divisors())
        return True
