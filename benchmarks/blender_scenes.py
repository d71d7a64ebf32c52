"""Blender scenes of the sizes that the benchmarks ask for."""

import bpy
import numpy as np

SIDE = 316  # 316 × 316 vertices: a mesh of 100k
STRANDS, POINTS = 10_000, 32


def empty_file(last_frame):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.frame_end = last_frame


def add_sheet(name, kind):
    """A flat mesh of 100k vertices."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=SIDE - 1, y_subdivisions=SIDE - 1, size=1)
    bpy.context.object.name = name
    bpy.ops.stiction.add(kind=kind)
    return bpy.context.object


def move_up(obj, last_frame):
    obj.keyframe_insert("location", frame=1)
    obj.location.z += 1.0
    obj.keyframe_insert("location", frame=last_frame)


def add_groom():
    """Straight strands in a square."""
    curves = bpy.data.hair_curves.new("Groom")
    curves.add_curves([POINTS] * STRANDS)
    random = np.random.default_rng(3)
    roots = np.column_stack([random.uniform(-1, 1, (STRANDS, 2)), np.zeros(STRANDS)])
    points = roots[:, None] + np.linspace(0, 0.3, POINTS)[:, None] * [0, 0, 1]
    curves.attributes["position"].data.foreach_set("vector", points.astype(np.float32).ravel())
    groom = bpy.data.objects.new("Groom", curves)
    bpy.context.collection.objects.link(groom)
    bpy.ops.object.select_all(action="DESELECT")
    groom.select_set(True)
    bpy.ops.stiction.add(kind="HAIR")
    return groom
