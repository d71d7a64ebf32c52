"""Short ways to put nodes into a Geometry Nodes tree and to link them."""

import bpy


def add_interface(tree: bpy.types.NodeTree, inputs=()) -> bpy.types.Node:
    """Geometry in and out, and further inputs (name, socket type); returns the node that has the inputs."""
    for name, kind in (("Geometry", "NodeSocketGeometry"), *inputs):
        tree.interface.new_socket(name, in_out="INPUT", socket_type=kind)
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    return tree.nodes.new("NodeGroupInput")


def add_node(tree, kind: str, sources=None, **settings) -> bpy.types.Node:
    """A node with its settings made and its inputs, by name, linked to sockets or set to values."""
    node = tree.nodes.new(kind)
    for name, value in settings.items():  # first: they decide which inputs there are
        setattr(node, name, value)
    for name, source in (sources or {}).items():
        feed(tree, node.inputs[name], source)
    return node


def feed(tree, socket: bpy.types.NodeSocket, source) -> None:
    """Link an input to another node's output, or give it a value."""
    if isinstance(source, bpy.types.NodeSocket):
        tree.links.new(source, socket)
    else:
        socket.default_value = source


def add_math(tree, operation: str, *operands, kind="ShaderNodeMath") -> bpy.types.NodeSocket:
    """The result of a number operation; with kind "ShaderNodeVectorMath", of vectors."""
    node = add_node(tree, kind, operation=operation)
    for socket, operand in zip(node.inputs, operands):
        feed(tree, socket, operand)
    return node.outputs[0]


def add_sampled_position(tree, geometry, index) -> bpy.types.NodeSocket:
    """Where the point of this index is in another geometry."""
    position = add_node(tree, "GeometryNodeInputPosition").outputs[0]
    sources = {"Geometry": geometry, "Value": position, "Index": index}
    return add_node(tree, "GeometryNodeSampleIndex", sources, data_type="FLOAT_VECTOR", domain="POINT").outputs[0]


def finish(tree, geometry: bpy.types.NodeSocket) -> bpy.types.NodeTree:
    """Let the tree give out this geometry."""
    tree.links.new(geometry, tree.nodes.new("NodeGroupOutput").inputs[0])
    return tree
