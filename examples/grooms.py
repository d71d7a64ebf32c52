"""Hair curves from numpy arrays, and children that Blender's own hair nodes add around them."""

from pathlib import Path

import bpy
import numpy as np

from .meshes import link


def groom(name: str, strands: np.ndarray, surface: bpy.types.Object, width: float, tip: float = 0.3):
    """Hair curves of strands (s, p, 3) in the world, on a surface; `width` [m] at the root, times `tip` at the tip."""
    count, points, _ = strands.shape
    curves = bpy.data.hair_curves.new(name)
    curves.add_curves([points] * count)
    inverse = np.array(surface.matrix_world.inverted())
    local = strands.reshape(-1, 3) @ inverse[:3, :3].T + inverse[:3, 3]
    curves.attributes["position"].data.foreach_set("vector", local.astype(np.float32).ravel())
    radii = curves.attributes.new("radius", "FLOAT", "POINT")
    taper = 0.5 * width * np.interp(np.linspace(0.0, 1.0, points), [0.0, 0.6, 1.0], [1.0, 1.0, tip])
    radii.data.foreach_set("value", np.tile(taper, count).astype(np.float32))
    curves.surface = surface
    obj = bpy.data.objects.new(name, curves)
    obj.parent = surface
    return link(obj)


def add_children(hair: bpy.types.Object, amount: int, radius: float) -> None:
    """Blender's "Duplicate Hair Curves" below Stiction: each simulated strand carries others around it."""
    modifier = hair.modifiers.new("Children", "NODES")
    modifier.node_group = hair_nodes("Duplicate Hair Curves")
    _set_input(modifier, "Amount", amount)
    _set_input(modifier, "Radius", radius)


def hair_nodes(name: str) -> bpy.types.NodeTree:
    """A group of the hair nodes that come with Blender; its versions keep them in different folders."""
    if name not in bpy.data.node_groups:
        assets = Path(bpy.utils.system_resource("DATAFILES", path="assets"))
        library = next(assets.rglob("procedural_hair_node_assets.blend"))
        with bpy.data.libraries.load(str(library)) as (_, wanted):
            wanted.node_groups = [name]
    return bpy.data.node_groups[name]


def _set_input(modifier, name, value):
    socket = next(item for item in modifier.node_group.interface.items_tree if item.name == name)
    if hasattr(modifier, "properties"):  # Blender 5.2 and newer
        getattr(modifier.properties.inputs, socket.identifier).value = value
    else:
        modifier[socket.identifier] = value
