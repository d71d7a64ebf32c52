"""The Geometry Nodes group by which strands follow guides, from Blender's own nodes alone.

Each point goes by three guides: x = Σ wₖ gₖ + R o, with the places gₖ on them, weights wₖ that add up to one, and the
offset o in the frame R of the triangle that the three roots make. Any rigid motion of the guides is followed exactly.
"""

import bpy

from .node_building import add_interface, add_math, add_node, add_sampled_position, finish

GROUP = "Stiction Guided Hair"
GUIDES = "Guides"
POINTS, SHARES, WEIGHTS = "stiction_guide_points", "stiction_guide_shares", "stiction_guide_weights"
ROOTS, OFFSET = "stiction_guide_roots", "stiction_guide_offset"
ATTRIBUTES = (POINTS, SHARES, WEIGHTS, ROOTS, OFFSET)
AXES = ("X", "Y", "Z")


def guided_group() -> bpy.types.NodeTree:
    """The node group, shared by all objects of the file."""
    local = (GROUP, None)  # one of the same name from a linked library is not ours to use
    return bpy.data.node_groups.get(local) or _build(bpy.data.node_groups.new(GROUP, "GeometryNodeTree"))


def _build(tree):
    entry = add_interface(tree, ((GUIDES, "NodeSocketObject"),))
    info = add_node(
        tree, "GeometryNodeObjectInfo", {"Object": entry.outputs[GUIDES]}, transform_space="RELATIVE"
    )  # the guides as seen from the strands' own object
    guides = info.outputs["Geometry"]
    blended = _blended(tree, guides)
    offset = _separated(tree, OFFSET)
    for axis, length in zip(_triangle_frame(tree, guides), offset, strict=True):
        blended = _vector(tree, "ADD", blended, _scaled(tree, axis, length))
    sources = {"Geometry": entry.outputs["Geometry"], "Position": blended}
    return finish(tree, add_node(tree, "GeometryNodeSetPosition", sources).outputs[0])


def _blended(tree, guides):
    """Σ wₖ gₖ: each gₖ lies between a point of the guide and the next."""
    total = None
    for index, share, weight in zip(*(_separated(tree, name) for name in (POINTS, SHARES, WEIGHTS)), strict=True):
        ends = (
            add_sampled_position(tree, guides, index),
            add_sampled_position(tree, guides, add_math(tree, "ADD", index, 1.0)),
        )
        way = _scaled(tree, _vector(tree, "SUBTRACT", ends[1], ends[0]), share)
        part = _scaled(tree, _vector(tree, "ADD", ends[0], way), weight)
        total = part if total is None else _vector(tree, "ADD", total, part)
    return total


def _triangle_frame(tree, guides):
    """Unit vectors along the first side, across it, and along the normal."""
    roots = [add_sampled_position(tree, guides, index) for index in _separated(tree, ROOTS)]
    first, second = (_vector(tree, "SUBTRACT", root, roots[0]) for root in roots[1:])
    along = _vector(tree, "NORMALIZE", first)
    normal = _vector(tree, "NORMALIZE", _vector(tree, "CROSS_PRODUCT", first, second))
    return along, _vector(tree, "CROSS_PRODUCT", normal, along), normal


def _separated(tree, name):
    """The three numbers of a vector attribute."""
    attribute = add_node(tree, "GeometryNodeInputNamedAttribute", {"Name": name}, data_type="FLOAT_VECTOR")
    parts = add_node(tree, "ShaderNodeSeparateXYZ", {"Vector": attribute.outputs["Attribute"]}).outputs
    return [parts[axis] for axis in AXES]


def _vector(tree, operation, *operands):
    return add_math(tree, operation, *operands, kind="ShaderNodeVectorMath")


def _scaled(tree, vector, factor):
    node = add_node(tree, "ShaderNodeVectorMath", {"Vector": vector, "Scale": factor}, operation="SCALE")
    return node.outputs[0]
