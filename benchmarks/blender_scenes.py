"""Blender scenes of the sizes that the benchmarks ask for."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np

import stiction

SIDE = 316  # 316 × 316 vertices: a mesh of 100k
STRANDS, POINTS = 10_000, 32


@contextmanager
def registered() -> Iterator[None]:
    """With the add-on, for a benchmark that is run by itself."""
    stiction.register()
    try:
        yield
    finally:
        stiction.unregister()


def empty_file(last_frame):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.frame_end = last_frame


@contextmanager
def temporary_cache() -> Iterator[Path]:
    """A folder for the scene's bake; it goes together with the file."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.context.scene.stiction.cache_folder = folder
        yield Path(folder)
        empty_file(1)


def add_sheet(name, kind, side=SIDE):
    """A flat mesh of side × side vertices, by default 100k."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=side - 1, y_subdivisions=side - 1, size=1)
    bpy.context.object.name = name
    bpy.ops.stiction.add(kind=kind)
    return bpy.context.object


def move_up(obj, last_frame):
    obj.keyframe_insert("location", frame=1)
    obj.location.z += 1.0
    obj.keyframe_insert("location", frame=last_frame)


def add_groom(strands=STRANDS, width=2.0):
    """Straight strands in a square."""
    curves = bpy.data.hair_curves.new("Groom")
    curves.add_curves([POINTS] * strands)
    random = np.random.default_rng(3)
    roots = np.column_stack([random.uniform(-width / 2, width / 2, (strands, 2)), np.zeros(strands)])
    points = roots[:, None] + np.linspace(0, 0.3, POINTS)[:, None] * [0, 0, 1]
    curves.attributes["position"].data.foreach_set("vector", points.astype(np.float32).ravel())
    groom = bpy.data.objects.new("Groom", curves)
    bpy.context.collection.objects.link(groom)
    bpy.ops.object.select_all(action="DESELECT")
    groom.select_set(True)
    bpy.ops.stiction.add(kind="HAIR")
    return groom
