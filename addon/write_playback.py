"""Connect a bake on disk with Blender's own modifiers, so that it plays without this extension."""

import os
from pathlib import Path

import bpy
import numpy as np

from ..solver.errors import StictionError
from .measures_modifier import remove_measures
from .playback_modifier import (
    add_playback_modifier,
    find_carrier,
    find_playback_modifier,
    remove_unused_carrier,
)
from .playback_nodes import CARRIER_INPUT, playback_group, set_input
from .rope_nodes import ALONG_ATTRIBUTE, MATERIAL_ATTRIBUTE
from .rope_outline import read_rope_outline


def connect_playback(obj: bpy.types.Object, pc2_path: Path, first_frame: int, rest_positions: np.ndarray) -> None:
    """Let the object play a PC2 file whose first sample is `first_frame`.

    The file may still grow. `rest_positions` (n, 3), local, in Blender units, is what hair and ropes
    show when the file is missing; a mesh shows its own input then.
    """
    modifier = add_playback_modifier(obj)
    if modifier.type == "MESH_CACHE":
        play(modifier, pc2_path, first_frame)
    else:
        _replace_carrier(obj, modifier, _new_carrier(obj, rest_positions))
        play(find_carrier(obj).modifiers.new("Stiction", "MESH_CACHE"), pc2_path, first_frame)
    modifier.show_viewport = modifier.show_render = True


def disconnect_playback(obj: bpy.types.Object) -> None:
    """Show the object as it was before the bake; its place in the stack stays marked."""
    modifier = find_playback_modifier(obj)
    remove_measures(obj)
    if modifier is None:
        return
    modifier.show_viewport = modifier.show_render = False
    if modifier.type == "MESH_CACHE":
        modifier.filepath = ""
    elif modifier.node_group:
        _replace_carrier(obj, modifier, None)


def to_local(positions_world: np.ndarray, transform: np.ndarray) -> np.ndarray:
    """World positions (n, 3) [m] in an object's own space; `transform` (4, 4) leads from local to world [m]."""
    return (positions_world - transform[:3, 3]) @ np.linalg.inv(transform[:3, :3]).T


def play(modifier: bpy.types.Modifier, pc2_path: Path, first_frame: int) -> None:
    """Timeline frame f shows sample f − first_frame; between frames, a straight line."""
    modifier.cache_format = "PC2"
    modifier.filepath = path_for_blender(pc2_path, bpy.data.filepath)
    modifier.frame_start = first_frame
    modifier.frame_scale = 1.0
    modifier.time_mode, modifier.play_mode = "FRAME", "SCENE"
    modifier.interpolation, modifier.deform_mode = "LINEAR", "OVERWRITE"


def path_for_blender(path: str | Path, blend_path: str | Path) -> str:
    """Relative to the .blend file where that is possible: the two can then be moved together."""
    path = str(Path(path).absolute())
    if not blend_path or _drive(path) != _drive(str(Path(blend_path).absolute())):
        return path
    return bpy.path.relpath(path, start=str(Path(blend_path).absolute().parent))


def _drive(path):
    return os.path.splitdrive(path)[0].lower()


def _replace_carrier(obj, modifier, carrier):
    previous = find_carrier(obj)
    modifier.node_group = playback_group(obj)
    set_input(modifier, CARRIER_INPUT, carrier)
    if carrier and obj.type == "CURVE":
        _set_rope_profile(modifier, obj.data)
    remove_unused_carrier(previous)


def _new_carrier(obj, rest_positions):
    """A mesh object in no collection: the node group's reference keeps it in the file."""
    outline = _fitting_outline(obj, len(rest_positions)) if obj.type == "CURVE" else None
    mesh = bpy.data.meshes.new(f"{obj.name} Stiction Carrier")
    mesh.vertices.add(len(rest_positions))
    mesh.attributes["position"].data.foreach_set("vector", np.asarray(rest_positions, np.float32).ravel())
    if outline:
        _add_outline(mesh, outline)
    mesh.update()
    return bpy.data.objects.new(mesh.name, mesh)


def _fitting_outline(obj, point_count):
    outline = read_rope_outline(obj)
    if outline.point_count != point_count:
        raise StictionError(f'"{obj.name}" has {outline.point_count} points now, but {point_count} '
                            "were simulated. Undo the change, or bake again.")  # fmt: skip
    return outline


def _add_outline(mesh, outline):
    edges = outline.edges()
    mesh.edges.add(len(edges))
    mesh.attributes[".edge_verts"].data.foreach_set("value", edges.ravel())
    _add_attribute(mesh, "radius", "FLOAT", outline.radii)
    _add_attribute(mesh, "tilt", "FLOAT", outline.tilts)
    _add_attribute(mesh, ALONG_ATTRIBUTE, "FLOAT", outline.along())
    _add_attribute(mesh, MATERIAL_ATTRIBUTE, "INT", outline.material_slots + 1)


def _add_attribute(mesh, name, kind, values):
    mesh.attributes.new(name, kind, "POINT").data.foreach_set("value", values)


def missing_of_rope(curve) -> list[str]:
    """What of a curve's look its playback does not have, by the names on Blender's panels."""
    is_thick = curve.bevel_depth > 0 or curve.bevel_object is not None
    looks = {
        "Extrude": curve.extrude != 0,
        "Offset": is_thick and curve.offset != 0,
        "Taper Object": is_thick and curve.taper_object is not None,
        "Bevel Profile": is_thick and curve.bevel_mode == "PROFILE",
        "Bevel Start & End": is_thick and (curve.bevel_factor_start, curve.bevel_factor_end) != (0.0, 1.0),
        "Fill Mode": is_thick and curve.dimensions == "3D" and curve.fill_mode != "FULL",
    }
    return [name for name, is_used in looks.items() if is_used]


def _set_rope_profile(modifier, curve):
    """Blender bevels a curve before its modifiers, so the nodes have to do it again afterwards.

    They know round bevels and those by an object; for what is left out, see `missing_of_rope`.
    """
    has_object = curve.bevel_mode == "OBJECT"
    set_input(modifier, "Thickness", 0.0 if has_object else curve.bevel_depth)
    set_input(modifier, "Sides", 4 + 2 * curve.bevel_resolution)
    set_input(modifier, "Profile", curve.bevel_object if has_object else None)
    set_input(modifier, "Fill Caps", curve.use_fill_caps)
