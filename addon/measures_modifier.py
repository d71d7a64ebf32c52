"""The modifier that gives baked geometry its contact attributes, from Blender's own nodes alone.

A hidden mesh plays the cache of measures: a vertex for the force on each vertex, then one for its state and stretch.
"""

import bpy

from .node_building import add_interface, add_math, add_node, add_sampled_position, finish
from .playback_nodes import get_input, set_input

MEASURES_NAME = "Stiction Contact"
CARRIER, COUNT = "Measures", "Vertices"
FORCE, CONTACT, STRETCH = "stiction_force", "stiction_contact", "stiction_stretch"


def find_measures(obj: bpy.types.Object) -> bpy.types.Modifier | None:
    modifier: bpy.types.Modifier | None = obj.modifiers.get(MEASURES_NAME)
    return modifier if modifier and modifier.type == "NODES" else None


def remove_measures(obj: bpy.types.Object) -> None:
    """Take the modifier away, with its hidden mesh."""
    modifier = find_measures(obj)
    if modifier is None:
        return
    carrier, group = get_input(modifier, CARRIER), modifier.node_group
    if carrier:
        set_input(modifier, CARRIER, None)  # Blender 5.2 counts it as used for ever otherwise
    obj.modifiers.remove(modifier)
    if carrier and not carrier.users:
        bpy.data.batch_remove([carrier, carrier.data])
    if group and not group.users:
        bpy.data.node_groups.remove(group)


def measures_group() -> bpy.types.NodeTree:
    """The node group, shared by all objects of the file."""
    return bpy.data.node_groups.get((MEASURES_NAME, None)) or _build(
        bpy.data.node_groups.new(MEASURES_NAME, "GeometryNodeTree")
    )


def _build(tree):
    """Vertex i takes its force from the carrier's vertex i, and its state and stretch from i + count."""
    entry = add_interface(tree, ((CARRIER, "NodeSocketObject"), (COUNT, "NodeSocketInt")))
    carrier = add_node(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs[CARRIER]}).outputs["Geometry"]
    index = add_node(tree, "GeometryNodeInputIndex").outputs[0]
    later = add_math(tree, "ADD", index, entry.outputs[COUNT])
    force = add_sampled_position(tree, carrier, index)
    parts = add_node(tree, "ShaderNodeSeparateXYZ", {"Vector": add_sampled_position(tree, carrier, later)}).outputs
    geometry = _stored(tree, entry.outputs["Geometry"], FORCE, "FLOAT_VECTOR", force)
    geometry = _stored(tree, geometry, CONTACT, "FLOAT", parts["X"])
    return finish(tree, _stored(tree, geometry, STRETCH, "FLOAT", parts["Y"]))


def _stored(tree, geometry, name, data_type, value):
    """An attribute of the points; earlier ones of that name are replaced."""
    sources = {"Geometry": geometry, "Value": value}
    store = add_node(tree, "GeometryNodeStoreNamedAttribute", sources, data_type=data_type, domain="POINT")
    store.inputs["Name"].default_value = name
    return store.outputs[0]
