"""What the add-on adds to the solver's own time, and what playing a bake costs beside Blender's Mesh Cache.

The solver's own time is that of making the simulation and of its steps. All else of a bake is the add-on's: to read
the scene, to look for intersections in each frame, to write, to connect the playback.
`python -m benchmarks.addon_share` prints these rows alone.
"""

import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import bpy
import numpy as np

from stiction.addon.write_playback import connect_playback
from stiction.solver import FrameReport, simulation
from stiction.solver.frame_store import FrameStore
from stiction.solver.state import new_state
from tools.demo_shot import build as build_demo_shot

from .blender_scenes import SIDE, add_sheet, empty_file, registered, temporary_cache
from .report import Row, print_table
from .timing import best_seconds

TITLE = "In Blender"
MOST_ADDED = 0.05  # of the solver's own time
DEMO_FRAMES, SHEET_FRAMES = 12, 3
PLAYED_FRAMES = 20
AS_MUCH = 1.1  # within the noise


class ClockedSimulation(simulation.Simulation):
    """Adds up what it takes."""

    seconds = 0.0

    def __init__(self, *settings):
        self._clocked(super().__init__, *settings)

    def advance_frame(self):
        self._clocked(super().advance_frame)

    @staticmethod
    def _clocked(action, *settings):
        start = time.perf_counter()
        action(*settings)
        ClockedSimulation.seconds += time.perf_counter() - start


def measure() -> list[Row]:
    _bake(lambda: build_demo_shot(2), 2)  # kernels are loaded
    return [
        _share("the demo's shot", lambda: build_demo_shot(DEMO_FRAMES), DEMO_FRAMES),
        _share("a sheet of 100k vertices that falls on a ball", _add_falling_sheet, SHEET_FRAMES),
        _playback(),
    ]


def _share(what, build, last_frame):
    whole, own = _bake(build, last_frame)
    ours, solver = f"{whole - own:.2f} s of {whole:.1f} s", f"the solver's own {own:.1f} s"
    return Row(f"the add-on's part of {last_frame} frames, {what}", ours, solver, (whole - own) / own, MOST_ADDED)


def _bake(build, last_frame):
    """Seconds of the whole bake, and of the solver."""
    empty_file(last_frame)
    build()
    bpy.context.scene.frame_end = last_frame
    ClockedSimulation.seconds = 0.0
    with temporary_cache(), patch.object(simulation, "Simulation", ClockedSimulation):
        return best_seconds(bpy.ops.stiction.bake, 1), ClockedSimulation.seconds


def _add_falling_sheet():
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, segments=48, ring_count=24)
    bpy.ops.stiction.add(kind="COLLIDER")
    add_sheet("Sheet", "CLOTH").location.z = 0.301


def _playback():
    """The same file, played by what a bake leaves and by a modifier made by hand, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        path = _baked_sheet(Path(folder) / "cache")
        ours, plain = [], []
        for _ in range(3):
            ours.append(_seconds_played(lambda sheet: connect_playback(sheet, path, 1, None)))
            plain.append(_seconds_played(lambda sheet: _add_mesh_cache(sheet, path)))
    what = "a frame played, cloth of 100k vertices"
    return Row(what, _ms(min(ours)), f"Mesh Cache {_ms(min(plain))}", min(ours) / min(plain), AS_MUCH)


def _baked_sheet(folder):
    """A cache as a bake leaves it: a sheet that ripples."""
    empty_file(PLAYED_FRAMES)
    sheet = add_sheet("Sheet", "CLOTH")
    flat = np.empty((SIDE * SIDE, 3), np.float32)
    sheet.data.vertices.foreach_get("co", flat.ravel())
    store = FrameStore.create(folder, {"Sheet": len(flat)}, 1, PLAYED_FRAMES, {})
    store.start_writing()
    for number in range(1, PLAYED_FRAMES + 1):
        rippled = flat + np.sin(20.0 * flat[:, :1] + number) * [0.0, 0.0, 0.02]
        store.append(number, {"Sheet": rippled}, FrameReport(number), new_state(rippled, 0.0 * rippled))
    store.close()
    return store.path_of("Sheet")


def _seconds_played(connect):
    empty_file(PLAYED_FRAMES)
    connect(add_sheet("Sheet", "CLOTH"))
    scene, frames = bpy.context.scene, range(1, PLAYED_FRAMES + 1)
    return best_seconds(lambda: [scene.frame_set(frame) for frame in frames], 3) / PLAYED_FRAMES


def _add_mesh_cache(sheet, path):
    bpy.ops.stiction.remove()
    modifier = sheet.modifiers.new("Cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath, modifier.frame_start = "PC2", str(path), 1


def _ms(seconds):
    return f"{1e3 * seconds:.2f} ms"


if __name__ == "__main__":
    with registered():
        print_table(TITLE, measure())
