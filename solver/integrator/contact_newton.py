"""Newton's method on a step with contacts: each linearization is a friction problem, solved by ADMM.

docs/theory/friction.md, 6. The contacts' impulses on the nodes stay in the state, from iteration to iteration and from
step to step: they hardly change in what rests.
"""

from dataclasses import dataclass, field

import numpy as np

from ..contact.admm import AdmmResult, AdmmSettings, run_admm
from ..contact.admm_weights import node_weights
from ..contact.nodal_contacts import NodalContacts, joined
from ..contact.projection import Projection
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .contact_solver import MoreContacts
from .newton_system import Inertia, NewtonSystem
from .weighted_system import move_free, put_changed, put_right, quotients

NODES_OF_AFFINE_BODY = 4
SELDOM = (
    10  # iterations between looks where there are no strands: new contacts change the factor of bodies, which is dear
)


@dataclass
class ContactSettings:
    newton_iterations: int = 2
    admm: AdmmSettings = field(default_factory=AdmmSettings)
    check_every: int = 5  # iterations of ADMM, after the first: look for what would cross meanwhile


class ContactNewton:
    """Solves steps for given contacts, and remembers their impulses."""

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None):
        self.model = model
        self.settings = ContactSettings()
        self.moves_as_one = _moves_as_one(model)
        self.timer = timer or StageTimer()
        self.system = NewtonSystem(model, positions)
        if self.system.strands is None:
            self.settings.check_every = SELDOM
        self.gradient, self.right, self.change, self.whole = (self.system.new_unknowns() for _ in range(4))
        self.is_first_guess = True  # that the state's velocities are those of the last step
        self.contact_impulses = np.zeros((0, 3))  # of each in this step [N s]
        self.contact_states = np.zeros(0, np.uint8)  # OPEN, STICK or SLIP

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        self.system.start_step(state, start, end_time, time_step)
        self.is_first_guess = True
        self.contact_impulses = np.zeros((0, 3))

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None:
        """Let what hangs on the free unknowns take its place."""
        self.system.follow(state, start, time_step)

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
            self.is_first_guess = False
            contacts, contact_impulses = joined(problem.contacts), problem.projection.impulses
            self._move(state, start, self._chosen(results[-1]), time_step)
        self.contact_impulses = contact_impulses
        self.contact_states = problem.projection.states(results[-1].projected)
        return results

    def _chosen(self, result):
        """What contacts allow; but they would bend affine bodies, which then spring back: those keep their shape."""
        if not self.moves_as_one.any():
            return result.projected
        return np.where(self.moves_as_one[:, None], result.velocities, result.projected)

    def _move(self, state, start, velocities, time_step):
        twist_velocities = state.twist_velocities - self.change.twists  # of the last solution
        move_free(start, velocities, self.model.is_free, time_step, state.velocities, state.positions)
        state.twists += time_step * (twist_velocities - state.twist_velocities)
        state.twist_velocities[:] = twist_velocities
        self.follow(state, start, time_step)


