"""The simulation: from a scene to its frames."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np

from .bodies.placement import place
from .errors import Interrupted, Problem, SceneRefused, SimulationDiverged
from .frame import Frame
from .integrator.linearizations import linearizations_of
from .integrator.projected_newton import ProjectedNewton
from .model_builder import build_placed
from .report import FrameReport
from .scene import NEWTON, NO_CONTACTS, Scene
from .stage_timer import StageTimer
from .state import State
from .validation import refuse_bad_scene, refuse_empty_range

FARTHEST = 1e12  # [m]; beyond this something went wrong, long before single precision overflows


class Integrator(Protocol):
    def start_frame(self) -> None:
        """Forget what a bake that goes on from here would not know."""

    def advance(self, state: State, time_step: float) -> None: ...

    def tell(self, report: FrameReport) -> None:
        """Add what happened in the last step."""


class Simulation:
    """Advances a scene step by step; refuses a bad scene at once."""

    def __init__(self, scene: Scene, contact_method: str | None = None):
        """A contact method other than the scene's may be asked for."""
        if contact_method is not None:
            scene = replace(scene, contact_method=contact_method)
        self.warnings = refuse_bad_scene(scene)
        self.scene = scene
        self.timer = StageTimer(before_stage=self._end_if_asked)
        self.should_stop: Callable[[], bool] = lambda: False  # asked before each stage of a step
        placed = place(scene)
        self.model, self.state, warnings = build_placed(scene, placed)
        self.warnings += warnings
        self.integrator = self._new_integrator(placed)
        self.on_relaxation: Callable[[int, int], None] = lambda done, most: None  # told of its steps
        self._report = FrameReport(0)  # of the frame in work
        self._has_begun = False  # relaxed if that was asked, or restored from what was

    def _new_integrator(self, placed) -> Integrator:
        if self.scene.contact_method == NO_CONTACTS:
            return self._integrator_without_contacts()
        from .integrator.contact_integrator import contact_integrator  # compiled when there are contacts

        return contact_integrator(self.scene, placed, self.model, self.state.positions, self.timer)

    def _integrator_without_contacts(self):
        if self.scene.integrator == NEWTON:
            newton = ProjectedNewton(self.model, self.state.positions)
            newton.settings.iterations = linearizations_of(self.scene, self.model)
            return newton
        from .integrator.admm_integrator import AdmmIntegrator  # compiled when it is asked for

        return AdmmIntegrator(self.model, self.state.positions)

    def frames(self, first: int, last: int) -> Iterator[Frame]:
        """The frames from `first` to `last`; the start frame is the scene as it is, or as it is at rest."""
        refuse_empty_range(first, last)
        if first < self.frame_number:
            raise SceneRefused([Problem("", f"Frame {first} lies before the state at frame {self.frame_number}.")])
        self._begin()
        for number in range(first, last + 1):
            steps_before = self.state.step
            while self.frame_number < number:
                self.advance_frame()
            yield self.current_frame(self.state.step - steps_before)

    def _begin(self):
        """Relax first, if that is asked; once, and never what an earlier run has relaxed."""
        if self.scene.relaxes_first and not self._has_begun:
            self._relax()
        self._has_begun = True

    def _relax(self):
        from .first_relaxation import relax_first  # compiled when it is asked for

        state = self.state.copy()  # one that is stopped leaves nothing behind
        with self.timer.stage("relaxation"):
            warnings = relax_first(self.model, state, self._before_relaxation_step)
        self.state = state
        self._refuse_divergence()
        self.warnings += warnings

    def _before_relaxation_step(self, done, most):
        self._end_if_asked()
        self.on_relaxation(done, most)

    def _end_if_asked(self):
        if not self.should_stop():
            return
        if not self._has_begun:
            raise Interrupted("Stopped before the first frame, while the objects came to rest.")
        raise Interrupted(f"Stopped in frame {self.frame_number + 1}.")

    def advance_frame(self):
        """All steps of a frame, or none: one that is stopped in the midst of a step leaves what was before."""
        before = self.state.copy()
        try:
            self._advance_frame()
        except Interrupted:
            self.state, self._report = before, FrameReport(0)
            raise
        self._refuse_divergence()

    def _advance_frame(self):
        self.integrator.start_frame()
        for _ in range(self.scene.steps_per_frame):
            with self.timer.stage("step"):
                self.advance()

    def advance(self):
        """One time step."""
        with self.timer.stage("dynamics"):
            self.integrator.advance(self.state, self.scene.time_step)
            self.integrator.tell(self._report)

    @property
    def frame_number(self) -> int:
        """The last frame that is complete."""
        return self.scene.start_frame + self.state.step // self.scene.steps_per_frame

    def current_frame(self, steps: int) -> Frame:
        positions = {span.name: self._vertices(span) for span in self.model.spans}
        report, self._report = self._report, FrameReport(0)
        report.frame_number, report.steps, report.timings = self.frame_number, steps, self.timer.take()
        report.largest_speed = float(np.linalg.norm(self.state.velocities, axis=1).max())
        return Frame(self.frame_number, positions, report)

    def _vertices(self, span):
        nodes = self.state.positions[span.first : span.end]
        if span.skin is None:
            return nodes.copy()
        from .volume.embedding import embed  # compiled when there is a skin

        return embed(span.skin, nodes)

    def touch(self):
        """What touches what at the end of the last step (solver/touch.py), and where the points of the surface are.

        None where nothing collides, and before the first step.
        """
        look = getattr(self.integrator, "touch", None)
        return look() if look else None

    @property
    def surface(self):
        """Of all objects that collide; None where nothing does."""
        return getattr(self.integrator, "surface", None)

    def restore(self, state: State) -> None:
        """Go on from a checkpoint of the same scene."""
        if state.positions.shape != self.state.positions.shape:
            raise SceneRefused([Problem("", "The checkpoint belongs to a scene with another number of points.")])
        self.state = state.copy()
        self._has_begun = True

    def _refuse_divergence(self):
        for span in self.model.spans:
            rows = slice(span.first, span.end)
            is_sane = np.abs(self.state.positions[rows]).max() < FARTHEST  # false for what is not a number, too
            if not (is_sane and np.isfinite(self.state.velocities[rows]).all()):
                raise SimulationDiverged(self.frame_number, span.name)
