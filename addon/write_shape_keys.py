"""Turn a bake into shape keys, one a frame: the .blend file then needs no cache beside it.

A mesh gets a new object "<name> Shape Keys", and the original is hidden: to go back, delete the one
and show the other. Hair and ropes keep their modifier, and the keys go to its carrier: to go back,
connect the bake again, or free it. The bake on disk is not touched.
"""

import bpy
import numpy as np

from ..solver.errors import StictionError
from ..solver.frame_store import FrameStore
from .input_stack import inputs_only
from .playback_modifier import find_carrier, find_playback_modifier

LINEAR = 1  # number of the keyframe interpolation, as bulk writing wants it


def bytes_needed_for_shape_keys(point_count: int, frame_count: int) -> int:
    """What the keys add to the .blend file, and to memory as often as Blender evaluates the scene."""
    return 12 * point_count * (frame_count + 1)


def to_shape_keys(obj: bpy.types.Object, store: FrameStore, name: str | None = None) -> bpy.types.Object:
    """Write all baked frames as keys, and return the object that shows them.

    `name` is that of the object in the bake, if it is another now.
    """
    name = name or obj.name
    if not store.frames_done:
        raise StictionError(f'"{obj.name}" has no baked frames yet. Bake first.')
    if obj.type == "MESH":
        keyed = shown = _baked_twin(obj, store.manifest.objects[name].point_count)
    else:
        keyed, shown = _carrier_without_cache(obj), obj
    _write_keys(keyed, store, name)
    return shown


def _baked_twin(obj, point_count):
    """A new object with the geometry that was simulated, and only the modifiers that come after."""
    mesh = _input_mesh(obj)
    if len(mesh.vertices) != point_count:
        bpy.data.meshes.remove(mesh)
        raise StictionError(f'"{obj.name}" no longer has the {point_count} vertices that were baked. '
                            "Undo the change, or bake again.")  # fmt: skip
    twin = obj.copy()
    twin.name = mesh.name = f"{obj.name} Shape Keys"
    twin.data = mesh
    twin.stiction.kind = "NONE"
    _remove_inputs_and_playback(twin)
    for collection in obj.users_collection:
        collection.objects.link(twin)
    obj.hide_viewport = obj.hide_render = True
    return twin


def _input_mesh(obj):
    """The evaluated mesh above the playback modifier, with materials, UV maps and vertex groups."""
    with inputs_only([obj]):
        depsgraph = bpy.context.evaluated_depsgraph_get()
        evaluated = obj.evaluated_get(depsgraph)
        return bpy.data.meshes.new_from_object(evaluated, preserve_all_data_layers=True, depsgraph=depsgraph)


def _remove_inputs_and_playback(twin):
    playback = find_playback_modifier(twin)
    count = list(twin.modifiers).index(playback) + 1 if playback else 0
    for modifier in list(twin.modifiers)[:count]:
        twin.modifiers.remove(modifier)


def _carrier_without_cache(obj):
    carrier = find_carrier(obj)
    if carrier is None:
        raise StictionError(f'"{obj.name}" does not play a bake. Bake it first.')
    carrier.modifiers.clear()
    carrier.shape_key_clear()
    return carrier


def _write_keys(keyed, store, name):
    keyed.shape_key_add(name="Basis", from_mix=False)
    first = store.manifest.first_frame
    for frame in range(first, store.last_frame_done + 1):
        key = keyed.shape_key_add(name=f"Frame {frame}", from_mix=False)
        key.points.foreach_set("co", store.positions(name, frame).ravel())
    _animate(keyed.data.shape_keys, first)
    keyed.data.update()


def _animate(keys, first_frame):
    """Each key rises to 1 from the frame before its own, and falls to 0 at the frame after.

    Neighbours add up to 1 at any time, so that frames are exact and sub-frames a straight line.
    """
    curves = _new_animation_curves(keys)
    last = first_frame + len(keys.key_blocks) - 2
    for frame in range(first_frame, last + 1):
        curve = curves.new(f'key_blocks["Frame {frame}"].value')
        times = np.arange(max(frame - 1, first_frame), min(frame + 1, last) + 1)
        curve.keyframe_points.add(len(times))
        curve.keyframe_points.foreach_set("co", np.column_stack((times, times == frame)).ravel().astype(np.float32))
        curve.keyframe_points.foreach_set("interpolation", np.full(len(times), LINEAR, np.int32))
        curve.update()


def _new_animation_curves(keys):
    """The F-curves of a new action for these keys."""
    action = bpy.data.actions.new(keys.name)
    slot = action.slots.new(id_type="KEY", name=keys.name)
    strip = action.layers.new("Stiction").strips.new(type="KEYFRAME")
    animation = keys.animation_data_create()
    animation.action, animation.action_slot = action, slot
    return strip.channelbag(slot, ensure=True).fcurves
