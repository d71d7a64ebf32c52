"""Newton's method on a step with contacts, each linearization solved by conjugate residuals.

docs/theory/conjugate_residual.md. Nothing is factorised. When a system is solved, what its velocities would run into is
added to it, and it goes on from there [Verschoor and Jalba 2019, algorithm 1, lines 24 and 25].
"""

from dataclasses import dataclass

import numpy as np

from ..contact.admm import AdmmResult
from ..contact.carried_impulses import KnownImpulses, known_impulses
from ..contact.conjugate_residual import CrSettings, MixedSolver
from ..contact.dynamics_product import BlockDynamics
from ..contact.impulse_guess import impulses_from_nodes
from ..contact.mixed_problem import nodal_mixed_problem
from ..contact.mixed_vector import mixed_zeros
from ..contact.nodal_contacts import NodalContacts, joined
from ..linear_algebra.block_matrix import hold_rows
from ..linear_algebra.errors import NotPositiveDefinite
from ..linear_algebra.flat_vectors import length_of
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .contact_solver import MoreContacts
from .newton_system import Inertia, NewtonSystem
from .weighted_system import move_free


@dataclass
class MixedSettings:
    newton_iterations: int = 2
    iterations: int = 2000  # of conjugate residuals, for each of them
    tolerance: float = 1e-5  # of the dynamics, relative to the momentum
    distance: float = 5e-6  # ε₂: way in the step that a contact may be off           [m]
    rounds: int = 5  # of new contacts in each
    is_full: bool = True  # preconditioner Full, or Diag


class ContactMixed:
    """Solves steps of cloth and soft bodies for given contacts."""

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None, steps_per_frame: int = 1):
        self.model, self.steps_per_frame = model, steps_per_frame
        self.settings = MixedSettings()
        self.timer = timer or StageTimer()
        self.system = NewtonSystem(model, positions)
        self.gradient = self.system.new_unknowns()
        self.frames = np.zeros((0, 3, 3))  # of the contacts
        self.contact_impulses = np.zeros((0, 3))  # of each in this step, in world axes [N s]
        self.contact_states = np.zeros(0, np.uint8)  # OPEN, STICK or SLIP
        self.last: KnownImpulses | None = None  # of the step before, as long as a frame lasts
        self.next: KnownImpulses | None = None  # of this step

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        self.system.start_step(state, start, end_time, time_step)
        self.contact_impulses = np.zeros((0, 3))
        # A bake that goes on with a frame knows impulses of nodes only, and must not differ from one that ran through.
        self.last = self.next if state.step % self.steps_per_frame else None

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None:
        """Let what hangs on the free unknowns take its place."""
        self.system.follow(state, start, time_step)

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
        """Move the state, whose velocities are the first guess, from `start` (n, 3) [m] to the step's end."""
        results = []
        for _ in range(iterations):
            A, f = self._linearize(state, inertia, time_step)
            scale = max(length_of(inertia.momentum[self.model.is_free]), np.finfo(float).tiny)
            result, contacts = self._solve_linear(A, f, scale, state, time_step, contacts, more_contacts)
            results.append(result)
            move_free(start, result.projected, self.model.is_free, time_step, state.velocities, state.positions)
            self.follow(state, start, time_step)
        return results

    def _linearize(self, state, inertia, time_step):
        """A (3 n, 3 n) [kg] and f = A v − ∇𝒜 (3 n,); given nodes keep their velocities."""
        with self.timer.stage("dynamics"):
            self.system.linearize(state, inertia, time_step, self.gradient)
            bodies = self.system.bodies
            assert bodies is not None  # a scene with nothing but colliders has no steps
            hold_rows(*bodies.pattern, bodies.is_free, bodies.blocks)
            A = BlockDynamics(bodies.pattern, bodies.blocks, bodies.diagonal_places)
            velocities = mixed_zeros(state.velocities.size, 0)
            velocities.top[:] = state.velocities.ravel()
            f = np.empty(state.velocities.size)
            A.put(velocities.flat, f)
            f -= self.gradient.nodes.ravel()
            _refuse_lost_numbers(A.diagonal, f)
            return A, f

    def _solve_linear(self, A, f, scale, state, time_step, contacts, more_contacts):
        """One linearization, with contacts added until it runs into nothing new."""
        velocities = state.velocities
        history: list[float] = []
        for _ in range(self.settings.rounds):
            solver = self._solver(A, f, scale, state, velocities, time_step, contacts)
            with self.timer.stage("mixed_system"):
                solver.solve()
            velocities, history = solver.state.v.reshape(-1, 3), history + solver.history
            self._remember(solver, state)
            new = more_contacts(velocities)
            if new is None:
                break
            contacts = joined([contacts, new])
        self.next = known_impulses(contacts, self._all_impulses(contacts), time_step)
        result = AdmmResult(velocities, velocities, np.zeros_like(velocities), len(history), history or [0.0])
        result.converged = solver.is_solved and new is None
        return result, contacts

    def _solver(self, A, f, scale, state, velocities, time_step, contacts):
        with self.timer.stage("contacts"):
            settings, self.frames = self.settings, frames_at(contacts.normals)
            problem = nodal_mixed_problem(A, f, contacts, self.frames)
            solver = MixedSolver(problem, CrSettings(settings.tolerance, settings.iterations, settings.is_full))
            # so that ε₂ is what the tolerance means for a contact
            most = np.sqrt(max(contacts.contact_count, 1)) * settings.distance / time_step
            known = self._known(problem, state, contacts, time_step)
            solver.begin(velocities.ravel(), known, scale, most / settings.tolerance)
            return solver

    def _known(self, problem, state, contacts, time_step):
        """Impulses (m, 3) to start from: of contacts as far as they are known, or from the nodes of the last step."""
        if len(self.contact_impulses):
            impulses = self._all_impulses(contacts)
        elif self.last is not None:
            impulses = self.last.of(contacts, time_step)
        else:
            return impulses_from_nodes(problem, state.impulses.ravel())
        return np.einsum("mij,mj->mi", self.frames, impulses)

    def _all_impulses(self, contacts):
        """Impulses (m, 3) in world axes; of contacts that were added last, none."""
        impulses = np.zeros((contacts.contact_count, 3))
        impulses[: len(self.contact_impulses)] = self.contact_impulses
        return impulses

    def _remember(self, solver, state):
        impulses = solver.rows.impulses
        self.contact_impulses = np.einsum("mij,mi->mj", self.frames, impulses)
        self.contact_states = solver.rows.states.astype(np.uint8)
        state.impulses[:] = solver.problem.products.push(impulses).reshape(-1, 3)


def _refuse_lost_numbers(diagonal, f):
    """The simulation then says which object it was."""
    is_lost = ~(np.isfinite(f) & np.isfinite(diagonal) & (diagonal > 0.0))
    if is_lost.any():
        raise NotPositiveDefinite(*map(int, divmod(int(np.argmax(is_lost)), 3)))


def frames_at(normals: np.ndarray) -> np.ndarray:
    """Rows normal, tangent, tangent (m, 3, 3); any tangents will do."""
    least = np.argmin(np.abs(normals), axis=1)
    first = np.cross(normals, np.eye(3)[least])
    first /= np.linalg.norm(first, axis=1)[:, None]
    return np.stack([normals, first, np.cross(normals, first)], axis=1)
