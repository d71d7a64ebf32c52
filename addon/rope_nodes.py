"""The Geometry Nodes group that plays a bake on a rope.

It builds the rope anew from the carrier's edges, for two reasons: Blender gives the modifiers of a
beveled curve the finished tube, not the curve; and its versions cut the same spline into different
numbers of points, so the rope would break when the file is opened with a newer one.
"""

from .node_building import add_interface, add_math, add_node, finish

MATERIAL_ATTRIBUTE = "stiction_material"  # of the carrier's points: the material slot plus one; zero elsewhere
ALONG_ATTRIBUTE = "stiction_along"  # of the carrier's points: 0 at a rope's start, 1 at its end
AROUND_ATTRIBUTE = "stiction_around"  # of the profile's points: 0 to 1
CLOSED_ATTRIBUTE = "stiction_closed"  # of the profile's points: whether it is a ring
UV_MAP = "UVMap"  # as Blender's own bevel names it

ROPE_INPUTS = (
    ("Carrier", "NodeSocketObject"),
    ("Thickness", "NodeSocketFloat"),  # radius of a round profile; zero leaves a bare curve
    ("Sides", "NodeSocketInt"),
    ("Profile", "NodeSocketObject"),  # in place of the round profile, if there is one
    ("Fill Caps", "NodeSocketBool"),
)


def build_rope_group(tree):
    entry = add_interface(tree, ROPE_INPUTS)
    carrier = add_node(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs["Carrier"]})
    shape = add_node(tree, "GeometryNodeObjectInfo", {"Object": entry.outputs["Profile"]})
    has_shape = _spline_count(tree, shape.outputs["Geometry"])
    curve = add_node(tree, "GeometryNodeMeshToCurve", {"Mesh": carrier.outputs["Geometry"]}).outputs[0]
    circle = _circle(tree, entry.outputs["Thickness"], entry.outputs["Sides"])
    profile = _choose(tree, has_shape, _placed_shape(tree, shape), circle)
    tube = _tube(tree, curve, profile, entry.outputs["Fill Caps"])
    shaded = _with_materials_of(tree, entry.outputs["Geometry"], tube)
    has_profile = add_math(tree, "ADD", entry.outputs["Thickness"], has_shape)
    return finish(tree, _choose(tree, has_profile, shaded, curve))


def _tube(tree, curve, profile, fill_caps):
    is_closed = add_node(tree, "GeometryNodeInputSplineCyclic").outputs[0]
    profile = _store(tree, profile, CLOSED_ATTRIBUTE, is_closed)
    radius = add_node(tree, "GeometryNodeInputRadius").outputs[0]
    sources = {"Curve": curve, "Profile Curve": profile, "Scale": radius, "Fill Caps": fill_caps}
    tube = add_node(tree, "GeometryNodeCurveToMesh", sources).outputs[0]
    return _with_uv_map(tree, tube)


def _circle(tree, radius, sides):
    """A round cross-section, whose UV coordinates begin where those of Blender's bevel do."""
    circle = add_node(tree, "GeometryNodeCurvePrimitiveCircle", {"Radius": radius, "Resolution": sides}).outputs[0]
    index = add_node(tree, "GeometryNodeInputIndex").outputs[0]
    turned = add_math(tree, "ADD", index, add_math(tree, "MULTIPLY_ADD", sides, 0.5, -1.0))
    around = add_math(tree, "DIVIDE", add_math(tree, "MODULO", turned, sides), sides)
    return _store(tree, circle, AROUND_ATTRIBUTE, around)


def _placed_shape(tree, shape):
    """The curve of another object as cross-section: Blender's bevel scales it with its object, and mirrors it."""
    position = add_node(tree, "GeometryNodeInputPosition").outputs[0]
    scaled = add_math(tree, "MULTIPLY", position, shape.outputs["Scale"], kind="ShaderNodeVectorMath")
    mirrored = add_math(tree, "MULTIPLY", scaled, (1.0, -1.0, 1.0), kind="ShaderNodeVectorMath")
    sources = {"Geometry": shape.outputs["Geometry"], "Position": mirrored}
    placed = add_node(tree, "GeometryNodeSetPosition", sources).outputs[0]
    parameter = add_node(tree, "GeometryNodeSplineParameter").outputs["Factor"]
    return _store(tree, placed, AROUND_ATTRIBUTE, parameter)


def _with_uv_map(tree, tube):
    """U runs along the rope, V around it; where V wraps, it goes on to 1 instead of back to 0."""
    around = _named(tree, AROUND_ATTRIBUTE)
    of_face = add_node(tree, "GeometryNodeFieldOnDomain", {"Value": around}, data_type="FLOAT", domain="FACE")
    # On the wrapping face of a ring of n points the mean is (n − 1) / 2n above the corners at 0; on all
    # other faces, and with n of 3 or more, it is at most 1/6 away from any corner.
    behind = add_math(tree, "GREATER_THAN", add_math(tree, "SUBTRACT", of_face.outputs[0], around), 0.25)
    wrapped = add_math(tree, "MULTIPLY_ADD", behind, _named(tree, CLOSED_ATTRIBUTE), around)
    sources = {"X": _named(tree, ALONG_ATTRIBUTE), "Y": wrapped}
    uv = add_node(tree, "ShaderNodeCombineXYZ", sources).outputs[0]
    return _store(tree, tube, UV_MAP, uv, data_type="FLOAT2", domain="CORNER")


def _with_materials_of(tree, source, tube):
    """Give the tube the material slots of the curve, so that later changes to them show.

    Nodes cannot copy slots, but joined geometry has those of all its parts: one vertex of the
    source is joined, and deleted again.
    """
    index = add_node(tree, "GeometryNodeInputIndex").outputs[0]
    vertex = _delete_points(tree, source, index)
    joined = add_node(tree, "GeometryNodeJoinGeometry", {"Geometry": tube})
    tree.links.new(vertex, joined.inputs["Geometry"])
    slot = _named(tree, MATERIAL_ATTRIBUTE, "INT")
    clean = _delete_points(tree, joined.outputs[0], add_math(tree, "LESS_THAN", slot, 0.5))
    sources = {"Geometry": clean, "Material Index": add_math(tree, "SUBTRACT", slot, 1.0)}
    return add_node(tree, "GeometryNodeSetMaterialIndex", sources).outputs[0]


def _spline_count(tree, geometry):
    size = add_node(tree, "GeometryNodeAttributeDomainSize", {"Geometry": geometry}, component="CURVE")
    return size.outputs["Spline Count"]


def _choose(tree, condition, if_true, if_false):
    sources = {"Switch": condition, "True": if_true, "False": if_false}
    return add_node(tree, "GeometryNodeSwitch", sources, input_type="GEOMETRY").outputs[0]


def _named(tree, name, data_type="FLOAT"):
    return add_node(tree, "GeometryNodeInputNamedAttribute", {"Name": name}, data_type=data_type).outputs[0]


def _store(tree, geometry, name, value, data_type="FLOAT", domain="POINT"):
    sources = {"Geometry": geometry, "Name": name, "Value": value}
    settings = {"data_type": data_type, "domain": domain}
    return add_node(tree, "GeometryNodeStoreNamedAttribute", sources, **settings).outputs[0]


def _delete_points(tree, geometry, selection):
    sources = {"Geometry": geometry, "Selection": selection}
    return add_node(tree, "GeometryNodeDeleteGeometry", sources, domain="POINT").outputs[0]
