"""Conjugate residuals on the mixed system of dynamics and contacts, whose states change on the way.

[Verschoor and Jalba 2019, algorithm 1]; docs/theory/conjugate_residual.md. No Delassus operator is built, and A is
factorised incompletely at most.
"""

from dataclasses import dataclass, field

import numpy as np

from ..linear_algebra.flat_vectors import length_of
from .best_so_far import BestSoFar
from .contact_rows import ContactRows
from .coulomb_law import OPEN
from .krylov_steps import ConjugateResidualSteps, MinresSteps, MixedState
from .mixed_preconditioner import MixedPreconditioner
from .mixed_problem import MixedProblem, mixed_problem
from .mixed_vector import mixed_zeros
from .problem import FrictionProblem
from .residuals import TINY
from .state_switching import StateSwitching, SwitchingLaw

STRICTER = 0.1  # than the tolerance asked: the judge adds dynamics and contacts up
FREE = 1e-3  # of the forces: how well velocities without contacts are known before contacts are looked at
POSTPONED = 1.0  # times the noise: lesser changes wait until it is smaller
EAGER = 0.3  # of what would be put off at the end: changes on the way, so that few are left then
LEAST_INTERVAL = 2  # steps between two looks: a direction alone is but a gradient
WORTHWHILE = 0.9  # of the residual at the last change: if more is left, changes come too often
MOST_PATIENCE = 32  # times the interval
PEAK, LONGEST_PEAK = 3.0, 40  # times the least residual since contacts changed, and steps: so long looks may wait
STALLED = 1e-2  # of the tolerance: a gradient below it can make the residual no smaller
GRADIENT_EVERY = 10  # steps
FIRST_GOAL, NEXT_GOAL = 1e-5, 1e-2  # what is asked first, and of that then: states are found before digits
DIVERGED = 1e8  # of the first residual


@dataclass
class CrSettings:
    tolerance: float = 1e-8  # of dynamics and contacts, relative
    iterations: int = 1000
    is_full: bool = True  # preconditioner Full, or Diag
    is_incomplete: bool = True  # Full has an incomplete factor of A where that has nodes, or its diagonal as published
    is_minres: bool = False  # by MINRES, which takes Diag only
    is_active_set: bool = False  # contacts change only where the system is solved
    first_goal: float = FIRST_GOAL  # what is asked first, if the tolerance is stricter; 0: the tolerance, as published
    law: SwitchingLaw = field(default_factory=SwitchingLaw)


def solve_by_cr(problem: FrictionProblem, tolerance: float, iterations: int):
    """Velocities, impulses and the history of the residual, relative to forces and to velocities without contacts."""
    return run_cr(problem, CrSettings(STRICTER * tolerance, iterations))


def solve_by_minres(problem: FrictionProblem, tolerance: float, iterations: int):
    """As above, by MINRES."""
    return run_cr(problem, CrSettings(STRICTER * tolerance, iterations, is_full=False, is_minres=True))


def run_cr(problem: FrictionProblem, settings: CrSettings):
    solver = MixedSolver(mixed_problem(problem), settings)
    solver.free_velocities()
    solver.solve()
    return solver.state.v, solver.rows.impulses, solver.history


