"""Connect the measures of a bake with the object that was baked."""

import bpy

from ..solver.frame_store import FrameStore
from ..solver.vertex_measures import MEASURES
from .measures_modifier import CARRIER, COUNT, MEASURES_NAME, measures_group, remove_measures
from .playback_modifier import find_playback_modifier
from .playback_nodes import set_input
from .write_playback import play


def connect_measures(obj: bpy.types.Object, store: FrameStore, name: str) -> None:
    """Give an object the attributes that its bake has; ropes, which are built anew from their points, get none."""
    remove_measures(obj)
    entry = store.manifest.objects.get(name + MEASURES)
    if entry is None or obj.type == "CURVE":
        return
    modifier = obj.modifiers.new(MEASURES_NAME, "NODES")
    modifier.node_group = measures_group()
    set_input(modifier, CARRIER, _new_carrier(obj, entry.point_count, store, name))
    set_input(modifier, COUNT, entry.point_count // 2)
    _move_below_playback(obj, modifier)


def _new_carrier(obj, point_count, store, name):
    mesh = bpy.data.meshes.new(f"{obj.name} {MEASURES_NAME}")
    mesh.vertices.add(point_count)
    carrier = bpy.data.objects.new(mesh.name, mesh)
    play(carrier.modifiers.new("Stiction", "MESH_CACHE"), store.path_of(name + MEASURES), store.manifest.first_frame)
    return carrier


def _move_below_playback(obj, modifier):
    """Before what refines the surface, which then refines the attributes as well."""
    stack = list(obj.modifiers)
    playback = find_playback_modifier(obj)
    if playback:
        obj.modifiers.move(stack.index(modifier), stack.index(playback) + 1)
