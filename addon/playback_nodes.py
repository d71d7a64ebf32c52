"""The Geometry Nodes groups that play a bake on hair and ropes, from Blender's own nodes alone.

A hidden mesh, the carrier, has a vertex for each simulated point and plays the cache.
"""

import bpy

from .node_building import add_interface, add_math, add_node, add_sampled_position, finish
from .rope_nodes import ROPE_INPUTS, build_rope_group

HAIR_GROUP = "Stiction Playback"
ROPE_GROUP = "Stiction Rope Playback"
CARRIER_INPUT = ROPE_INPUTS[0][0]


def playback_group(obj: bpy.types.Object) -> bpy.types.NodeTree:
    """The group for hair curves or for ropes, shared by all objects of the file."""
    name, build = (HAIR_GROUP, _build_hair_group) if obj.type == "CURVES" else (ROPE_GROUP, build_rope_group)
    local = (name, None)  # a group of the same name from a linked library is not ours to use
    return bpy.data.node_groups.get(local) or build(bpy.data.node_groups.new(name, "GeometryNodeTree"))


def set_input(modifier: bpy.types.Modifier, name: str, value) -> None:
    """Set an input of a Geometry Nodes modifier by its name."""
    if hasattr(modifier, "properties"):  # Blender 5.2 and newer
        getattr(modifier.properties.inputs, _identifier(modifier, name)).value = value
    else:
        modifier[_identifier(modifier, name)] = value
    modifier.id_data.update_tag()  # neither way tells Blender by itself


def get_input(modifier: bpy.types.Modifier, name: str):
    """The value of an input of a Geometry Nodes modifier; None while it has no node group."""
    if modifier.node_group is None:
        return None
    if hasattr(modifier, "properties"):
        return getattr(modifier.properties.inputs, _identifier(modifier, name)).value
    return modifier.get(_identifier(modifier, name))


def _identifier(modifier, name):
    return modifier.node_group.interface.items_tree[name].identifier


def _build_hair_group(tree):
    """Each point takes the position of the carrier's vertex of the same index."""
    entry = add_interface(tree, ((CARRIER_INPUT, "NodeSocketObject"),))
    hair = entry.outputs["Geometry"]
    carrier = add_node(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs[CARRIER_INPUT]}).outputs["Geometry"]
    index = add_node(tree, "GeometryNodeInputIndex").outputs[0]
    played = add_sampled_position(tree, carrier, index)
    sources = {"Geometry": hair, "Selection": _same_point_count(tree, carrier, hair), "Position": played}
    return finish(tree, add_node(tree, "GeometryNodeSetPosition", sources).outputs[0])


def _same_point_count(tree, mesh, curves):
    """A groom that was changed after the bake shows as it is, not as a tangle."""
    counts = [
        add_node(tree, "GeometryNodeAttributeDomainSize", {"Geometry": geometry}, component=component)
        for geometry, component in ((mesh, "MESH"), (curves, "CURVE"))
    ]
    within_half = 0.5  # counts are whole numbers
    return add_math(tree, "COMPARE", *(count.outputs["Point Count"] for count in counts), within_half)
