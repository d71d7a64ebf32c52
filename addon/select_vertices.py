"""Select vertices of a mesh, or points of hair curves, by their numbers."""

from collections.abc import Sequence

import bpy
import numpy as np

from ..solver.errors import StictionError

SELECTION = ".selection"  # Blender's own name for what is selected of hair curves


def select_vertices(obj: bpy.types.Object, vertices: Sequence[int]) -> None:
    """Select these vertices of an object and no others, for when it goes to Edit Mode.

    The numbers are those of the simulation, so that modifiers above it must not have changed them.
    """
    if obj.type not in ("MESH", "CURVES"):
        raise StictionError(f'"{obj.name}" is a curve or the like: its vertices cannot be selected.')
    if not obj.data.is_editable:
        raise StictionError(f'"{obj.name}" is linked from another file: its vertices cannot be selected.')
    count = len(obj.data.vertices if obj.type == "MESH" else obj.data.points)
    if max(vertices, default=0) >= count:
        raise StictionError(
            f'"{obj.name}" has {count} vertices of its own, and modifiers add to them: '
            f"vertex {max(vertices)} cannot be selected."
        )
    is_selected = np.zeros(count, bool)
    is_selected[list(vertices)] = True
    if obj.type == "MESH":
        _select_in_mesh(obj.data, is_selected)
    else:
        _select_in_curves(obj.data, is_selected)


def edit_selected(context, objects: Sequence[bpy.types.Object]) -> None:
    """Go to Edit Mode with all objects of the first one's type that are shown; it is the active one."""
    bpy.ops.object.select_all(action="DESELECT")
    shown = [obj for obj in objects if obj.type == objects[0].type and obj.visible_get()]
    for obj in shown:
        obj.select_set(True)
    if not shown:
        return
    context.view_layer.objects.active = shown[0]
    context.tool_settings.mesh_select_mode = (True, False, False)
    bpy.ops.object.mode_set(mode="EDIT")


def _select_in_mesh(mesh, is_selected):
    """By the attributes that hold it: `edges.foreach_set("select")` crashes Blender 5.0."""
    _put_flags(mesh, ".select_vert", "POINT", is_selected)
    _put_flags(mesh, ".select_edge", "EDGE", np.zeros(len(mesh.edges), bool))
    _put_flags(mesh, ".select_poly", "FACE", np.zeros(len(mesh.polygons), bool))
    mesh.update()


def _put_flags(data, name, domain, flags):
    attribute = data.attributes.get(name)
    if attribute is not None:
        data.attributes.remove(attribute)  # it may be of another kind
    data.attributes.new(name, "BOOLEAN", domain).data.foreach_set("value", flags)


def _select_in_curves(curves, is_selected):
    curves.selection_domain = "POINT"
    _put_flags(curves, SELECTION, "POINT", is_selected)
    curves.update_tag()
