"""Steps with contacts by conjugate residuals on the mixed system (docs/theory/conjugate_residual.md).

Nothing is factorised.
"""

from dataclasses import dataclass

import numpy as np

from ..contact.conjugate_residual import CrSettings, MixedSolver
from ..contact.dynamics_product import BlockDynamics
from ..contact.mixed_problem import mixed_problem, nodal_mixed_problem
from ..contact.mixed_vector import mixed_zeros
from ..model import Model
from ..stage_timer import StageTimer
from .linearized_steps import LinearizedSteps, LinearSolution
from .step_problem import step_problem

# Where all bodies are rigid, iterations are so cheap that stacks need not creep.
RIGID_TOLERANCE, RIGID_DISTANCE = 1e-7, 5e-8


@dataclass
class MixedSettings:
    newton_iterations: int = 2
    iterations: int = 2000  # of conjugate residuals, for each of them
    tolerance: float = 1e-5  # of the dynamics, relative to the momentum
    distance: float = 5e-6  # ε₂: way in the step that a contact may be off           [m]
    rounds: int = 5  # of new contacts in each
    is_full: bool = True  # preconditioner Full, or Diag


class ContactMixed(LinearizedSteps):
    """Solves steps of cloth, soft bodies and props for given contacts."""

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None, steps_per_frame: int = 1):
        super().__init__(model, positions, timer, steps_per_frame)
        self.settings = MixedSettings()
        if self.rigid and self.rigid.moves_all:
            self.settings.tolerance, self.settings.distance = RIGID_TOLERANCE, RIGID_DISTANCE

    def node_dynamics(self, velocities):
        bodies = self.system.bodies
        assert bodies is not None  # a scene with nothing but colliders has no steps
        A = BlockDynamics(bodies.pattern, bodies.blocks, bodies.diagonal_places)
        padded, product = mixed_zeros(velocities.size, 0), np.empty(velocities.size)
        padded.top[:] = velocities
        A.put(padded.flat, product)
        return A, product, A.diagonal

    def solve_linear(self, linear, contacts, state, unknowns) -> LinearSolution:
        solver = self._solver(linear, contacts, state, unknowns)
        with self.timer.stage("mixed_system"):
            solver.solve()
        residual = self.settings.distance / self.settings.tolerance * solver.error
        solution = solver.state.v, solver.rows.impulses, solver.rows.states
        return LinearSolution(*solution, len(solver.history), residual, solver.is_solved)

    def _solver(self, linear, contacts, state, unknowns):
        with self.timer.stage("contacts"):
            settings, problem = self.settings, self._problem(linear, contacts)
            solver = MixedSolver(problem, CrSettings(settings.tolerance, settings.iterations, settings.is_full))
            # so that ε₂ is what the tolerance means for a contact
            most = np.sqrt(max(contacts.contact_count, 1)) * settings.distance / linear.time_step
            known = self.known_impulses(lambda: problem, linear, contacts, state)
            solver.begin(unknowns, known, linear.scale, most / settings.tolerance)
            return solver

    def _problem(self, linear, contacts):
        if linear.basis is None:
            return nodal_mixed_problem(linear.A, linear.f, contacts, self.frames)
        return mixed_problem(step_problem(linear, contacts, self.frames))
