"""Steps with contacts by conjugate residuals on the mixed system (docs/theory/conjugate_residual.md).

Nothing is factorised but strands; of other bodies, only what their matrix has room for.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..contact.conjugate_residual import CrSettings, MixedSolver
from ..contact.coulomb_law import OPEN
from ..contact.dynamics_product import BlockDynamics
from ..contact.mixed_problem import mixed_problem, nodal_mixed_problem
from ..contact.mixed_vector import mixed_zeros
from ..linear_algebra.incomplete_cholesky import LowerPattern
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .linearized_steps import LinearizedSteps, LinearSolution
from .step_problem import step_problem

# Where all bodies are rigid, iterations are so cheap that stacks need not creep.
RIGID_TOLERANCE, RIGID_DISTANCE = 1e-7, 5e-8
# How much less is asked of a step's first solution, of the dynamics and of contacts: these are then taken as they are
# where it ends, and all is solved again.
ROUGH_DYNAMICS, ROUGH_CONTACTS = 100.0, 8.0


@dataclass
class MixedSettings:
    newton_iterations: int = 2
    iterations: int = 2000  # of conjugate residuals, for each of them
    tolerance: float = 1e-5  # of the dynamics, relative to the momentum
    distance: float = 5e-6  # ε₂: way in the step that a contact may be off           [m]
    rounds: int = 8  # of contacts that are new, or taken as they are at the end of the step, in each
    is_full: bool = True  # preconditioner Full, or Diag
    is_incomplete: bool = True  # Full has an incomplete factor of A, or its diagonal as published

    def ask_for(self, distance: float) -> None:
        """Contacts that are off by no more than a way in the step [m], and dynamics as much more or less exact."""
        self.tolerance, self.distance = self.tolerance * distance / self.distance, distance


class ContactMixed(LinearizedSteps):
    """Solves steps of hair, cloth, soft bodies and props for given contacts."""

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None):
        super().__init__(model, positions, timer)
        self.settings = MixedSettings()
        if self.unknowns.is_all_rigid:
            self.settings.tolerance, self.settings.distance = RIGID_TOLERANCE, RIGID_DISTANCE
        self.turns_contacts = self.rigid is None and self.system.bodies is not None  # those of cloth and soft bodies
        self.is_first = True  # the next solution of this step
        self.is_rough = False  # the solution that is being sought, or was found last

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        super().start_step(state, start, end_time, time_step)
        self.is_first = True

    def node_dynamics(self, velocities):
        bodies = self.system.bodies
        assert bodies is not None  # a scene with nothing but colliders has no steps
        A = BlockDynamics(bodies.pattern, bodies.blocks, self.lower_pattern)
        padded, product = mixed_zeros(velocities.size, 0), np.empty(velocities.size)
        padded.top[:] = velocities
        A.put(padded.flat, product)
        return A, product, A.diagonal

    @cached_property
    def lower_pattern(self) -> LowerPattern:
        assert self.system.bodies is not None
        return LowerPattern(self.system.bodies.pattern)

    def solve_linear(self, linear, contacts, state, unknowns) -> LinearSolution:
        self.is_rough, self.is_first = self.is_first and self.turns_contacts, False
        solver = self._solver(linear, contacts, state, unknowns)
        with self.timer.stage("mixed_system"):
            solver.solve()
        residual = self.settings.distance / self.settings.tolerance * solver.error
        solution = solver.state.v, solver.rows.impulses, solver.rows.states
        return LinearSolution(*solution, len(solver.history), residual, solver.is_solved)

    def relinearized(self, contacts, velocities, more_contacts):
        """Contacts that are off at the end of the step, as they are there [Verschoor and Jalba 2019, section 3.3]."""
        if not self.turns_contacts:
            return None
        turned = more_contacts.relinearized(velocities, self.contact_states != OPEN, self.settings.distance)
        return contacts if self.is_rough and turned is None else turned

    def _solver(self, linear, contacts, state, unknowns):
        with self.timer.stage("contacts"):
            settings, problem = self.settings, self._problem(linear, contacts)
            tolerance, distance = settings.tolerance, settings.distance
            if self.is_rough:
                tolerance, distance = ROUGH_DYNAMICS * tolerance, ROUGH_CONTACTS * distance
            kind = settings.is_full, settings.is_incomplete
            solver = MixedSolver(problem, CrSettings(tolerance, settings.iterations, *kind))
            # so that ε₂ is what the tolerance means for a contact
            most = np.sqrt(max(contacts.contact_count, 1)) * distance / linear.time_step
            known = self.known_impulses(lambda: problem, linear, contacts, state)
            solver.begin(unknowns, known, linear.scale, most / tolerance)
            return solver

    def strand_weight(self, scale, own_scale):
        """So that light hair beside something heavy is as exact as it would be by itself."""
        return max(scale / own_scale, 1.0) ** 2

    def _problem(self, linear, contacts):
        if linear.basis is None:
            return nodal_mixed_problem(linear.A, linear.f, contacts, self.frames)
        if linear.basis.strands is not None:
            from .strand_products import mixed_problem_with_strands  # compiled when it is asked for

            return mixed_problem_with_strands(linear, linear.basis.strands, contacts, self.frames, bool(self.rigid))
        return mixed_problem(step_problem(linear, contacts, self.frames))