class _StepProblem:
    """One linearization, as ADMM sees it: dynamics to solve and contacts to project onto."""

    def __init__(self, newton: ContactNewton, state, inertia, time_step, contacts, contact_impulses):
        self.newton, self.timer = newton, newton.timer
        self.state, self.inertia, self.time_step = state, inertia, time_step
        self.is_free = newton.model.is_free
        self.weights, self.is_touched = np.zeros(len(self.is_free)), np.zeros(len(self.is_free), bool)
        self.contacts, self.contact_impulses = [contacts], contact_impulses
        self.solves_parts = newton.system.solves_parts
        self.iteration = 0  # of ADMM
        self.has_solution = False  # with this factor
        self.has_whole = True  # that all nodes are in the last solution

    def run(self, more_contacts: MoreContacts) -> AdmmResult:
        self.more_contacts = more_contacts
        self._linearize()
        guess = self._pushed_velocities() if self.newton.is_first_guess else self.state.velocities
        self._factorize()
        self._pack()
        multipliers = quotients(self.state.impulses, self.weights)
        settings = self.newton.settings.admm
        result = run_admm(self, self, guess, multipliers, self.time_step, settings, self._add_contacts)
        self._correct()
        result.velocities, result.projected = self._whole(result.velocities), self._whole(result.projected)
        self.state.impulses[:] = self.weights[:, None] * result.multipliers
        return result

    def solve(self, targets, velocities_out):
        """(A + W) v = f + W targets, as a change of the state's velocities.

        Only contacts change from iteration to iteration. So all nodes are solved for where a look follows; else those
        with a weight, and the others stay where they were.
        """
        with self.timer.stage("linear_solve"):
            newton, velocities = self.newton, self.state.velocities
            put_right(newton.gradient.nodes, self.weights, targets, velocities, newton.right.nodes)
            self.iteration += 1
            self._solve(newton.system, newton.right, newton.change)
            put_changed(velocities, newton.change.nodes, self.is_free, velocities_out)

    def _solve(self, system, right, change):
        is_first, self.has_solution = not self.has_solution, True
        self.has_whole = is_first or not self.solves_parts or self._is_looked_at(self.iteration)
        if not self.has_whole:
            system.solve_weighted(right, change)
            return
        whole = self.newton.whole if self.solves_parts else change
        system.solve_on(right, whole)
        if is_first:
            change.nodes[:], change.twists[:] = whole
        elif self.solves_parts:
            system.put_part(whole, change)

    def _correct(self):
        """All nodes of the last solution, in all digits."""
        if self.solves_parts:
            newton = self.newton
            with self.timer.stage("linear_solve"):
                if not self.has_whole:
                    newton.system.solve_on(newton.right, newton.whole)
                newton.system.correct(newton.right, newton.whole)

    def _whole(self, velocities):
        """Velocities (n, 3) of an iteration, with those that nodes without a weight have in its solution."""
        if not self.solves_parts:
            return velocities
        whole = np.empty_like(velocities)
        with self.timer.stage("linear_solve"):
            put_changed(self.state.velocities, self.newton.whole.nodes, self.is_free, whole)
        return np.where(self.weights[:, None] > 0.0, velocities, whole)

    def _is_looked_at(self, iteration):
        """Whether what this iteration would cross is looked for, and time is left to answer; or it is the last one."""
        settings = self.newton.settings
        left = settings.admm.iterations - iteration
        is_due = iteration % settings.check_every == 0 and left >= settings.check_every
        return is_due or iteration == 1 or left == 0

    def project(self, velocities, sweeps, sleep_below):
        with self.timer.stage("projection"):
            self.projection.project(velocities, sweeps, sleep_below)

    def _linearize(self):
        with self.timer.stage("dynamics"):
            system = self.newton.system
            system.linearize(self.state, self.inertia, self.time_step, self.newton.gradient)
            self.newton.right.twists[:] = self.newton.gradient.twists
            self.possible_weights = node_weights(
                system.node_blocks(), self.newton.model.masses, self.newton.moves_as_one
            )
            system.keep()

    def _pushed_velocities(self):
        """Of strands, A v = f + the last step's impulses; to factorize A for bodies would take longer than it saves."""
        newton, guess = self.newton, self.state.velocities.copy()
        strands = newton.system.strands
        if strands is None or newton.system.carried:
            return guess
        with self.timer.stage("linear_solve"):
            np.subtract(newton.gradient.nodes, self.state.impulses, out=newton.right.nodes)
            strands.put_weighted(np.zeros(len(guess[strands.rows])))
            strands.dynamics.factorize()
            strands.solve(newton.right, newton.change)
            guess[strands.rows] -= np.where(self.is_free[:, None], newton.change.nodes, 0.0)[strands.rows]
        return guess

    def _factorize(self):
        """Only nodes that are touched need a weight: all others follow at once, not by and by."""
        with self.timer.stage("dynamics"):
            self.is_touched[self.contacts[-1].nodes] = True
            self.weights[:] = np.where(self.is_touched, self.possible_weights, 0.0)
            self.newton.system.factorize_with(self.weights)
            self.has_solution = False

    def _pack(self):
        with self.timer.stage("projection"):
            self.projection = Projection(self.contacts[0], self._divisors(), self.contact_impulses)

    def _divisors(self):
        return np.where(self.is_touched, self.weights, 1.0)

    def _add_contacts(self, iteration, projected):
        settings = self.newton.settings
        is_last = iteration == settings.admm.iterations  # what its result crosses is looked for anyway
        if is_last or not self._is_looked_at(iteration):
            return False
        contacts = self.more_contacts(self._whole(projected))
        if contacts is None:
            return False
        self.contacts.append(contacts)
        if not self.is_touched[contacts.nodes].all():
            self._factorize()
        with self.timer.stage("projection"):
            self.projection.add(contacts, self._divisors())
        return True


def _moves_as_one(model):
    """Nodes of affine bodies (n,) bool: they have four each."""
    is_one = np.zeros(len(model.masses), bool)
    for span in model.spans:
        is_one[span.first : span.end] = span.end - span.first <= NODES_OF_AFFINE_BODY
    return is_one
