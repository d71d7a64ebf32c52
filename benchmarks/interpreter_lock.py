"""How long a bake's thread keeps the interpreter from all others, and what our callbacks in the window take.

A thread that would tick every five milliseconds stands for Blender's window, without drawing. What is late by more
waits for the interpreter: some call in the bake has not let go of it. On a machine that is busy otherwise, gaps grow.
`python -m benchmarks.interpreter_lock` prints these rows alone.
"""

import threading
import time

import bpy
import numpy as np

from stiction.addon.bake_session import BakeSession
from stiction.addon.progress import READING

from .blender_scenes import add_groom, add_sheet, empty_file, registered, temporary_cache
from .report import Row, print_table

TITLE = "The window during a bake"
FRAMES = 6
FRAME = "Frame"  # stage of a bake that simulates
TICK = 0.005  # [s]
TIMER = 0.05  # [s], as the operator's
USUAL, WORST = 0.1, 0.25  # gaps [s]: of 99 in 100, and of all
IN_CALLBACK = 0.01  # [s]


def measure() -> list[Row]:
    return [*_rows("cloth of 80 × 80 on a ball", _add_cloth), *_rows("1,000 strands", _add_hair)]


def _rows(what, build):
    _run(build, 2)  # kernels are loaded
    gaps, callbacks = _run(build, FRAMES)
    median, usual, worst = np.quantile(gaps, [0.5, 0.99, 1.0])
    *_, (last, _) = callbacks
    reading = [seconds for seconds, progress in callbacks if progress is not None and progress.stage == READING]
    between = [seconds for seconds, progress in callbacks if progress is not None and progress.stage == FRAME]
    return [
        _row(f"{what}: gaps between ticks, median {_ms(median)}; of 99 in 100", usual, USUAL),
        _row(f"{what}: the longest of {len(gaps)} gaps", worst, WORST),
        _row(f"{what}: our callback while frames are simulated, the longest", max(between), IN_CALLBACK),
        _row(f"{what}: our callback while the scene is read and checked, the longest", max(reading), IN_CALLBACK),
        _row(f"{what}: our last callback: what is baked plays", last, IN_CALLBACK)._replace(bound=None),
    ]


def _row(what, seconds, most):
    return Row(what, _ms(seconds), _ms(most), seconds / most, 1.0)


def _run(build, last_frame):
    """Gaps between ticks while frames are simulated, and all callbacks: their times [s] and what they told."""
    empty_file(last_frame)
    build()
    callbacks, ticker = [], Ticker()
    with temporary_cache():
        steps = BakeSession(bpy.context).run()
        progress = _timed_next(steps, callbacks)
        while progress is not None:
            ticker.counts = progress.stage == FRAME
            time.sleep(TIMER)
            progress = _timed_next(steps, callbacks)
        ticker.end()
    return ticker.gaps, callbacks


def _timed_next(steps, callbacks):
    start = time.thread_time()  # without the time in which others have the processor: ticks tell of that
    progress = next(steps, None)
    callbacks.append((time.thread_time() - start, progress))
    return progress


class Ticker:
    """A thread that ticks, and remembers how long it took from tick to tick while it counts."""

    def __init__(self):
        self.counts, self.gaps = False, []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        last, counted = time.perf_counter(), False
        while not self._ends.is_set():
            time.sleep(TICK)
            now = time.perf_counter()
            if self.counts and counted:
                self.gaps.append(now - last)
            last, counted = now, self.counts

    def end(self):
        self._ends.set()
        self._thread.join()


def _add_cloth():
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, segments=48, ring_count=24)
    bpy.ops.stiction.add(kind="COLLIDER")
    add_sheet("Sheet", "CLOTH", side=81).location.z = 0.31


def _add_hair():
    bpy.ops.mesh.primitive_plane_add(size=4, location=(0, 0, -0.01))
    bpy.ops.stiction.add(kind="COLLIDER")
    groom = add_groom(1_000, width=0.13)
    groom.rotation_euler.x = 1.2  # so that they fall on each other


def _ms(seconds):
    return f"{1e3 * seconds:.1f} ms"


if __name__ == "__main__":
    with registered():
        print_table(TITLE, measure())