class MixedSolver:
    """One problem's solution as it comes about."""

    def __init__(self, problem: MixedProblem, settings: CrSettings):
        self.problem, self.settings = problem, settings
        self.history: list[float] = []
        self.is_solved = False
        self.error = self.last_error = np.inf  # of the last iteration, and when contacts last changed
        self.goal = settings.tolerance  # that is sought at the moment
        self.patience = 1  # factor of the interval between looks
        self.least_error, self.is_waiting = np.inf, False  # since contacts changed; they want to be looked at
        solution = mixed_zeros(len(problem.f), problem.contact_count)
        self.rows = ContactRows(problem, solution.low)
        forces = _without_cohesion(problem)
        self.force_scale = max(length_of(forces), TINY)
        self.velocity_scale = np.inf  # until velocities without contacts are known
        self.inertia = max(length_of(problem.dynamics.diagonal), TINY)  # of all unknowns [kg]
        self.state = MixedState(self.rows, solution, forces)
        self.best = BestSoFar(self.state)
        self.switching = StateSwitching(self.rows, settings.law)
        self.preconditioner = MixedPreconditioner(self.rows, settings.is_full, settings.is_incomplete)
        kind = MinresSteps if settings.is_minres else ConjugateResidualSteps
        self.steps: ConjugateResidualSteps | MinresSteps = kind(self.state, self.preconditioner)

    def free_velocities(self) -> None:
        """Velocities without contacts, roughly; what the contacts' residuals are measured by."""
        self.state.refresh()
        self.steps.begin()
        while self.error > FREE and len(self.history) < self.settings.iterations // 2 and self._iterate() > 0.0:
            self.steps.turn()
        free = self.rows.velocities(self.state.v) + self.problem.k
        self.velocity_scale = max(length_of(free), TINY)

    def begin(self, v: np.ndarray, impulses: np.ndarray, force_scale: float, velocity_scale: float) -> None:
        """From velocities (n,) [m/s] and impulses (m, 3) [N s] that are known, with scales [kg m/s], [m/s]."""
        self.force_scale, self.velocity_scale = force_scale, velocity_scale
        self.state.v[:] = v
        self.switching.take(v, impulses)
        self.state.refresh()

    def solve(self) -> None:
        """Algorithm 1; what is not solved ends with the best that was found, the start included."""
        with np.errstate(over="ignore", invalid="ignore"):  # steps that break down are noticed, and undone
            self.is_solved, self.error = False, np.inf  # of a system without contacts it told nothing of them
            self.goal = max(self.settings.first_goal, self.settings.tolerance)
            self._remember(is_wanted=True)
            self._solve()
            if not self.is_solved:
                self._end_with_best()

    def _solve(self):
        """Until the system is solved and no contact wants to change."""
        if not self._look(is_last=True):
            self.preconditioner.update()
            self.steps.begin()
        self._measure()
        self._set_out()
        since, limit = 0, DIVERGED * max(self.error, 1.0)
        while len(self.history) < self.settings.iterations:
            alpha = self._iterate()
            since += 1
            is_last = self.error < self.goal or self._is_stalled(since if alpha else 0)
            if not self.error < limit or (alpha == 0.0 and not is_last):
                if not self._begin_again():
                    return
                since = 0
                continue
            is_due = alpha > 0.0 and self._is_due(since) and not self.settings.is_active_set
            if is_last or is_due:
                self._remember(is_last)
            if (is_last or is_due) and self._look(is_last):
                self._learn_patience()
                self._set_out()
                since = 0
            elif is_last and self._tighten():
                self.steps.turn()
            elif is_last:
                self.is_solved = self._agrees()
                if self.is_solved:
                    return
                since = 0
            else:
                self.steps.turn()

    def _remember(self, is_wanted):
        self.best.consider(self.error, self.force_scale, self.velocity_scale, is_wanted)

    def _end_with_best(self):
        """Of the last solution, too, what counts is not what its steps say but what it lacks."""
        self.state.refresh()
        self._remember(is_wanted=True)
        if self.best.found is not None:
            self.best.restore()
            self.error = self.best.found.miss

    def _measure(self):
        """The larger of ‖r‖ of the dynamics and of the rows, relative."""
        top, low = self.steps.norms
        self.error = max(top / self.force_scale, low / self.velocity_scale)

    def _iterate(self):
        alpha = self.steps.step()
        self._measure()
        self.history.append(self.error)
        self.least_error = min(self.least_error, self.error)
        return alpha

    def _interval(self):
        """Algorithm 2, line 2: far from the solution contacts are looked at less often."""
        decades = np.log10(max(self.error, TINY) / self.goal)
        return self.patience * max(LEAST_INTERVAL, int(decades * decades / 3.0))

    def _is_due(self, since):
        """At a peak of the residual contacts are not what they will be: they are looked at when it has passed.

        Once they are due, they are looked at in every step until one changes.
        """
        self.is_waiting |= since % self._interval() == 0
        return self.is_waiting and (self.error < PEAK * self.least_error or since > LONGEST_PEAK)

    def _set_out(self):
        """From contacts that have just changed."""
        top, low = self.steps.norms
        self.least_error, self.is_waiting = max(top / self.force_scale, low / self.velocity_scale), False

    def _learn_patience(self):
        """Where changes come so often that the residual gets no smaller between them, they have to wait longer."""
        is_smaller = self.error < WORTHWHILE * self.last_error
        self.patience = 1 if is_smaller else min(MOST_PATIENCE, 2 * self.patience)
        self.last_error = self.error

    def _look(self, is_last):
        """Whether contacts changed; if so, steps begin anew."""
        threshold = self._least_change()
        if not is_last:
            threshold = max(EAGER * threshold, POSTPONED * self._noise())
        change = self.switching.evaluate(self.state.v, threshold, is_last)
        if change is None:
            return False
        self.preconditioner.update()
        self.state.restart(change)
        self.steps.begin()
        return True

    def _least_change(self):
        """What of a contact's velocity the tolerance leaves open [m/s]."""
        return self.goal * self.velocity_scale / np.sqrt(max(self.problem.contact_count, 1))

    def _noise(self):
        """How well velocities at contacts are known [m/s]: what rows lack, and what forces would move, on average."""
        top, low = self.steps.norms
        return max(low / np.sqrt(max(self.problem.contact_count, 1)), top / self.inertia)

    def _is_stalled(self, since):
        """The least-squares solution of constraints that contradict each other (section 4.3 of the paper)."""
        if since % GRADIENT_EVERY:
            return False
        top, low = self.steps.gradient()
        least = STALLED * self.goal
        return top < least * self.force_scale and low < least * self.velocity_scale

    def _tighten(self):
        """Ask for more; whether there was more to ask for."""
        is_rough = self.goal > self.settings.tolerance
        self.goal = max(NEXT_GOAL * self.goal, self.settings.tolerance)
        return is_rough

    def _agrees(self):
        """Whether the residual is what the steps say; if rounding has parted them, they go on from the true one."""
        said = self.error
        self.state.refresh()
        self.steps.begin()
        self._measure()
        return self.error < 2.0 * max(said, self.settings.tolerance)

    def _begin_again(self):
        """Steps that have broken down go on with a preconditioner that is positive definite, or not at all."""
        if not np.isfinite(self.error):
            self.state.v[:] = 0.0
            self.rows.states[:] = OPEN
            self.rows.rebuild(np.zeros_like(self.problem.k))
        was_full, self.preconditioner.is_full = self.preconditioner.is_full, False
        self.preconditioner.update()
        self.state.refresh()
        self.steps.begin()
        self._set_out()
        return was_full


def _without_cohesion(problem):
    """Forces (n,) [kg m/s]: cohesion pulls with a given impulse."""
    cohesion = np.zeros_like(problem.k)
    cohesion[:, 0] = problem.cohesion
    return problem.f - problem.products.push(cohesion)
