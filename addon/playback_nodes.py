"""The Geometry Nodes groups that play a bake on hair and ropes, from Blender's own nodes alone.

A hidden mesh, the carrier, has a vertex for each simulated point and plays the cache. Hair takes its
positions by index. A rope is built anew from the carrier's edges: Blender gives the modifiers of a
beveled curve the finished tube, and other versions of Blender cut the same spline into other points.
"""

import bpy

HAIR_GROUP = "Stiction Playback"
ROPE_GROUP = "Stiction Rope Playback"
CARRIER_INPUT = "Carrier"
MATERIAL_ATTRIBUTE = "stiction_material"  # of a rope's points: the material slot plus one; zero elsewhere

ROPE_INPUTS = (
    (CARRIER_INPUT, "NodeSocketObject"),
    ("Thickness", "NodeSocketFloat"),  # radius of a round profile; zero leaves a bare curve
    ("Sides", "NodeSocketInt"),
    ("Profile", "NodeSocketObject"),  # in place of the round profile, if there is one
    ("Fill Caps", "NodeSocketBool"),
)


def playback_group(obj: bpy.types.Object) -> bpy.types.NodeTree:
    """The group for hair curves or for ropes, shared by all objects of the file."""
    name, build = (HAIR_GROUP, _build_hair_group) if obj.type == "CURVES" else (ROPE_GROUP, _build_rope_group)
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
    _add_interface(tree, ((CARRIER_INPUT, "NodeSocketObject"),))
    entry = tree.nodes.new("NodeGroupInput")
    carrier = _add(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs[CARRIER_INPUT]})
    index = _add(tree, "GeometryNodeInputIndex")
    position = _add(tree, "GeometryNodeInputPosition")
    sample = _add(tree, "GeometryNodeSampleIndex", data_type="FLOAT_VECTOR", domain="POINT")
    _link(tree, sample, {"Geometry": carrier.outputs["Geometry"], "Value": position.outputs[0]})
    _link(tree, sample, {"Index": index.outputs[0]})
    fits = _same_point_count(tree, carrier.outputs["Geometry"], entry.outputs["Geometry"])
    moved = _add(tree, "GeometryNodeSetPosition", {"Geometry": entry.outputs["Geometry"]})
    _link(tree, moved, {"Selection": fits, "Position": sample.outputs[0]})
    return _finish(tree, moved.outputs[0])


def _same_point_count(tree, mesh, curves):
    """A groom that was changed after the bake shows as it is, not as a tangle."""
    mesh_size = _add(tree, "GeometryNodeAttributeDomainSize", {"Geometry": mesh}, component="MESH")
    curves_size = _add(tree, "GeometryNodeAttributeDomainSize", {"Geometry": curves}, component="CURVE")
    same = _add(tree, "ShaderNodeMath", operation="COMPARE")
    tree.links.new(mesh_size.outputs["Point Count"], same.inputs[0])
    tree.links.new(curves_size.outputs["Point Count"], same.inputs[1])
    same.inputs[2].default_value = 0.5  # counts are whole numbers
    return same.outputs[0]


def _build_rope_group(tree):
    _add_interface(tree, ROPE_INPUTS)
    entry = tree.nodes.new("NodeGroupInput")
    carrier = _add(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs[CARRIER_INPUT]})
    curve = _add(tree, "GeometryNodeMeshToCurve", {"Mesh": carrier.outputs["Geometry"]}).outputs[0]
    radius = _add(tree, "GeometryNodeInputRadius").outputs[0]
    tube = _add(tree, "GeometryNodeCurveToMesh", {"Curve": curve, "Profile Curve": _profile(tree, entry)})
    _link(tree, tube, {"Scale": radius, "Fill Caps": entry.outputs["Fill Caps"]})
    shaded = _with_materials_of(tree, entry.outputs["Geometry"], tube.outputs[0])
    result = _add(tree, "GeometryNodeSwitch", input_type="GEOMETRY")
    _link(tree, result, {"Switch": _has_profile(tree, entry), "False": curve, "True": shaded})
    return _finish(tree, result.outputs[0])


