"""Render meshes that a simulated one drives, by Blender's own Surface Deform: it plays without the extension."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ..solver.errors import StictionError
from .measures_modifier import MEASURES_NAME
from .playback_modifier import FINISHING_TYPES, PLAYBACK_NAME, finishing_place
from .read_motion import kept_playhead

BINDING_NAME = "Stiction Bind"


def bind_mesh(obj: bpy.types.Object, simulated: bpy.types.Object, scene: bpy.types.Scene, frame: int) -> None:
    """Let a mesh follow a simulated one, as both are at a frame without the simulation; earlier bindings go."""
    _refuse(obj, simulated)
    remove_binding(obj)
    modifier = obj.modifiers.new(BINDING_NAME, "SURFACE_DEFORM")
    obj.modifiers.move(len(obj.modifiers) - 1, finishing_place(list(obj.modifiers)[:-1]))
    modifier.target = simulated
    with kept_playhead(scene), _before_simulation(simulated):
        scene.frame_set(frame)
        with bpy.context.temp_override(object=obj, active_object=obj, selected_objects=[obj]):
            bpy.ops.object.surfacedeform_bind(modifier=modifier.name)
    if not modifier.is_bound:
        obj.modifiers.remove(modifier)
        raise StictionError(
            f'Blender could not bind "{obj.name}" to "{simulated.name}": Surface Deform takes no faces that are '
            "concave, flat or doubled. Triangulate such faces, and Merge by Distance."
        )


def remove_binding(obj: bpy.types.Object) -> None:
    modifier: bpy.types.Modifier | None = obj.modifiers.get(BINDING_NAME)
    if modifier is not None:
        obj.modifiers.remove(modifier)


def moved_twice(obj: bpy.types.Object) -> list[str]:
    """Names of modifiers that would move a bound mesh once more than what it follows."""
    return [item.name for item in obj.modifiers if item.type in ("ARMATURE", "MESH_CACHE") and item.show_viewport]


@contextmanager
def _before_simulation(simulated) -> Iterator[None]:
    """Switch off what plays the bake, but nothing below it: the modifiers there stay part of what is bound to."""
    played = [modifier for modifier in simulated.modifiers if modifier.name in (PLAYBACK_NAME, MEASURES_NAME)]
    before = [modifier.show_viewport for modifier in played]
    for modifier in played:
        modifier.show_viewport = False
    try:
        yield
    finally:
        for modifier, is_shown in zip(played, before, strict=True):
            modifier.show_viewport = is_shown


def _refuse(obj, simulated):
    if obj.type != "MESH" or not len(obj.data.vertices):
        raise StictionError(f'"{obj.name}" is no mesh with vertices, so it cannot follow "{simulated.name}".')
    if obj.library:
        raise StictionError(f'"{obj.name}" is linked from another file. Make a library override of it first.')
    if obj.stiction.kind not in ("NONE", "COLLIDER"):
        raise StictionError(f'"{obj.name}" is simulated itself. Remove it from the simulation to bind it.')
    crowded = _crowded_edges(simulated.data)
    if len(crowded):
        raise StictionError(
            f'"{simulated.name}" has edges with more than two faces ({len(crowded)}, first: {crowded[0]}), which '
            "Surface Deform cannot follow. Delete the inner faces."
        )
    _refuse_other_levels(simulated)


def _refuse_other_levels(simulated):
    """A render with other vertices than the viewport would lose the binding."""
    for modifier in simulated.modifiers:
        is_other = modifier.show_viewport != modifier.show_render or (
            modifier.type in ("SUBSURF", "MULTIRES") and modifier.levels != modifier.render_levels
        )
        if is_other and modifier.type in FINISHING_TYPES:
            raise StictionError(
                f'The modifier "{modifier.name}" of "{simulated.name}" makes other vertices in renders than in the '
                "viewport, and what is bound would come loose there. Give both the same levels, or put it on "
                "what is bound instead."
            )


def _crowded_edges(mesh):
    """Edges (k,) of more than two faces."""
    edges = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("edge_index", edges)
    return np.flatnonzero(np.bincount(edges, minlength=1) > 2)
