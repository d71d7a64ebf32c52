"""Strands that simulated guides lead, by Blender's own nodes: they play without the extension."""

import bpy
import numpy as np

from ..solver.errors import StictionError
from .guide_weights import guide_weights
from .guided_nodes import ATTRIBUTES, GUIDES, guided_group
from .playback_nodes import set_input
from .read_curves import read_offsets, read_points
from .read_motion import kept_playhead
from .units import transformed
from .write_binding import BINDING_NAME, remove_binding

MOST_SKEW = 1.001  # of the axes of an object


def guide_hair(obj: bpy.types.Object, guides: bpy.types.Object, scene: bpy.types.Scene, frame: int) -> None:
    """Let hair curves follow simulated ones, as both are combed and placed at a frame; earlier bindings go."""
    _refuse(obj, guides)
    with kept_playhead(scene):
        scene.frame_set(frame)
        from_guides = np.array(obj.matrix_world.inverted() @ guides.matrix_world)
    leading = transformed(read_points(guides.data), from_guides)
    found = guide_weights(
        read_points(obj.data).astype(np.float64), read_offsets(obj.data), leading, read_offsets(guides.data)
    )
    if found is None:
        raise StictionError(
            f'"{guides.name}" cannot lead "{obj.name}": that needs three strands whose roots are not in a line.'
        )
    for name, values in zip(ATTRIBUTES, found, strict=True):
        _write(obj.data, name, values)
    remove_binding(obj)
    modifier = obj.modifiers.new(BINDING_NAME, "NODES")
    obj.modifiers.move(len(obj.modifiers) - 1, 0)
    modifier.node_group = guided_group()
    set_input(modifier, GUIDES, guides)


def _refuse(obj, guides):
    if obj.type != "CURVES" or not len(obj.data.points):
        raise StictionError(f'"{obj.name}" is no hair with strands, so it cannot follow "{guides.name}".')
    if obj.library:
        raise StictionError(f'"{obj.name}" is linked from another file. Make a library override of it first.')
    if obj.stiction.kind != "NONE":
        raise StictionError(f'"{obj.name}" is simulated itself. Remove it from the simulation to bind it.')
    stretches = np.linalg.svd(np.array(obj.matrix_world)[:3, :3], compute_uv=False)
    if stretches[0] > MOST_SKEW * stretches[-1]:  # offsets turn with the guides, in the space of the object
        raise StictionError(f'"{obj.name}" is scaled more along one axis than along another. Apply its scale first.')


def _write(curves, name, values):
    attribute = curves.attributes.get(name) or curves.attributes.new(name, "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", np.ascontiguousarray(values, np.float32).ravel())
