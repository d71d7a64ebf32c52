"""Small objects, bakes with known numbers, and ways to read what Blender shows."""

from pathlib import Path

import bpy
import numpy as np

FIRST, LAST = 3, 7
TIMES = (3.0, 4.0, 4.25, 5.5, 7.0)
AUTOMATIC_HANDLE = 1  # as bulk writing wants it


def link(obj):
    bpy.context.scene.collection.objects.link(obj)
    return obj


def grid(name="Cloth", size=4):
    """A mesh object of size² vertices with faces and a UV map."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=size - 1, y_subdivisions=size - 1, calc_uvs=True)
    obj = bpy.context.object
    obj.name = name
    return obj


def hair(strand_sizes=(4, 5, 3), name="Hair"):
    """A hair Curves object with straight strands along z."""
    data = bpy.data.hair_curves.new(name)
    data.add_curves(list(strand_sizes))
    data.position_data.foreach_set("vector", straight_strands(strand_sizes).ravel())
    return link(bpy.data.objects.new(name, data))


def straight_strands(strand_sizes):
    strand = np.repeat(np.arange(len(strand_sizes)), strand_sizes)
    height = np.concatenate([np.arange(size) for size in strand_sizes])
    return np.column_stack((strand * 0.5, strand * 0, height * 0.2)).astype(np.float32)


def rope(kind="POLY", bevel=0.0, cyclic=False, name="Rope"):
    """A legacy curve of two splines, the second with material slot 1."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.resolution_u = "3D", bevel, 3
    for letter in "AB":
        curve.materials.append(bpy.data.materials.new(letter))  # a spline refuses a slot that is not there
    for number in range(2):
        spline = curve.splines.new(kind)
        points = spline.bezier_points if kind == "BEZIER" else spline.points
        points.add(3)
        co = np.array([(i, number, i % 2, 1.0) for i in range(4)], np.float32)
        points.foreach_set("co", co[:, : 3 if kind == "BEZIER" else 4].ravel())
        if kind == "BEZIER":
            for end in ("left", "right"):
                points.foreach_set(f"handle_{end}_type", np.full(4, AUTOMATIC_HANDLE, np.int32))
        spline.use_endpoint_u, spline.use_cyclic_u, spline.material_index = True, cyclic, number
    return link(bpy.data.objects.new(name, curve))


def make_bake(module, folder: Path, samples: dict[str, np.ndarray], first_frame=FIRST):
    """A finished bake of samples (frames, n, 3) by object name."""
    frame_store, report, state = (module(f"solver.{name}") for name in ("frame_store", "report", "state"))
    frames = len(next(iter(samples.values())))
    counts = {name: positions.shape[1] for name, positions in samples.items()}
    store = frame_store.FrameStore.create(folder, counts, first_frame, first_frame + frames - 1, {})
    store.start_writing()
    empty = state.new_state(np.zeros((0, 3)), np.zeros((0, 3)))
    for i in range(frames):
        frame = first_frame + i
        positions = {name: samples[name][i] for name in samples}
        store.append(frame, positions, report.FrameReport(frame), empty)
    store.close()
    return store


def random_samples(point_count, seed=0, frames=LAST - FIRST + 1):
    return np.random.default_rng(seed).normal(size=(frames, point_count, 3)).astype(np.float32)


def sample_at(samples, time, first_frame=FIRST):
    """What playback has to show: the sample, or the straight line between two."""
    position = min(max(time - first_frame, 0.0), len(samples) - 1.0)
    left = min(int(position), len(samples) - 2)
    return samples[left] + (position - left) * (samples[left + 1].astype(float) - samples[left])


def go_to(time):
    bpy.context.scene.frame_set(int(time), subframe=time - int(time))


def mesh_positions(obj):
    mesh = evaluated(obj).data
    return read(mesh.vertices, "co")


def curve_positions(obj):
    geometry = evaluated(obj).evaluated_geometry()  # owns its curves: keep it alive
    return read(geometry.curves.position_data, "vector")


def evaluated(obj):
    return obj.evaluated_get(bpy.context.evaluated_depsgraph_get())


def read(collection, name):
    values = np.empty((len(collection), 3), np.float32)
    collection.foreach_get(name, values.ravel())
    return values
