"""Newton's method on a step with contacts, each linearization a friction problem (docs/theory/time_step.md).

What solves the friction problems is for a subclass to say. When one is solved, what its velocities would run into is
added to it, and it is solved again from there [Verschoor and Jalba 2019, algorithm 1, lines 24 and 25].
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse

from ..contact.admm import AdmmResult
from ..contact.carried_impulses import KnownImpulses, known_impulses
from ..contact.contact_ellipsoids import any_tangents
from ..contact.coulomb_law import OPEN
from ..contact.impulse_guess import impulses_from_nodes
from ..contact.mixed_problem import MixedProblem
from ..contact.nodal_contacts import NodalContacts, joined
from ..linear_algebra.block_matrix import hold_rows
from ..linear_algebra.errors import NotPositiveDefinite
from ..linear_algebra.flat_vectors import length_of
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .contact_solver import MoreContacts
from .newton_system import Inertia, NewtonSystem
from .rigid_unknowns import RigidUnknowns
from .weighted_system import move_free

TINY = float(np.finfo(float).tiny)


class Linearization(NamedTuple):
    """A step's dynamics A v = f around where the state is, of the nodes or of other unknowns."""

    A: Any  # (u, u) [kg]; a sparse matrix, if there is a basis
    f: np.ndarray  # (u,) [kg m/s]
    unknowns: np.ndarray  # where it was linearized (u,) [m/s]
    basis: sparse.csr_array | None  # velocities of the nodes by the unknowns (3 n, u); None: they are the unknowns
    scale: float  # of the momentum [kg m/s]
    time_step: float  # [s]


class LinearSolution(NamedTuple):
    """Of one friction problem."""

    unknowns: np.ndarray  # (u,) [m/s]
    impulses: np.ndarray  # (m, 3) [N s], normal first
    states: np.ndarray  # OPEN, STICK or SLIP (m,)
    iterations: int
    residual: float  # how far contacts are off in the step [m]
    converged: bool


