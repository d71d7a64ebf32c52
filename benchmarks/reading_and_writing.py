"""Blender → Scene and Frame → cache, against plain copies of the same bytes from and to disk."""

import tempfile
import time
from pathlib import Path

import bpy
import numpy as np

from stiction.addon.read_scene import SceneReader, read_start
from stiction.solver import FrameReport
from stiction.solver.frame_store import FrameStore
from stiction.solver.state import new_state

from .blender_scenes import POINTS, SIDE, STRANDS, add_groom, add_sheet, empty_file, move_up
from .report import Row
from .timing import best_seconds

TITLE = "Reading and writing, a frame"
BOUND = 3.0
FRAMES = 20


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            _read_start_of_mesh(Path(folder)),
            _read_start_of_hair(Path(folder)),
            _read_moving_collider(Path(folder)),
            _read_moving_hair(Path(folder)),
            _write_frames(Path(folder), "mesh of 100k vertices", SIDE * SIDE),
            _write_frames(Path(folder), "hair 10k × 32", STRANDS * POINTS),
        ]


def _read_start_of_mesh(folder):
    empty_file(FRAMES)
    add_sheet("Sheet", "CLOTH")
    item = _read_start().objects["Sheet"]
    return _against_disk("mesh of 100k vertices", folder, [item.positions, item.triangles])


def _read_start_of_hair(folder):
    empty_file(FRAMES)
    add_groom()
    item = _read_start().objects["Groom"]
    return _against_disk("hair 10k × 32", folder, [item.positions, item.strand_offsets])


def _read_start():
    return read_start(bpy.context.scene, bpy.context.view_layer)


def _against_disk(what, folder, arrays):
    """Reading what Blender holds, against reading the same arrays from a file."""
    for number, array in enumerate(arrays):
        array.tofile(folder / str(number))
    ours = best_seconds(_read_start)
    plain = best_seconds(lambda: [np.fromfile(folder / str(i), a.dtype) for i, a in enumerate(arrays)])
    return Row(f"Blender → Scene, once a bake, {what}", _ms(ours), f"numpy from disk {_ms(plain)}", ours / plain)


def _read_moving_collider(folder):
    """Each frame of a collider goes to disk as part of the scene: 8 bytes a coordinate."""
    empty_file(FRAMES)
    move_up(add_sheet("Body", "COLLIDER"), FRAMES)
    add_sheet("Sheet", "CLOTH")
    return _each_frame("moving 100k-vertex collider", folder, np.zeros((SIDE * SIDE, 3)))


def _read_moving_hair(folder):
    """The roots of hair follow the evaluated curves: all of Blender's 4 bytes a coordinate are looked at."""
    empty_file(FRAMES)
    move_up(add_groom(), FRAMES)
    return _each_frame("moving hair 10k × 32", folder, np.zeros((STRANDS * POINTS, 3), np.float32))


def _each_frame(what, folder, same_bytes):
    ours = min(_seconds_a_frame(Path(tempfile.mkdtemp(dir=folder))) for _ in range(3))
    plain = best_seconds(lambda: same_bytes.tofile(folder / "plain"), 20)
    return Row(f"Blender → Scene, each frame, {what}", _ms(ours), f"numpy to disk {_ms(plain)}", ours / plain, BOUND)


def _seconds_a_frame(folder):
    """Time between samples, the best of a run."""
    reader = SceneReader(bpy.context.scene, bpy.context.view_layer, folder)
    times = []
    for done, _ in reader.read():
        if done:  # the start is read before
            times.append(time.perf_counter())
    return float(np.diff(times).min())


def _write_frames(folder, what, count):
    """A frame with its checkpoint, against numpy writing as many bytes."""
    positions = np.random.default_rng(1).normal(size=(count, 3))
    state = new_state(positions.copy(), positions.copy())
    cache = folder / what
    store = FrameStore.create(cache, {"Object": count}, 1, 30, {})
    store.start_writing()
    times = []
    for number in range(1, 31):
        start = time.perf_counter()
        store.append(number, {"Object": positions}, FrameReport(number), state)
        times.append(time.perf_counter() - start)
    store.close()
    single = positions.astype(np.float32)
    plain = best_seconds(lambda: _copy_to_disk(folder, single, state), 20)
    what = f"Frame → cache, {what}"
    return Row(what, _ms(min(times)), f"numpy to disk {_ms(plain)}", min(times) / plain, BOUND)


def _copy_to_disk(folder, single, state):
    single.tofile(folder / "single")
    state.positions.tofile(folder / "positions")
    state.velocities.tofile(folder / "velocities")


def _ms(seconds):
    return f"{1e3 * seconds:.2f} ms"
