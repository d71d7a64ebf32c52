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
from ..contact.nodal_contacts import NodalContacts, impulses_on_nodes, joined
from ..linear_algebra.block_matrix import hold_rows
from ..linear_algebra.errors import NotPositiveDefinite
from ..linear_algebra.flat_vectors import length_of
from ..model import Model
from ..stage_timer import StageTimer
from ..state import State
from .contact_solver import MoreContacts
from .newton_system import Inertia, NewtonSystem
from .rigid_unknowns import ReducedSystem
from .step_unknowns import StepBasis, StepUnknowns
from .weighted_system import move_free

TINY = float(np.finfo(float).tiny)
SLOW = 1e-3  # [m/s]; hair that is slower is measured as if it moved so fast


class Linearization(NamedTuple):
    """A step's dynamics A v = f around where the state is, of the nodes or of other unknowns (step_unknowns.py)."""

    A: Any  # of the bodies' unknowns [kg]; of rigid ones a sparse matrix, and None where there are no bodies
    f: np.ndarray  # (u,) [kg m/s]
    unknowns: np.ndarray  # where solutions begin (u,) [m/s]
    basis: StepBasis | None  # velocities of the nodes by the unknowns; None: they are the unknowns
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
    """Solves steps of hair, cloth, soft bodies and props for given contacts."""

    settings: Any  # with `newton_iterations` and `rounds` of new contacts in each

    def __init__(self, model: Model, positions: np.ndarray, timer: StageTimer | None = None):
        self.model = model
        self.timer = timer or StageTimer()
        self.system = NewtonSystem(model, positions)
        self.gradient = self.system.new_unknowns()
        self.unknowns = StepUnknowns(model, self.system)
        self.rigid, self.body_rows = self.unknowns.rigid, self.unknowns.rows
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
            self.rigid.start_step(start[self.body_rows], time_step, state.velocities[self.body_rows])
            state.positions[:] = start + time_step * state.velocities
        self.system.start_step(state, start, end_time, time_step)
        self.contact_impulses = np.zeros((0, 3))

    def follow(self, state: State, start: np.ndarray, time_step: float) -> None:
        """Let what hangs on the free unknowns take its place."""
        self.system.follow(state, start, time_step)

    def end_step(self, state: State, start: np.ndarray) -> None:
        """Velocities at the end of the way, where they are not those of the way."""
        if self.rigid:
            rows = self.body_rows
            self.rigid.end_step(start[rows], state.positions[rows], state.velocities[rows])

    def strand_weight(self, scale: float, own_scale: float) -> float:
        """By how many masses changes of strands are measured; scales of momentum of all and of strands [kg m/s]."""
        return 1.0

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
            velocities, result, contacts = self._solve_rounds(linear, state, contacts, more_contacts)
            results.append(result)
            self._move(state, start, velocities, time_step)
        return results

    def _move(self, state, start, velocities, time_step):
        move_free(start, velocities.nodes, self.model.is_free, time_step, state.velocities, state.positions)
        state.twists += time_step * (velocities.twists - state.twist_velocities)
        state.twist_velocities[:] = velocities.twists
        self.follow(state, start, time_step)

    def _linearize(self, state, inertia, time_step):
        """f = A v − ∇𝒜; given nodes keep their velocities."""
        with self.timer.stage("dynamics"):
            self._linearize_nodes(state, inertia, time_step)
            scale = self._momentum(inertia, slice(None))
            A, f, unknowns, basis = self._linearize_bodies(state, inertia)
            strands = self.unknowns.strands
            if strands is not None:
                own_scale = max(self._momentum(inertia, strands.rows), SLOW * length_of(inertia.diagonal[strands.rows]))
                weight = self.strand_weight(scale, own_scale)
                own = strands.linearize(state, self.gradient, weight)
                f, unknowns = (np.concatenate(both) for both in zip((f, unknowns), own, strict=True))
            return Linearization(A, f, unknowns, self.unknowns.basis(basis), scale, time_step)

    def _momentum(self, inertia, rows):
        """A scale of it [kg m/s], of the free nodes in some rows."""
        return max(length_of(inertia.momentum[rows][self.model.is_free[rows]]), TINY)

    def _linearize_bodies(self, state, inertia) -> ReducedSystem:
        gradient, velocities = (values[self.body_rows] for values in (self.gradient.nodes, state.velocities))
        if self.rigid:
            A = node_matrix(self.system, inertia)
            _refuse_lost_numbers(A.diagonal(), gradient.ravel())
            return self.rigid.reduced(A, gradient, velocities, inertia.rows(self.body_rows))
        if not len(velocities):
            return ReducedSystem(None, np.zeros(0), np.zeros(0), None)
        A, f, diagonal = self.node_dynamics(velocities.ravel())
        f -= gradient.ravel()
        _refuse_lost_numbers(diagonal, f)
        return ReducedSystem(A, f, velocities.ravel(), None)

    def _linearize_nodes(self, state, inertia, time_step):
        self.system.linearize(state, inertia, time_step, self.gradient)
        bodies = self.system.bodies
        if bodies is None:  # no body but rigid ones: no law joins any nodes
            rows = self.body_rows
            masses, momentum = inertia.diagonal[rows], inertia.momentum[rows]
            np.subtract(masses[:, None] * state.velocities[rows], momentum, out=self.gradient.nodes[rows])
        else:
            hold_rows(*bodies.pattern, bodies.is_free, bodies.blocks)

    def _solve_rounds(self, linear, state, contacts, more_contacts):
        """One linearization, with contacts added and taken as they are, until it runs into nothing new."""
        unknowns, iterations = linear.unknowns, 0
        for _ in range(self.settings.rounds):
            self.frames = frames_of(contacts)
            solution = self.solve_linear(linear, self.unknowns.contacts_of(contacts), state, unknowns)
            unknowns, iterations = solution.unknowns, iterations + solution.iterations
            velocities = self.unknowns.velocities(unknowns)
            self._remember(solution, contacts, state)
            new = more_contacts(velocities.nodes)
            if new is not None:
                contacts = joined([contacts, new])
                unknown = np.full(new.contact_count, OPEN, np.uint8)
                self.contact_states = np.concatenate([self.contact_states, unknown])
            turned = self.relinearized(contacts, velocities.nodes, more_contacts)
            if new is None and turned is None:
                break
            contacts = contacts if turned is None else turned
        if not self.rigid:  # contacts of two rigid bodies all touch the same nodes
            known = known_impulses(contacts, self._all_impulses(contacts), linear.time_step)
            state.contact_memory = known.packed()
        nodes = velocities.nodes
        result = AdmmResult(nodes, nodes, np.zeros_like(nodes), iterations, [solution.residual])
        result.converged = self.is_solved = solution.converged and new is None and turned is None
        return velocities, result, contacts

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
            pushes = state.impulses
            return impulses_from_nodes(problem(), linear.basis.pull(pushes) if linear.basis else pushes.ravel())
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
    """A of bodies' nodes (3 b, 3 b) [kg], linearized already; where no law joins any, what inertia makes of it."""
    if system.bodies is None:
        assert inertia is not None  # cloth and soft bodies have laws
        return sparse.csr_array(sparse.diags_array(np.repeat(inertia.diagonal[system.model.body_nodes], 3)))
    offsets, columns = system.bodies.pattern
    return sparse.csr_array(sparse.bsr_array((system.bodies.blocks, columns, offsets)))


def frames_of(contacts: NodalContacts) -> np.ndarray:
    """Rows normal, tangent, tangent (m, 3, 3); any tangents will do for cones of friction."""
    normals = contacts.normals
    tangents = contacts.tangents if len(contacts.tangents) else any_tangents(normals)
    return np.stack([normals, tangents, np.cross(normals, tangents)], axis=1)


def _refuse_lost_numbers(diagonal, f):
    """The simulation then says which object it was."""
    is_lost = ~(np.isfinite(f) & np.isfinite(diagonal) & (diagonal > 0.0))
    if is_lost.any():
        node, axis = divmod(int(np.argmax(is_lost)), 3)
        raise NotPositiveDefinite(node, axis)
