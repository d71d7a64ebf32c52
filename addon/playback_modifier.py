"""The modifier "Stiction" that plays an object's bake, and marks where the simulation sits in the stack.

What stands above it is the input of the simulation; it and what stands below come after. Until there
is a bake, it is switched off.
"""

import os
from pathlib import Path

import bpy

from ..solver.errors import StictionError
from .measures_modifier import remove_measures
from .playback_nodes import CARRIER_INPUT, get_input, set_input

PLAYBACK_NAME = "Stiction"
PLAYBACK_TYPES = {"MESH": "MESH_CACHE", "CURVES": "NODES", "CURVE": "NODES"}  # by type of object

# They thicken or refine a finished surface: the simulation would only become slower by them. Whoever
# wants them simulated drags the modifier below them.
FINISHING_TYPES = {
    "SUBSURF",
    "MULTIRES",
    "SOLIDIFY",
    "BEVEL",
    "EDGE_SPLIT",
    "NORMAL_EDIT",
    "TRIANGULATE",
    "WEIGHTED_NORMAL",
}


def find_playback_modifier(obj: bpy.types.Object) -> bpy.types.Modifier | None:
    modifier: bpy.types.Modifier | None = obj.modifiers.get(PLAYBACK_NAME)
    return modifier if modifier and modifier.type == PLAYBACK_TYPES.get(obj.type) else None


def add_playback_modifier(obj: bpy.types.Object) -> bpy.types.Modifier:
    """The object's playback modifier; a new one is switched off and stands above finishing modifiers."""
    if obj.type not in PLAYBACK_TYPES:
        raise StictionError(f'"{obj.name}" is neither a mesh nor a curve, so it cannot be simulated.')
    return find_playback_modifier(obj) or _new_playback_modifier(obj)


def remove_playback_modifier(obj: bpy.types.Object) -> None:
    """Take the modifier away, with all that was made for it."""
    remove_measures(obj)
    modifier = find_playback_modifier(obj)
    if modifier is None:
        return
    carrier, group = find_carrier(obj), getattr(modifier, "node_group", None)
    if carrier:
        set_input(modifier, CARRIER_INPUT, None)  # Blender 5.2 counts it as used for ever otherwise
    obj.modifiers.remove(modifier)
    remove_unused_carrier(carrier)
    if group and not group.users:
        bpy.data.node_groups.remove(group)


def find_carrier(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The hidden mesh object that plays the cache of hair or a rope."""
    modifier = find_playback_modifier(obj)
    return get_input(modifier, CARRIER_INPUT) if modifier and modifier.type == "NODES" else None


def played_file(obj: bpy.types.Object) -> Path | None:
    """The file that an object plays, whether or not it is there."""
    carrier = find_carrier(obj)
    player = carrier.modifiers.get(PLAYBACK_NAME) if carrier else find_playback_modifier(obj)
    if player is None or player.type != "MESH_CACHE" or not player.filepath:
        return None
    return Path(os.path.normpath(bpy.path.abspath(player.filepath)))


def remove_unused_carrier(carrier: bpy.types.Object | None) -> None:
    """Delete a carrier and its mesh, unless a duplicate of the hair still plays it."""
    if carrier and not carrier.users:
        bpy.data.batch_remove([carrier, carrier.data])


def _new_playback_modifier(obj):
    modifier = obj.modifiers.new(PLAYBACK_NAME, PLAYBACK_TYPES[obj.type])
    modifier.show_viewport = modifier.show_render = False
    stack = list(obj.modifiers)
    place = stack.index(modifier)  # not the last place, if a modifier is pinned there
    obj.modifiers.move(place, finishing_place(stack[:place]))
    return modifier


def finishing_place(stack: list[bpy.types.Modifier]) -> int:
    """Where the finishing modifiers at the end begin."""
    place = len(stack)
    while place > 0 and stack[place - 1].type in FINISHING_TYPES:
        place -= 1
    return place
