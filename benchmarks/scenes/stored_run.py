"""Long runs of a scene that can be stopped and go on: what was measured, and the state, are stored after each frame."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from stiction.solver import Scene, Simulation
from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.report import FrameReport
from stiction.solver.state import State

from .running import MeasuredFrame

FOLDER = Path("out/bench")  # one for each run is in it
FILE = "run.npz"
MEASURES = "measures"  # in the file, as JSON


class StoredRun:
    """One file, replaced as a whole after each frame: a run that is killed goes on with the frame it was in."""

    def __init__(
        self,
        folder: Path,
        scene: Scene,
        simulate: Callable[[Scene], Simulation] = Simulation,
        start: Callable[[], State] | None = None,
    ):
        """A run may start elsewhere than the scene does; frames then are those after that."""
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.simulation, self.starts_elsewhere = folder / FILE, simulate(scene), start is not None
        self.count_intersections = intersection_counter(scene)
        self.measured: list[MeasuredFrame] = []  # since the start frame
        if self.path.exists():
            self._restore()
        elif start is not None:
            self.simulation.restore(start())

    def frames(self, last: int) -> Iterator[MeasuredFrame]:
        """The frames that are still to do, each stored before it is handed out."""
        is_known = bool(self.measured) or self.starts_elsewhere  # the frame that the state is of
        first, start = self.simulation.frame_number + is_known, time.perf_counter()
        for frame in self.simulation.frames(first, last) if first <= last else ():
            seconds = time.perf_counter() - start
            self.measured.append(MeasuredFrame(frame.report, seconds, self.count_intersections(frame)))
            self._store()
            yield self.measured[-1]
            start = time.perf_counter()

    def _restore(self):
        with np.load(self.path, allow_pickle=False) as stored:
            rows = json.loads(str(stored[MEASURES]))
            arrays = {name: stored[name] for name in stored.files if name not in ("step", MEASURES)}
            self.simulation.restore(State(int(stored["step"]), **arrays))
        self.measured = [MeasuredFrame(FrameReport(**report), *others) for report, *others in rows]

    def _store(self):
        rows = [[entry.report.as_dict(), entry.seconds, entry.intersections] for entry in self.measured]
        state, unfinished = self.simulation.state, self.path.with_name(f"unfinished_{FILE}")
        np.savez(unfinished, step=state.step, **{MEASURES: json.dumps(rows)}, **state.arrays())
        unfinished.replace(self.path)
