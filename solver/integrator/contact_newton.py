"""Newton's method on a step with contacts: each linearization is a friction problem, solved by ADMM.

docs/theory/friction.md, 6. The contacts' impulses on the nodes stay in the state, from iteration to iteration and from
step to step: they hardly change in what rests.
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
        self.contact_impulses = np.zeros((0, 3))  # of each in this step [N s]
        self.contact_states = np.zeros(0, np.uint8)  # OPEN, STICK or SLIP

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        self.system.start_step(state, start, end_time, time_step)
        self.contact_impulses = np.zeros((0, 3))

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
        """Move the state, whose velocities are the first guess, from `start` (n, 3) [m] to the step's end.

        The first contacts are those of the last call in this step, if there was one.
        """
        contact_impulses = np.zeros((contacts.contact_count, 3))
        known = self.contact_impulses[: len(contact_impulses)]
        contact_impulses[: len(known)] = known
        results = []
        for _ in range(iterations):
            problem = _StepProblem(self, state, inertia, time_step, contacts, contact_impulses)
            results.append(problem.run(more_contacts))
            contacts, contact_impulses = problem.contacts, problem.projection.impulses
            self._move(state, start, results[-1].projected, problem.twist_velocities, time_step)
        self.contact_impulses = contact_impulses
        self.contact_states = problem.projection.states(results[-1].projected)
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
        self.weights, self.is_touched = np.zeros(len(self.is_given)), np.zeros(len(self.is_given), bool)
        self.contacts, self.contact_impulses = contacts, contact_impulses

    def run(self, more_contacts: MoreContacts) -> AdmmResult:
        self.more_contacts = more_contacts
        self._linearize()
        self._factorize()
        self._pack(self.contact_impulses)
        multipliers = _quotients(self.state.impulses, self.weights)
        settings = self.newton.settings.admm
        result = run_admm(self, self, self.state.velocities, multipliers, self.time_step, settings, self._add_contacts)
        self.state.impulses[:] = self.weights[:, None] * result.multipliers
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

    def _linearize(self):
        with self.timer.stage("dynamics"):
            system = self.newton.system
            system.linearize(self.state, self.inertia, self.time_step, self.newton.gradient)
            self.possible_weights = node_weights(system.node_blocks(), self.newton.model.masses)
            system.keep()

    def _factorize(self):
        """Only nodes that are touched need a weight: all others follow at once, not by and by."""
        with self.timer.stage("dynamics"):
            self.is_touched[self.contacts.nodes] = True
            self.weights[:] = np.where(self.is_touched, self.possible_weights, 0.0)
            self.newton.system.factorize_with(self.weights)

    def _pack(self, impulses):
        with self.timer.stage("projection"):
            self.projection = Projection(self.contacts, np.where(self.is_touched, self.weights, 1.0), impulses)

    def _add_contacts(self, iteration, projected):
        if iteration > 1 and iteration % self.newton.settings.check_every:
            return False
        contacts = self.more_contacts(projected)
        if contacts is None:
            return False
        impulses = np.zeros((contacts.contact_count, 3))
        impulses[: self.contacts.contact_count] = self.projection.impulses
        self.contacts = contacts
        if not self.is_touched[contacts.nodes].all():
            self._factorize()
        self._pack(impulses)
        return True


def _quotients(vectors, divisors):
    """Zero where the divisor is."""
    return np.divide(vectors, divisors[:, None], out=np.zeros_like(vectors), where=divisors[:, None] > 0.0)