def _profile(tree, entry):
    """The cross-section: a circle, or the curve of another object, which Blender's bevel scales and mirrors."""
    circle = _add(tree, "GeometryNodeCurvePrimitiveCircle", {"Radius": entry.outputs["Thickness"]})
    _link(tree, circle, {"Resolution": entry.outputs["Sides"]})
    shape = _add(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs["Profile"]})
    position = _add(tree, "GeometryNodeInputPosition").outputs[0]
    scaled = _vector_product(tree, position, shape.outputs["Scale"])
    mirrored = _vector_product(tree, scaled, (1.0, -1.0, 1.0))
    placed = _add(tree, "GeometryNodeSetPosition", {"Geometry": shape.outputs["Geometry"], "Position": mirrored})
    chosen = _add(tree, "GeometryNodeSwitch", {"Switch": _spline_count(tree, shape)}, input_type="GEOMETRY")
    _link(tree, chosen, {"False": circle.outputs[0], "True": placed.outputs[0]})
    return chosen.outputs[0]


def _spline_count(tree, info):
    size = _add(tree, "GeometryNodeAttributeDomainSize", component="CURVE")
    _link(tree, size, {"Geometry": info.outputs["Geometry"]})
    return size.outputs["Spline Count"]


def _has_profile(tree, entry):
    shape = _add(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs["Profile"]})
    either = _add(tree, "ShaderNodeMath", operation="ADD")
    tree.links.new(entry.outputs["Thickness"], either.inputs[0])
    tree.links.new(_spline_count(tree, shape), either.inputs[1])
    return either.outputs[0]


def _with_materials_of(tree, source, tube):
    """Give the tube the material slots of the curve, so that later changes to them show.

    Nodes cannot copy slots, but joined geometry has those of all its parts: one vertex of the
    source is joined, and deleted again.
    """
    index = _add(tree, "GeometryNodeInputIndex").outputs[0]
    vertex = _add(tree, "GeometryNodeDeleteGeometry", {"Geometry": source, "Selection": index}, domain="POINT")
    joined = _add(tree, "GeometryNodeJoinGeometry", {"Geometry": tube})
    _link(tree, joined, {"Geometry": vertex.outputs[0]})
    slot = _add(tree, "GeometryNodeInputNamedAttribute", data_type="INT")
    slot.inputs["Name"].default_value = MATERIAL_ATTRIBUTE
    is_foreign = _math(tree, "LESS_THAN", slot.outputs[0], 0.5)
    clean = _add(tree, "GeometryNodeDeleteGeometry", {"Geometry": joined.outputs[0]}, domain="POINT")
    _link(tree, clean, {"Selection": is_foreign})
    shaded = _add(tree, "GeometryNodeSetMaterialIndex", {"Geometry": clean.outputs[0]})
    _link(tree, shaded, {"Material Index": _math(tree, "SUBTRACT", slot.outputs[0], 1.0)})
    return shaded.outputs[0]


def _math(tree, operation, left, right):
    node = _add(tree, "ShaderNodeMath", operation=operation)
    tree.links.new(left, node.inputs[0])
    node.inputs[1].default_value = right
    return node.outputs[0]


def _vector_product(tree, left, right):
    node = _add(tree, "ShaderNodeVectorMath", operation="MULTIPLY")
    tree.links.new(left, node.inputs[0])
    if isinstance(right, tuple):
        node.inputs[1].default_value = right
    else:
        tree.links.new(right, node.inputs[1])
    return node.outputs[0]


def _add_interface(tree, inputs):
    for name, kind in (("Geometry", "NodeSocketGeometry"), *inputs):
        tree.interface.new_socket(name, in_out="INPUT", socket_type=kind)
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")


def _add(tree, kind, links=None, **settings):
    node = tree.nodes.new(kind)
    for name, value in settings.items():
        setattr(node, name, value)
    _link(tree, node, links or {})
    return node


def _link(tree, node, links):
    for name, source in links.items():
        tree.links.new(source, node.inputs[name])


def _finish(tree, geometry):
    tree.links.new(geometry, tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree
