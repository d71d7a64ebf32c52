"""What touches, drawn in the viewport: points coloured by state, and lines along the forces."""

from typing import NamedTuple

import bpy
import numpy as np

from ..solver.errors import CacheError
from ..solver.frame_store import JOURNAL_NAME, FrameStore
from ..solver.manifest import Manifest
from ..solver.touch_states import NO_TOUCH, OPENS, SLIPS, STICKS
from ..solver.vertex_measures import MEASURES
from .bake_status import file_stamp
from .cache_folder import cache_folder
from .units import metres_per_unit, transformed

COLOURS = {OPENS: (0.3, 0.6, 1.0, 1.0), STICKS: (0.15, 0.85, 0.35, 1.0), SLIPS: (1.0, 0.55, 0.1, 1.0)}
POINT_PIXELS = 6.0
CLASSES = ()


class Marks(NamedTuple):
    """What is drawn of a frame."""

    points: np.ndarray  # vertices that are touched, in the world          (m, 3)
    ends: np.ndarray  # of the lines from them, along their forces         (m, 3)
    colours: np.ndarray  # (m, 4)


def contact_marks(scene: bpy.types.Scene, frame: int) -> Marks:
    """Of all objects whose bake has measures, at a frame."""
    nothing = np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 4))
    store = _store_of(scene)
    parts = [_marks_of(scene, store, name, frame) for name in _measured(scene, store, frame)] if store else []
    return Marks(*(np.concatenate(columns).astype(np.float32) for columns in zip(nothing, *parts)))


def _store_of(scene):
    """The bake of the scene, if there is one that can be read."""
    folder = cache_folder(scene)
    if folder is None or not (folder / Manifest.FILE_NAME).exists():
        return None
    try:
        return FrameStore.open(folder)
    except CacheError:
        return None


def _measured(scene, store, frame):
    is_there = store.frames_done and store.manifest.first_frame <= frame <= store.last_frame_done
    names = [name for name in store.manifest.objects if name + MEASURES in store.manifest.objects]
    return [name for name in names if is_there and name in scene.objects]


def _marks_of(scene, store, name, frame):
    """The positions are stored in the space of the object, as it is at that frame."""
    forces, measures = np.split(store.positions(name + MEASURES, frame).astype(float), 2)
    states = 0.5 * np.round(2.0 * measures[:, 0])
    rows = np.flatnonzero(states != NO_TOUCH)
    matrix = np.array(scene.objects[name].matrix_world, float)
    points = transformed(store.positions(name, frame)[rows], matrix)
    ends = points + forces[rows] * scene.stiction.force_line / metres_per_unit(scene)
    return points, ends, np.array([COLOURS[state] for state in states[rows]]).reshape(-1, 4)


_handles: list = []
_drawn: dict = {}  # the marks of the last frame, and what they were made for


def _marks_now(scene):
    """Read again only when the frame or the bake is another."""
    folder = cache_folder(scene)
    stamp = file_stamp(folder / JOURNAL_NAME) if folder else None
    key = (str(folder), stamp, scene.frame_current, scene.stiction.force_line)
    if _drawn.get("key") != key:
        _drawn.update(key=key, marks=contact_marks(scene, scene.frame_current))
    return _drawn["marks"]


def _draw():
    scene = bpy.context.scene
    if not scene.stiction.shows_contacts:
        _drawn.clear()
        return
    import gpu
    from gpu_extras.batch import batch_for_shader

    marks = _marks_now(scene)
    if not len(marks.points):
        return
    shader = gpu.shader.from_builtin("FLAT_COLOR")
    lines = np.stack([marks.points, marks.ends], axis=1).reshape(-1, 3)
    gpu.state.point_size_set(POINT_PIXELS)
    for kind, positions, colours in (
        ("LINES", lines, np.repeat(marks.colours, 2, axis=0)),
        ("POINTS", marks.points, marks.colours),
    ):
        batch_for_shader(shader, kind, {"pos": positions, "color": colours}).draw(shader)  # type: ignore[dict-item]


def register():
    if not bpy.app.background:
        _handles.append(bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW"))


def unregister():
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")
    _drawn.clear()
