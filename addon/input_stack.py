"""The upper part of an object's modifier stack, which is what the simulation starts from.

Modifiers above the playback modifier are the input; that modifier and all below it come after.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import bpy

from .compat import set_node_mode
from .playback_modifier import find_playback_modifier


@contextmanager
def inputs_only(objects: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Switch off the playback modifier of each object and everything below it."""
    switched_off = []
    try:
        for obj in objects:
            for modifier in _modifiers_after_inputs(obj):
                if modifier.show_viewport:
                    switched_off.append((obj, modifier.name))
                    modifier.show_viewport = False
        yield
    finally:
        for obj, name in switched_off:
            obj.modifiers[name].show_viewport = True


def input_modifiers(obj: bpy.types.Object) -> list[bpy.types.Modifier]:
    """The modifiers above the playback modifier."""
    modifiers = list(obj.modifiers)
    return modifiers[: len(modifiers) - len(_modifiers_after_inputs(obj))]


def _modifiers_after_inputs(obj):
    playback = find_playback_modifier(obj)
    if playback is None:
        return []
    modifiers = list(obj.modifiers)
    return modifiers[modifiers.index(playback) :]


@contextmanager
def rope_stand_in(obj: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """A copy of a legacy Curve that evaluates to bare polylines, moving just as the original does.

    Blender gives the modifiers of a beveled or filled curve the finished mesh; to get at the
    points, the bevel must go, and that is not done to the artist's own curve.
    """
    stand_in, curve = obj.copy(), _bare_copy(obj.data)
    try:
        stand_in.data = curve
        for modifier in _modifiers_after_inputs(stand_in):
            stand_in.modifiers.remove(modifier)
        scene.collection.objects.link(stand_in)
        with _nodes_at_end(stand_in, _build_resampling):
            yield stand_in
    finally:
        bpy.data.objects.remove(stand_in)
        bpy.data.curves.remove(curve)


def _bare_copy(thick_curve):
    curve = thick_curve.copy()
    curve.bevel_mode, curve.bevel_object = "ROUND", None
    curve.bevel_depth = curve.extrude = curve.offset = 0.0
    curve.dimensions = "3D"  # a flat curve may be filled
    return curve


@contextmanager
def only_shape_key(obj: bpy.types.Object, name: str, depsgraph) -> Iterator[None]:
    """Show one shape key of an object alone, at full strength."""
    before = obj.show_only_shape_key, obj.active_shape_key_index
    obj.show_only_shape_key, obj.active_shape_key_index = True, obj.data.shape_keys.key_blocks.find(name)
    depsgraph.update()
    try:
        yield
    finally:
        obj.show_only_shape_key, obj.active_shape_key_index = before
        depsgraph.update()


@contextmanager
def weights_as_attribute(obj: bpy.types.Object, vertex_group: str, attribute: str) -> Iterator[None]:
    """Give the evaluated mesh the weights of a vertex group as an attribute.

    Python can reach vertex weights one vertex at a time only; nodes copy them all at once.
    """
    with _nodes_at_end(obj, lambda tree: _build_weight_copy(tree, vertex_group, attribute)):
        yield


@contextmanager
def _nodes_at_end(obj, build: Callable):
    """A passing Geometry Nodes step; inside `inputs_only`, the end of the stack is the end of the inputs."""
    active = obj.modifiers.active
    tree = bpy.data.node_groups.new(".stiction_reading", "GeometryNodeTree")
    name = None
    try:
        build(tree)
        modifier = obj.modifiers.new(tree.name, "NODES")
        name = modifier.name
        modifier.node_group = tree
        yield
    finally:
        if name is not None:
            obj.modifiers.remove(obj.modifiers[name])
        bpy.data.node_groups.remove(tree)
        if active is not None:
            obj.modifiers.active = active


def _build_resampling(tree):
    resample = tree.nodes.new("GeometryNodeResampleCurve")
    set_node_mode(resample, "Evaluated")
    _put_between_input_and_output(tree, resample)


def _build_weight_copy(tree, vertex_group, attribute):
    weights = tree.nodes.new("GeometryNodeInputNamedAttribute")
    weights.data_type = "FLOAT"
    weights.inputs["Name"].default_value = vertex_group
    store = tree.nodes.new("GeometryNodeStoreNamedAttribute")
    store.data_type, store.domain = "FLOAT", "POINT"
    store.inputs["Name"].default_value = attribute
    tree.links.new(weights.outputs["Attribute"], store.inputs["Value"])
    _put_between_input_and_output(tree, store)


def _put_between_input_and_output(tree, node):
    for direction in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    group_input = tree.nodes.new("NodeGroupInput")
    group_output = tree.nodes.new("NodeGroupOutput")
    tree.links.new(group_input.outputs[0], node.inputs[0])
    tree.links.new(node.outputs[0], group_output.inputs[0])
