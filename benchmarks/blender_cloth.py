"""Blender's own cloth beside ours, in one run: a sheet of 2 m falls on a ball of radius 0.5 m above the ground.

Both have the material that they call cotton, and collide with themselves. Blender's cloth is baked into its point
cache, ours by the operator. Crossings are counted in all frames by the same checker.
`python -m benchmarks.blender_cloth SIDE` prints the rows of a sheet of SIDE × SIDE squares.
"""

import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np

from stiction.addon.read_scene import read_start
from stiction.solver import FrameReport
from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.frame import Frame
from stiction.solver.frame_store import FrameStore
from tools.quiet import quiet

from .blender_scenes import empty_file, registered, temporary_cache
from .report import Row, print_table

TITLE = "Beside Blender's own cloth"
FRAMES = 24
SIDES = (100, 160)  # squares along an edge of the sheet
QUALITIES = (5, 10)  # steps that Blender takes in a frame
STEPS = (4, 2)  # that we take; first the default
SHEET, DISTANCE = "Sheet", 0.005  # [m], at which Blender's cloth begins to give way
COTTON = {"mass": 0.3, "tension_stiffness": 15, "compression_stiffness": 15, "shear_stiffness": 15,
          "bending_stiffness": 0.5, "tension_damping": 5, "compression_damping": 5, "shear_damping": 5}  # fmt: skip


class Run(NamedTuple):
    seconds: float  # a frame
    processor_seconds: float  # a frame, of all threads
    crossings: list[int]  # of each frame


def measure(sides: Sequence[int] = SIDES) -> list[Row]:
    _bake_ours(4, 1, 2)  # kernels are loaded
    return [row for side in sides for row in _rows(side)]


def _rows(side):
    theirs = {quality: _bake_blenders(side, quality) for quality in QUALITIES}
    best = theirs[max(QUALITIES)]
    rows = []
    for steps in STEPS:
        ours = _bake_ours(side, steps, FRAMES)
        what = f"{side} × {side}, {steps} steps a frame"
        for quality, run in theirs.items():
            ratio, bound = ours.seconds / run.seconds, 1.0 if run is best else None
            rows.append(Row(f"{what}: a frame", _s(ours), f"quality {quality}: {_s(run)}", ratio, bound))
        ratio = ours.processor_seconds / best.processor_seconds
        reference = f"quality {max(QUALITIES)}: {best.processor_seconds:.2f} s"
        rows.append(Row(f"{what}: a frame, processor's time", f"{ours.processor_seconds:.2f} s", reference, ratio))
        told = "; ".join(f"quality {quality}: {_told(run)}" for quality, run in theirs.items())
        rows.append(Row(f"{what}: crossings", _told(ours), told, float(sum(ours.crossings)), 0.0))
    return rows


def _build(side, last_frame):
    """Marked for us; what Blender's cloth needs comes later."""
    empty_file(last_frame)
    bpy.ops.mesh.primitive_plane_add(size=10)
    bpy.ops.stiction.add(kind="COLLIDER")
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, segments=64, ring_count=32, location=(0, 0, 0.6))
    bpy.ops.stiction.add(kind="COLLIDER")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=side, y_subdivisions=side, size=2, location=(0, 0, 1.15))
    bpy.context.object.name = SHEET
    bpy.ops.stiction.add(kind="CLOTH")
    return bpy.context.object


def _bake_ours(side, steps, last_frame):
    sheet = _build(side, last_frame)
    sheet.stiction.damping = 2e-3  # all else of cotton is the default
    bpy.context.scene.stiction.steps_per_frame = steps
    with temporary_cache() as folder:
        seconds = _timed(bpy.ops.stiction.bake, last_frame - 1)
        crossings = [line.report["intersections"] for line in FrameStore.open(folder).lines]
    return Run(*seconds, crossings)


def _bake_blenders(side, quality):
    sheet = _build(side, FRAMES)
    count = intersection_counter(read_start(bpy.context.scene, bpy.context.view_layer))
    for obj in bpy.context.scene.objects:
        if obj != sheet:
            obj.modifiers.new("Collision", "COLLISION")
            obj.collision.thickness_outer = 0.001
    cache = _add_cloth(sheet, quality).point_cache
    with quiet(), bpy.context.temp_override(object=sheet, active_object=sheet, point_cache=cache):
        seconds = _timed(lambda: bpy.ops.ptcache.bake(bake=True), FRAMES - 1)
    return Run(*seconds, [count(_shown(sheet, frame)) for frame in range(1, FRAMES + 1)])


def _timed(bake, frames):
    """Seconds a frame by the clock, and by the processor: other programs disturb the latter less."""
    starts = time.perf_counter(), time.process_time()
    bake()
    return (time.perf_counter() - starts[0]) / frames, (time.process_time() - starts[1]) / frames


def _add_cloth(sheet, quality):
    modifier = sheet.modifiers.new("Cloth", "CLOTH")
    modifier.settings.quality = quality
    for name, value in COTTON.items():
        setattr(modifier.settings, name, value)
    collision = modifier.collision_settings
    collision.use_self_collision = True
    collision.distance_min = collision.self_distance_min = DISTANCE
    modifier.point_cache.frame_start, modifier.point_cache.frame_end = 1, FRAMES
    return modifier


def _shown(sheet, number):
    """A frame as Blender plays it, in world space."""
    bpy.context.scene.frame_set(number)
    mesh = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    positions = np.empty((len(mesh.vertices), 3), np.float32)
    mesh.vertices.foreach_get("co", positions.ravel())
    return Frame(number, {SHEET: positions.astype(float) + np.array(sheet.location)}, FrameReport(number))


def _told(run):
    return f"{run.crossings[-1]} in the last of {len(run.crossings)} frames, {max(run.crossings)} in the worst"


def _s(run):
    return f"{run.seconds:.2f} s"


if __name__ == "__main__":
    with registered():
        print_table(TITLE, measure([int(side) for side in sys.argv[1:]] or SIDES))
