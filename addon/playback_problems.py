"""Why an object does not play its bake, as far as that can be told without evaluating it: a panel asks often."""

import bpy

from ..solver.manifest import Manifest
from .input_stack import input_modifiers
from .marked_object import MarkedObject, marked_objects
from .playback_modifier import PLAYBACK_NAME, find_playback_modifier, played_file

KEEPING_COUNT = {"ARMATURE", "LATTICE", "MESH_DEFORM", "SURFACE_DEFORM", "HOOK", "SMOOTH", "CAST", "WAVE"}
ADDING = {"SUBSURF", "MULTIRES", "SOLIDIFY", "MIRROR", "ARRAY", "SCREW", "REMESH"}  # vertices, whatever the mesh is


def playback_problems(scene: bpy.types.Scene, manifest: Manifest) -> list[str]:
    """A sentence for each object of a bake that shows something else."""
    baked = [marked for marked in marked_objects(scene) if marked.is_simulated and marked.name in manifest.objects]
    found = [(marked.name, _problem(marked, manifest.objects[marked.name].point_count)) for marked in baked]
    return [f'"{name}" {sentence}' for name, sentence in found if sentence]


def has_lost_playback(scene: bpy.types.Scene, manifest: Manifest) -> bool:
    """Whether the modifier of a baked object was removed; a resume makes it anew."""
    return any(
        marked.is_simulated and marked.name in manifest.objects and find_playback_modifier(marked.obj) is None
        for marked in marked_objects(scene)
    )


def _problem(marked: MarkedObject, point_count: int) -> str:
    modifier = find_playback_modifier(marked.obj)
    if modifier is None:
        return f"has no modifier {PLAYBACK_NAME} any more: it shows as it is, unmoved. Resume brings it back"
    if not modifier.show_viewport:
        return f"does not play: its modifier {PLAYBACK_NAME} is switched off"
    file = played_file(marked.obj)
    if file is not None and not file.exists():
        return f'has lost the file "{file.name}" of its bake: it shows as it is, unmoved. Put it back, or bake anew'
    return _other_count(marked.obj, point_count)


def _other_count(obj, point_count):
    """Of vertices: an edited mesh no longer plays its bake, and neither does one with new modifiers above."""
    if obj.type not in ("MESH", "CURVES") or obj.mode == "EDIT":
        return ""
    count = len(obj.data.vertices if obj.type == "MESH" else obj.data.points)
    inputs = [modifier for modifier in input_modifiers(obj) if modifier.show_viewport]
    adding = [modifier.name for modifier in inputs if _adds_vertices(modifier)]
    if adding and count == point_count:  # they were not there when it was baked
        return (
            f"has {adding[0]} above the modifier {PLAYBACK_NAME}, but was baked without: it shows as it is, unmoved. "
            "Drag it below, or bake anew"
        )
    if count == point_count or any(modifier.type not in KEEPING_COUNT for modifier in inputs):
        return ""
    return f"has {count} vertices, but {point_count} were baked: it shows as it is, unmoved"


def _adds_vertices(modifier):
    return modifier.type in ADDING and getattr(modifier, "levels", 1) > 0
