"""Newton's method on a step with contacts: each linearization is a friction problem, solved by ADMM.

docs/theory/friction.md, 6. The contacts' impulses on the nodes are kept from iteration to iteration and from step to
step: they hardly change in what rests.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..contact.admm import AdmmResult, AdmmSettings, run_admm
from ..contact.admm_weights import node_weights
from ..contact.nodal_contacts import NodalContacts
from ..contact.projection import Projection
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .newton_system import Inertia, NewtonSystem

MoreContacts = Callable[[np.ndarray], NodalContacts | None]  # all contacts, if velocities (n, 3) need more than before


@dataclass
class ContactSettings:
    newton_iterations: int = 2
    admm: AdmmSettings = field(default_factory=AdmmSettings)
    check_every: int = 5  # iterations of ADMM: look for what would cross meanwhile


class ContactNewton:
    """Solves steps for given contacts, and remembers their impulses."""

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None):
        self.model = model
        self.settings = ContactSettings()
        self.timer = timer or StageTimer()
        self.system = NewtonSystem(model, positions)
        self.gradient, self.change = self.system.new_unknowns(), self.system.new_unknowns()
        self.impulses = np.zeros((len(model.masses), 3))  # of all contacts on the nodes [N s]

    def solve(
        self,
        state: State,
        start: np.ndarray,
        inertia: Inertia,
        time_step: float,
        contacts: NodalContacts,
        more_contacts: MoreContacts,
    ) -> list[AdmmResult]:
        """Move the state, whose velocities are the first guess, from `start` (n, 3) [m] to the step's end."""
        contact_impulses = np.zeros((contacts.contact_count, 3))
        results = []
        for _ in range(self.settings.newton_iterations):
            problem = _StepProblem(self, state, inertia, time_step, contacts, contact_impulses)
            results.append(problem.run(more_contacts, is_first=not results))
            contacts, contact_impulses = problem.contacts, problem.projection.impulses
            self._move(state, start, results[-1].projected, problem.twist_velocities, time_step)
        self.contacts, self.contact_impulses = contacts, contact_impulses
        return results

    def _move(self, state, start, velocities, twist_velocities, time_step):
        is_free = self.model.is_free
        state.velocities[is_free] = velocities[is_free]
        state.positions[is_free] = start[is_free] + time_step * velocities[is_free]
        state.twists += time_step * (twist_velocities - state.twist_velocities)
        state.twist_velocities[:] = twist_velocities
        self.system.follow(state, start, time_step)


class _StepProblem:
    """One linearization, as ADMM sees it: dynamics to solve and contacts to project onto."""

    def __init__(self, newton: ContactNewton, state, inertia, time_step, contacts, contact_impulses):
        self.newton, self.timer = newton, newton.timer
        self.state, self.inertia, self.time_step = state, inertia, time_step
        self.is_given = ~newton.model.is_free
        self.twist_velocities = state.twist_velocities.copy()
        self.right = newton.system.new_unknowns()
        self.weights = np.zeros(len(self.is_given))
        self.contacts, self.contact_impulses = contacts, contact_impulses

    def run(self, more_contacts: MoreContacts, is_first: bool) -> AdmmResult:
        start = self.state.velocities.copy()
        if is_first:
            self._factorize(weighted=False)
            self.solve(start, start)
        self._factorize(weighted=True)
        self._pack(self.contacts, self.contact_impulses)
        multipliers = _quotients(self.newton.impulses, self.weights)
        self.more_contacts = more_contacts
        result = run_admm(self, self, start, multipliers, self.time_step, self.newton.settings.admm, self._add_contacts)
        self.newton.impulses[:] = self.weights[:, None] * result.multipliers
        return result

    def solve(self, targets, velocities_out):
        """(A + W) v = f + W targets, as a change of the state's velocities."""
        with self.timer.stage("linear_solve"):
            gradient, velocities, change = self.newton.gradient, self.state.velocities, self.newton.change
            self.right.nodes[:] = gradient.nodes - self.weights[:, None] * (targets - velocities)
            self.right.nodes[self.is_given] = 0.0
            self.right.twists[:] = gradient.twists
            self.newton.system.solve(self.right, change)
            np.subtract(velocities, change.nodes, out=velocities_out)
            velocities_out[self.is_given] = velocities[self.is_given]
            self.twist_velocities = self.state.twist_velocities - change.twists

    def project(self, velocities, sweeps, sleep_below):
        with self.timer.stage("projection"):
            self.projection.project(velocities, sweeps, sleep_below)

    def _factorize(self, weighted):
        with self.timer.stage("dynamics"):
            system = self.newton.system
            system.linearize(self.state, self.inertia, self.time_step, self.newton.gradient)
            if weighted:
                self.weights = node_weights(system.node_blocks(), self.newton.model.masses)
                self.weights[self.is_given] = 0.0
                system.add_weights(self.weights)
            system.factorize()

    def _pack(self, contacts, impulses):
        self.contacts = contacts
        with self.timer.stage("projection"):
            self.projection = Projection(contacts, np.where(self.is_given, 1.0, self.weights), impulses)

    def _add_contacts(self, iteration, projected):
        if iteration % self.newton.settings.check_every:
            return False
        contacts = self.more_contacts(projected)
        if contacts is None:
            return False
        impulses = np.zeros((contacts.contact_count, 3))
        impulses[: self.contacts.contact_count] = self.projection.impulses
        self._pack(contacts, impulses)
        return True


def _quotients(vectors, divisors):
    """Zero where the divisor is."""
    return np.divide(vectors, divisors[:, None], out=np.zeros_like(vectors), where=divisors[:, None] > 0.0)
