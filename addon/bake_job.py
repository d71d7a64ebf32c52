"""The worker thread of a bake: simulates and stores, and never touches Blender."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..solver.errors import Interrupted
from ..solver.frame_store import FrameStore
from ..solver.report import FrameReport
from ..solver.scene import NO_CONTACTS
from .bake_wish import BakeWish
from .progress import Progress
from .read_scene import BakeInputs
from .write_playback import to_local

if TYPE_CHECKING:  # its kernels are compiled by the thread
    from ..solver.simulation import Simulation


class BakeJob:
    """Bakes `inputs` into `folder`; the main thread reads `progress` and, in the end, `store` and `error`."""

    def __init__(self, inputs: BakeInputs, folder: Path, wish: BakeWish, kernel_folder: Path | None):
        self.inputs = inputs
        self.folder = folder
        self.wish = wish
        self.kernel_folder = kernel_folder
        self.progress = Progress("Preparing", 0, 1)
        self._simulation: Simulation | None = None  # once it is built
        self.store: FrameStore | None = None  # stays None if the folder or the scene was refused
        self.error: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stiction bake", daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        """Ask for the end; the frame in work is given up."""
        self._stop.set()

    def join(self):
        self._thread.join()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    @property
    def warnings(self) -> list[str]:
        """Sentences of the simulation, once it is built; more of them when the objects have been relaxed."""
        return [problem.sentence for problem in self._simulation.warnings] if self._simulation else []

    def _run(self):
        try:
            self._compile_kernels()
            self._bake()
        except BaseException as error:  # handed to the main thread, which raises or shows it
            self.error = error

    def _compile_kernels(self):
        from ..solver import jit_cache

        if self.kernel_folder:
            jit_cache.use_folder(self.kernel_folder)
        from ..solver.kernel_imports import import_kernels

        import_kernels(self.inputs.scene)

        for done, total, name in jit_cache.compile_kernels(self._stop.is_set):
            self.progress = Progress(f"Preparing the solver: {name}", done, total)

    def _bake(self):
        from ..solver.bake import bake
        from ..solver.simulation import Simulation

        simulation = self._simulation = Simulation(self.inputs.scene)
        simulation.should_stop = self._stop.is_set
        simulation.on_relaxation = self._note_relaxation
        store = self.store = self._prepare_store()
        frame_range = (self.inputs.first_frame, self.inputs.last_frame)
        self._clock = _Clock(store.frames_done, frame_range)
        self.progress = self._clock.progress(store.frames_done)
        collides = simulation.scene.contact_method != NO_CONTACTS
        bake(simulation, store, self._local_positions, self._note_frame, counts_intersections=collides)

    def _prepare_store(self):
        """The folder as the wish will have it."""
        from ..solver.bake import prepare_rebake, prepare_store
        from ..solver.vertex_measures import with_measures

        frame_range = (self.inputs.first_frame, self.inputs.last_frame)
        described = describe_inputs(self.inputs)
        if self.wish.from_frame is not None:
            return prepare_rebake(self.folder, self.wish.from_frame, frame_range, described)
        if self.wish.overwrite:
            _free_if_there(self.folder)
        counts = {item.name: len(item.positions) for item in self.inputs.scene.simulated}
        counts = with_measures(counts) if self.wish.keeps_measures else counts
        return prepare_store(self.folder, counts, frame_range, described, self.wish.resume)

    def _local_positions(self, frame):
        """Modifiers work in the space of their object, as it is at that frame."""
        row = frame.number - self.inputs.first_frame
        return {
            name: to_local(positions, self.inputs.transforms[name][row]) for name, positions in frame.positions.items()
        }

    def _note_relaxation(self, done, most):
        self.progress = Progress("Coming to rest: step", done, most)
        self._clock.start_again()

    def _note_frame(self, frame):
        progress = self._clock.progress(frame.number - self.inputs.first_frame + 1)
        self.progress = progress._replace(details=frame_details(frame.report))
        if self._stop.is_set():
            raise Interrupted(f"Stopped after frame {frame.number}.")


class _Clock:
    """Estimates the time left from the frames of this run."""

    def __init__(self, done_before, frame_range):
        self.done_before = done_before
        self.total = frame_range[1] - frame_range[0] + 1
        self.start_again()

    def start_again(self):
        """What came before does not tell how long a frame takes."""
        self.start = time.monotonic()

    def progress(self, done):
        new = done - self.done_before
        pace = (time.monotonic() - self.start) / new if new else None
        return Progress("Frame", done, self.total, pace and pace * (self.total - done))


def frame_details(report: FrameReport) -> str:
    """What a frame was like, in a line; empty where nothing touches."""
    if not report.contacts:
        return ""
    words = f"{report.contacts:,} contacts ({report.sticking:,} stick), residual {report.contact_residual:.1e} m"
    return words + (f", {report.intersections} intersections" if report.intersections else "")


def describe_inputs(inputs: BakeInputs) -> dict:
    """All that the bake depends on: the scene, and how its objects move as a whole."""
    from ..solver.fingerprint import describe, describe_samples

    described = describe(inputs.scene)
    for name, transforms in inputs.transforms.items():
        times = [inputs.scene.time_of(inputs.first_frame + row) for row in range(len(transforms))]
        described["objects"][name]["transform"] = describe_samples(times, np.arange(len(times)), transforms)
    return described


def _free_if_there(folder):
    from ..solver.free_bake import free_bake
    from ..solver.manifest import Manifest

    if (folder / Manifest.FILE_NAME).exists():
        free_bake(folder)
