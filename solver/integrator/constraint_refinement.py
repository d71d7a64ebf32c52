"""Steps that leave nothing crossed: contacts are added until none is missing [Otaduy et al. 2009, section 4].

Solve, look for what would cross on the way, add it, solve again. What goes on crossing gets a shorter step; and what
crosses then is held back on its way (docs/theory/refinement.md).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..collision.candidates import StepCandidates
from ..collision.errors import TooManyPairs
from ..collision.left_boxes import clip_strays
from ..collision.scene_friction import SceneFriction
from ..collision.surface import CollisionSurface
from ..collision.surface_parts import point_positions
from ..contact.coulomb_law import SLIP, STICK
from ..contact.from_surface import GivenMotion
from ..linear_algebra.errors import NotPositiveDefinite
from ..model import Model
from ..motion import positions_at
from ..report import FrameReport
from ..rigid.rigid_bodies import keep_shapes
from ..stage_timer import StageTimer
from ..state import State
from ..touch import StepTouch
from .carried_nodes import carry_bound, pushed_surface
from .contact_set import ContactSet
from .contact_solver import ContactSolver
from .growing_contacts import GrowingContacts
from .held_motion import HeldMotion, Moving
from .step_start import inertia_of, move_given, put_given
from .tangles import Tangles

STRAY = 10.0
GivenPositions = Callable[[float], list[np.ndarray | None]]  # of the colliders at a time [s]


@dataclass
class RefinementSettings:
    passes: int = 5  # before the step is halved
    halvings: int = 2  # before motion is held back
    few: float = 5e-4  # of the contacts: so many crossings are held back rather than solved again,
    most_held: float = 1e-3  # if not more than this share of the nodes has to be
    margin: float = 0.5  # around swept boxes, over the mean radius of the thinnest object
    room: float = 0.15  # to spare in swept boxes, over the way of a free fall that a step adds


@dataclass
class StepReport:
    contact_count: int = 0
    sticking: int = 0  # of the contacts
    slipping: int = 0
    passes: int = 0
    halvings: int = 0
    held_back: int = 0  # nodes
    forced: int = 0  # pairs that cross because both are given, or cannot give way
    admm_iterations: int = 0
    residual: float = 0.0  # δ∞ of the last solve [m]


class ConstraintRefinement:
    """Moves the state over a time step."""

    def __init__(
        self,
        model: Model,
        surface: CollisionSurface,
        given_positions: GivenPositions,
        friction: SceneFriction,
        solver: ContactSolver,
        timer: StageTimer | None = None,
    ):
        self.model, self.surface, self.given_positions = model, surface, given_positions
        self.friction = friction
        self.timer = timer or StageTimer()
        self.solver = solver
        self.pushed = pushed_surface(surface, model)
        self.candidates = StepCandidates(self.pushed)
        self.tangles, self.looks_for_tangles = Tangles(surface), True
        self.settings = RefinementSettings()
        self.margin = self.settings.margin * _thinnest_radius(surface)
        self.report = StepReport()
        self._last_step: _Step | None = None

    def start_frame(self) -> None:
        """What a bake that goes on here would start with: search trees depend on when they were built."""
        self.candidates.forget_trees()
        self.looks_for_tangles = self.tangles.is_due

    def advance(self, state: State, time_step: float) -> None:
        self.report = StepReport()
        self._advance(state, state.step * time_step, time_step, self.settings.halvings)
        state.step += 1

    def tell(self, report: FrameReport) -> None:
        report.contacts, report.contact_residual = self.report.contact_count, self.report.residual
        report.sticking, report.slipping = self.report.sticking, self.report.slipping
        report.contact_iterations += self.report.admm_iterations
        report.refinement_passes += self.report.passes
        report.halvings += self.report.halvings
        report.held_back += self.report.held_back
        report.forced += self.report.forced
        report.tangles = self.tangles.count

    def touch(self) -> tuple[StepTouch, np.ndarray] | None:
        """The contacts of the last step, and where all points are at its end (p, 3) [m]; None before the first."""
        step = self._last_step
        if step is None:
            return None
        contacts = StepTouch(self.surface, step.contact_set.on_surface, self.solver.contact_impulses,
                             self.solver.contact_states, step.time_step)  # fmt: skip
        return contacts, step.end_points()

    def _advance(self, state, start_time, time_step, halvings_left):
        before = state.copy()
        step = _Step(self, state, start_time, time_step)
        if self._is_taken(step, halvings_left):
            step.finish()
            self._last_step = step
            return
        self.report.halvings += 1
        _restore(state, before)
        state.impulses *= 0.5
        for part in range(2):
            self._advance(state, start_time + 0.5 * part * time_step, 0.5 * time_step, halvings_left - 1)

    def _is_taken(self, step, halvings_left):
        """Whether a step was found that crosses nothing; what sweeps through too much is tried in shorter ones."""
        try:
            if step.refine():
                return True
            may_hold_back = not halvings_left or step.is_known_crossing
            return may_hold_back and step.hold_back(not halvings_left)
        except TooManyPairs:
            if not halvings_left:
                raise
            return False


class _Step:
    """One step, or a part of it."""

    def __init__(self, refinement: ConstraintRefinement, state, start_time, time_step):
        self.refinement, self.state = refinement, state
        self.model, self.time_step, self.end_time = refinement.model, time_step, start_time + time_step
        self.start = state.positions.copy()
        self.given_end = refinement.given_positions(self.end_time)
        self.starts = self._points(self.start, refinement.given_positions(start_time))
        self.ends = self.starts.copy()
        # What crosses although its contact is known is not held by the solution, and would not be in a shorter step.
        self.is_known_crossing = False

    def refine(self) -> bool:
        """Whether a solution was found that crosses nothing."""
        solver, report = self.refinement.solver, self.refinement.report
        inertia = inertia_of(self.model, self.state, self.end_time, self.time_step)
        move_given(self.model, self.state, self.start, self.end_time, self.time_step)
        self.state.positions[:] = self.start + self.time_step * self.state.velocities
        solver.start_step(self.state, self.start, self.end_time, self.time_step)
        with self.refinement.timer.stage("detection"):
            self._search()
        iterations = solver.settings.newton_iterations
        more_contacts = GrowingContacts(self.contact_set, self._led_by, self.refinement.timer)
        for _ in range(self.refinement.settings.passes):
            report.passes += 1
            contacts = self.contact_set.nodal()
            try:
                results = solver.solve(
                    self.state, self.start, inertia, self.time_step, contacts, more_contacts, iterations
                )
            except NotPositiveDefinite as error:  # numbers beyond all bounds: the simulation says which object it was
                rows = self.model.strand_nodes if error.is_of_strand else self.model.body_nodes
                self.state.positions[rows][error.node] = np.nan
                return True
            iterations = 1  # more: the last solution is a good guess
            report.admm_iterations += sum(result.iterations for result in results)
            report.residual, report.contact_count = results[-1].history[-1], self.contact_set.contact_count
            report.sticking, report.slipping = (int((solver.contact_states == kind).sum()) for kind in (STICK, SLIP))
            with self.refinement.timer.stage("detection"):
                crossing = self.contact_set.crossing(self._ends(self.state.positions))
            if not len(crossing.contact_times) or self._can_hold_back(crossing):
                return True
            has_new = self.contact_set.add(crossing) is not None
            if self.is_known_crossing and not has_new:
                return False
            self.is_known_crossing = not has_new
        return False

    def _can_hold_back(self, crossing):
        """Whether what little crosses was held back, without holding back much else: cheaper than to solve again."""
        few = self.refinement.settings.few * self.contact_set.contact_count
        most = self.refinement.settings.most_held * len(self.model.is_free)
        return len(crossing.contact_times) <= few and self.hold_back(may_force=False, most=most)

    def hold_back(self, may_force: bool, most: float = np.inf) -> bool:
        """Whether that was enough; where colliders run over what is held back, a shorter step may do.

        At most so many nodes are held back.
        """
        nodes = Moving(self.start, self.state.positions - self.start)
        points = Moving(self.starts, self.meant_ends - self.starts)
        held = HeldMotion(self.refinement.pushed, self.model.masses, self.model.is_free, nodes, points)
        with self.refinement.timer.stage("detection"):
            held.hold(self._crossing_after, most)
        if held.held_count > most or (held.forced and not may_force):
            return False
        self.state.positions[:] = self._moved(held.motion)
        self.state.velocities[:] = (self.state.positions - self.start) / self.time_step
        self.refinement.solver.follow(self.state, self.start, self.time_step)
        report = self.refinement.report
        report.held_back, report.forced = report.held_back + held.held_count, report.forced + held.forced
        self.refinement.tangles.is_due |= held.forced > 0
        return True

    def _crossing_after(self, motion):
        """What crosses when the nodes move so (n, 3) [m]."""
        with self.refinement.timer.stage("held_back"):
            return self.contact_set.crossing(self._ends(self._moved(motion)))

    def _moved(self, motion):
        return keep_shapes(self.model.rigid, carry_bound(self.model, self.start + motion))

    def end_points(self):
        """Where the points of the surface are at the end of the step (p, 3) [m]."""
        return self._points(self.state.positions, self.given_end)

    def finish(self):
        self.state.velocities[:] = (self.state.positions - self.start) / self.time_step
        self.refinement.solver.end_step(self.state, self.start)
        put_given(self.model, self.state, self.end_time)

    def _search(self):
        """Candidates for where the nodes' velocities would take them, and contacts at the start."""
        refinement = self.refinement
        if refinement.looks_for_tangles:
            refinement.tangles.find(self.starts)
            refinement.looks_for_tangles = False
        refinement.friction.start_step(self.end_time)
        self._points(carry_bound(self.model, self.state.positions.copy()), self.given_end, self.ends)
        self.meant_ends = self.ends.copy()
        refinement.candidates.search(self.starts, self.ends, refinement.margin, self._room())
        given = GivenMotion(
            self.model.is_free, self.state.velocities.copy(), (self.ends - self.starts) / self.time_step
        )
        self.contact_set = ContactSet(
            *(refinement.pushed, refinement.candidates, refinement.tangles, self.starts, given, self.time_step),
            *(refinement.friction, 2.0 * refinement.margin),
        )

    def _room(self):
        """So that most points end in their boxes: forces of the step take them elsewhere than their velocities [m]."""
        return self.refinement.settings.room * self._fall()

    def _stray(self):
        """How far the first iterations are believed beyond the way that was meant [m].

        They may fling light nodes through the whole scene; where they end in fact is checked in full.
        """
        return STRAY * (self._fall() + self.refinement.margin)

    def _fall(self):
        """What a step adds to a free fall [m]."""
        return float(np.linalg.norm(positions_at(self.model.gravity, self.end_time))) * self.time_step**2

    def _led_by(self, velocities):
        """Where points would be with these velocities (n, 3) [m/s], as far as they are believed."""
        ends = self._ends(carry_bound(self.model, self.start + self.time_step * velocities))
        clip_strays(self.starts, self.meant_ends, self._stray(), ends)
        return ends

    def _ends(self, positions):
        return self._points(positions, self.given_end, self.ends)

    def _points(self, node_positions, given, out=None):
        surface = self.refinement.surface
        out = np.empty((len(surface.points.radii), 3)) if out is None else out
        return point_positions(surface, node_positions, given, out)


def _thinnest_radius(surface):
    """The mean of the object that moves by itself and has the smallest [m]; by a shirt's, all hair would touch."""
    objects, radii = surface.points.objects, surface.points.radii
    is_given = surface.points.is_given
    moving = np.unique(objects[~is_given])
    return min((float(radii[objects == number].mean()) for number in moving), default=0.0)


def _restore(state, before):
    for name, array in before.arrays().items():
        if name == "contact_memory":  # there may be more contacts than before
            state.contact_memory = array
        else:
            getattr(state, name)[:] = array