class LinearizedSteps(ABC):
    """Solves steps of cloth, soft bodies and props for given contacts."""

    settings: Any  # with `newton_iterations` and `rounds` of new contacts in each

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None):
        self.model = model
        self.timer = timer or StageTimer()
        self.system = NewtonSystem(model, positions)
        self.gradient = self.system.new_unknowns()
        self.rigid = None if model.rigid is None else RigidUnknowns(model.rigid, len(model.masses))
        self.frames = np.zeros((0, 3, 3))  # of the contacts
        self.contact_impulses = np.zeros((0, 3))  # of each in this step, in world axes [N s]
        self.contact_states = np.zeros(0, np.uint8)  # OPEN, STICK or SLIP
        self.is_solved = True  # the last linearization, as well as was asked

    @abstractmethod
    def solve_linear(self, linear: Linearization, contacts: NodalContacts, state: State, unknowns) -> LinearSolution:
        """For contacts with `frames`, from unknowns (u,) [m/s]; what is known of impulses is `known_impulses`."""

    @abstractmethod
    def node_dynamics(self, velocities: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
        """A of the nodes, linearized already, A v for velocities (3 n,), and A's diagonal."""

    def start_step(self, state: State, start: np.ndarray, end_time: float, time_step: float) -> None:
        if self.rigid:
            self.rigid.start_step(start, time_step, state.velocities)
            state.positions[:] = start + time_step * state.velocities
        self.system.start_step(state, start, end_time, time_step)
        self.contact_impulses = np.zeros((0, 3))

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None:
        """Let what hangs on the free unknowns take its place."""
        self.system.follow(state, start, time_step)

    def end_step(self, state: State, start: np.ndarray) -> None:
        """Velocities at the end of the way, where they are not those of the way."""
        if self.rigid:
            self.rigid.end_step(start, state.positions, state.velocities)

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
            linear = self._linearize(state, inertia, time_step)
            result, contacts = self._solve_rounds(linear, state, contacts, more_contacts)
            results.append(result)
            move_free(start, result.projected, self.model.is_free, time_step, state.velocities, state.positions)
            self.follow(state, start, time_step)
        return results

    def _linearize(self, state, inertia, time_step):
        """f = A v − ∇𝒜; given nodes keep their velocities."""
        with self.timer.stage("dynamics"):
            self._linearize_nodes(state, inertia, time_step)
            gradient, velocities = self.gradient.nodes, state.velocities
            scale = max(length_of(inertia.momentum[self.model.is_free]), TINY)
            if self.rigid:
                A = node_matrix(self.system, inertia)
                _refuse_lost_numbers(A.diagonal(), gradient.ravel())
                return Linearization(*self.rigid.reduced(A, gradient, velocities, inertia), scale, time_step)
            A, f, diagonal = self.node_dynamics(velocities.ravel())
            f -= gradient.ravel()
            _refuse_lost_numbers(diagonal, f)
            return Linearization(A, f, velocities.ravel(), None, scale, time_step)

    def _linearize_nodes(self, state, inertia, time_step):
        self.system.linearize(state, inertia, time_step, self.gradient)
        bodies = self.system.bodies
        if bodies is None:  # nothing but rigid bodies: no law joins any nodes
            np.subtract(inertia.diagonal[:, None] * state.velocities, inertia.momentum, out=self.gradient.nodes)
        else:
            hold_rows(*bodies.pattern, bodies.is_free, bodies.blocks)

    def _solve_rounds(self, linear, state, contacts, more_contacts):
        """One linearization, with contacts added and taken as they are, until it runs into nothing new."""
        unknowns, iterations = linear.unknowns, 0
        for _ in range(self.settings.rounds):
            self.frames = frames_of(contacts)
            solution = self.solve_linear(linear, contacts, state, unknowns)
            unknowns, iterations = solution.unknowns, iterations + solution.iterations
            velocities = self.rigid.node_velocities(unknowns) if self.rigid else unknowns.reshape(-1, 3)
            self._remember(solution, contacts, state)
            new = more_contacts(velocities)
            if new is not None:
                contacts = joined([contacts, new])
                unknown = np.full(new.contact_count, OPEN, np.uint8)
                self.contact_states = np.concatenate([self.contact_states, unknown])
            turned = self.relinearized(contacts, velocities, more_contacts)
            if new is None and turned is None:
                break
            contacts = contacts if turned is None else turned
        if not self.rigid:  # contacts of two rigid bodies all touch the same nodes
            known = known_impulses(contacts, self._all_impulses(contacts), linear.time_step)
            state.contact_memory = known.packed()
        result = AdmmResult(velocities, velocities, np.zeros_like(velocities), iterations, [solution.residual])
        result.converged = self.is_solved = solution.converged and new is None and turned is None
        return result, contacts

    def relinearized(
        self, contacts: NodalContacts, velocities: np.ndarray, more_contacts: MoreContacts
    ) -> NodalContacts | None:
        """All contacts as they are where velocities (n, 3) lead, for methods that solve them anew there."""
        return None

    def known_impulses(
        self, problem: Callable[[], MixedProblem], linear: Linearization, contacts: NodalContacts, state: State
    ) -> np.ndarray:
        """Impulses (m, 3) to start from: of contacts as far as they are known, or from the nodes of the last step.

        Only the latter ask for the problem.
        """
        if len(self.contact_impulses):
            impulses = self._all_impulses(contacts)
        elif len(state.contact_memory):
            impulses = KnownImpulses.unpacked(state.contact_memory).of(contacts, linear.time_step)
        else:
            pushes = state.impulses.ravel()
            return impulses_from_nodes(problem(), pushes if linear.basis is None else linear.basis.T @ pushes)
        return np.einsum("mij,mj->mi", self.frames, impulses)

    def _all_impulses(self, contacts):
        """Impulses (m, 3) in world axes; of contacts that were added last, none."""
        impulses = np.zeros((contacts.contact_count, 3))
        impulses[: len(self.contact_impulses)] = self.contact_impulses[: len(impulses)]
        return impulses

    def _remember(self, solution, contacts, state):
        self.contact_impulses = np.einsum("mij,mi->mj", self.frames, solution.impulses)
        self.contact_states = solution.states.astype(np.uint8)
        state.impulses[:] = impulses_on_nodes(contacts, self.contact_impulses, len(state.impulses))


def node_matrix(system: NewtonSystem, inertia: Inertia | None = None) -> sparse.csr_array:
    """A of the nodes (3 n, 3 n) [kg], linearized already; where no law joins any, what inertia makes of it."""
    if system.bodies is None:
        assert inertia is not None  # cloth and soft bodies have laws
        return sparse.csr_array(sparse.diags_array(np.repeat(inertia.diagonal, 3)))
    offsets, columns = system.bodies.pattern
    return sparse.csr_array(sparse.bsr_array((system.bodies.blocks, columns, offsets)))


def impulses_on_nodes(contacts: NodalContacts, impulses: np.ndarray, node_count: int) -> np.ndarray:
    """What impulses (m, 3) [N s] of contacts, in world axes, do to the nodes (n, 3)."""
    contact_of = np.repeat(np.arange(contacts.contact_count), np.diff(contacts.offsets))
    shares = contacts.weights[:, None] * impulses[contact_of]
    return np.stack([np.bincount(contacts.nodes, share, node_count) for share in shares.T], axis=1)


def frames_of(contacts: NodalContacts) -> np.ndarray:
    """Rows normal, tangent, tangent (m, 3, 3); any tangents will do for cones of friction."""
    normals = contacts.normals
    tangents = contacts.tangents if len(contacts.tangents) else any_tangents(normals)
    return np.stack([normals, tangents, np.cross(normals, tangents)], axis=1)


def _refuse_lost_numbers(diagonal, f):
    """The simulation then says which object it was."""
    is_lost = ~(np.isfinite(f) & np.isfinite(diagonal) & (diagonal > 0.0))
    if is_lost.any():
        raise NotPositiveDefinite(*map(int, divmod(int(np.argmax(is_lost)), 3)))
