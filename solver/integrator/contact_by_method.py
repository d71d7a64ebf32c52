"""Steps with contacts by a method that is chosen by its name.

ICA, PROX and regions (docs/theory/ica.md, proximal.md, regions.md).
"""

from dataclasses import dataclass

import numpy as np

from ..contact.coulomb_law import OPEN, SLIP, STICK
from ..contact.kept_regions import KeptRegions
from ..contact.methods import solve
from ..contact.mixed_problem import mixed_problem
from ..contact.problem import AXES, ContactSolution, FrictionProblem
from ..contact.residuals import TINY, free_speed, misses
from ..errors import SimulationFailed
from ..model import Model
from ..scene import PROX
from ..stage_timer import StageTimer
from .ellipsoid_problem import with_ellipsoids
from .linearized_steps import LinearizedSteps, LinearSolution, node_matrix
from .rigid_unknowns import OF_BODY
from .stabilization import opening_unknowns, without_opening
from .step_problem import step_problem

STABILIZING = PROX  # the method whose overlaps open by displacements
SAME = 1e-9  # of the speeds: what rounding leaves between the way that was solved for and that which was gone
AT_LIMIT = 1.0 - 1e-6  # of the largest friction: it slides


@dataclass
class MethodSettings:
    newton_iterations: int = 2
    iterations: int = 1000  # of the method, for each of them
    tolerance: float = 1e-6  # by the judge, relative to the velocities without contacts
    asked_distance: float | None = None  # way in the step that contacts may be off, instead of this        [m]
    rounds: int = 5  # of new contacts in each

    def ask_for(self, distance: float) -> None:
        self.asked_distance = distance

    def tolerance_of(self, problem: FrictionProblem, time_step: float) -> float:
        """As the judge has it: over the velocities that there would be without contacts."""
        if self.asked_distance is None:
            return self.tolerance
        return self.asked_distance / (time_step * max(free_speed(problem.rebounding()), TINY))


class ContactByMethod(LinearizedSteps):
    """Solves steps of hair, cloth, soft bodies and props for given contacts."""

    def __init__(self, method: str, model: Model, positions: np.ndarray, timer: StageTimer | None = None):
        super().__init__(model, positions, timer)
        self.method, self.settings = method, MethodSettings()
        self.kept_regions = KeptRegions()
        self.stabilizes = method == STABILIZING and self.unknowns.is_all_rigid
        self.unkept = np.zeros(0)  # unknowns of this step that are a displacement and no velocity  (u,) [m/s]
        self.way = np.zeros((0, 3))  # velocities of the nodes that were solved for, with those  (n, 3) [m/s]
        self.spin_impulses = np.zeros(0)  # of each ellipsoid contact in this step  (m,) [N m s]

    def start_step(self, state, start, end_time, time_step):
        super().start_step(state, start, end_time, time_step)
        self.unkept, self.spin_impulses = np.zeros(0), np.zeros(0)

    def end_step(self, state, start):
        if self.rigid is None or not len(self.unkept):
            super().end_step(state, start)
        else:
            # A body that was held back went less far than it was displaced: it has the velocity of its way.
            missing = np.abs(self.way - (state.positions - start) / self.rigid.time_step)
            is_whole = missing[self.rigid.bodies.nodes].max(axis=(1, 2)) <= SAME * max(np.abs(self.way).max(), 1.0)
            unkept = self.unkept.reshape(-1, OF_BODY) * is_whole[:, None]
            self.rigid.end_step(start, state.positions, state.velocities, unkept)

    def node_dynamics(self, velocities):
        A = node_matrix(self.system)
        return A, A @ velocities, A.diagonal()

    def solve_linear(self, linear, contacts, state, unknowns) -> LinearSolution:
        with self.timer.stage("contacts"):
            problem = step_problem(linear, contacts, self.frames)
            problem.start = self.known_impulses(lambda: mixed_problem(problem), linear, contacts, state)
            problem.kept = self.kept_regions
            if len(contacts.tangents):
                problem = with_ellipsoids(problem, contacts, self.unknowns.rates, self.spin_impulses)
        with self.timer.stage(self.method):
            opens = self.stabilizes and bool(contacts.opening.any())
            problem = without_opening(problem, contacts.opening) if opens else problem
            tolerance = self.settings.tolerance_of(problem, linear.time_step)
            solution = self._solve(problem, tolerance)
            moved = self._displaced(problem, solution, contacts.opening, tolerance) if opens else solution.v
        self.spin_impulses = solution.r[:, AXES:].ravel()
        states, residual = _states(problem, solution), linear.time_step * _largest_miss(problem, solution)
        impulses = np.ascontiguousarray(solution.r[:, :AXES])
        return LinearSolution(moved, impulses, states, solution.iterations, residual, solution.converged)

    def _displaced(self, problem, solution, opening, tolerance):
        """The solution and what opens overlaps (u,) [m/s], which is remembered, to be left out of the velocities."""
        assert self.rigid is not None  # or it would not stabilize
        self.unkept = opening_unknowns(problem, solution, opening, tolerance, self.settings.iterations)
        moved = solution.v + self.unkept
        self.way = self.rigid.node_velocities(moved)
        return moved

    def _solve(self, problem, tolerance):
        try:
            return solve(problem, self.method, tolerance, self.settings.iterations)
        except ValueError as error:
            raise SimulationFailed(f"Contact by {self.method.upper()} gave up. {error}") from error


def _largest_miss(problem: FrictionProblem, solution: ContactSolution) -> float:
    """How far a contact is from the law of friction [m/s]."""
    return float(np.linalg.norm(misses(problem, solution.u, solution.r), axis=1).max(initial=0.0))


def _states(problem, solution):
    """OPEN, STICK or SLIP (m,)."""
    push, friction = solution.r[:, 0], solution.r[:, 1:]
    mu = problem.mu if problem.spin else problem.mu[:, None]
    needed = np.linalg.norm(np.divide(friction, mu, out=np.zeros_like(friction), where=mu > 0.0), axis=1)
    holds = mu.any(axis=1) & (needed < AT_LIMIT * push)
    return np.where(push <= 0.0, OPEN, np.where(holds, STICK, SLIP))
