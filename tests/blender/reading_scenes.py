"""Animated objects whose motion is known in closed form, and the reader's answer as arrays."""

import bpy
import numpy as np
import pytest

TOLERANCE = 2e-6  # a few roundings of Blender's single precision at lengths of a few units


def link(obj):
    bpy.context.scene.collection.objects.link(obj)
    return obj


def mesh_object(name, positions, faces, kind="CLOTH", data=None):
    mesh = data or bpy.data.meshes.new(name)
    if data is None:
        mesh.from_pydata(np.asarray(positions).tolist(), [], [list(face) for face in faces])
    obj = link(bpy.data.objects.new(name, mesh))
    obj.stiction.kind = kind
    return obj


def sheet(name="Sheet", kind="CLOTH", size=3):
    """A flat square of size² vertices in steps of one, of quads that face up."""
    across, along = np.meshgrid(np.arange(size), np.arange(size))
    positions = np.column_stack((across.ravel(), along.ravel(), np.zeros(size * size)))
    corners = [row * size + column for row in range(size - 1) for column in range(size - 1)]
    return mesh_object(name, positions, [(c, c + 1, c + size + 1, c + size) for c in corners], kind)


def hair_object(name, strands):
    data = bpy.data.hair_curves.new(name)
    data.add_curves([len(strand) for strand in strands])
    data.position_data.foreach_set("vector", np.concatenate(strands).astype(np.float32).ravel())
    obj = link(bpy.data.objects.new(name, data))
    obj.stiction.kind = "HAIR"
    return obj


def vertices_of(obj):
    """Own (not evaluated) vertices (n, 3) of a mesh object."""
    positions = np.empty((len(obj.data.vertices), 3), np.float32)
    obj.data.vertices.foreach_get("co", positions.ravel())
    return positions.astype(float)


def add_group(obj, weights, name="Pin"):
    group = obj.vertex_groups.new(name=name)
    for vertex, weight in weights.items():
        group.add([vertex], weight, "REPLACE")
    obj.stiction.pin_group = name


def animate(owner, path, values, index=-1):
    """Keys of a property, {frame: value}, with straight lines in between."""
    for frame, value in values.items():
        setattr(owner, path, value) if index < 0 else getattr(owner, path).__setitem__(index, value)
        owner.keyframe_insert(path, index=index, frame=frame)
    make_linear(owner.id_data.animation_data.action)


def make_linear(action):
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                for curve in bag.fcurves:
                    for key in curve.keyframe_points:
                        key.interpolation = "LINEAR"


def bend_with_bone(obj, vertices, angles):
    """Deform vertices by a bone that turns about the line x = 1, z = 0, parallel to y; {frame: angle}."""
    armature = bpy.data.armatures.new("Armature")
    rig = link(bpy.data.objects.new("Rig", armature))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.edit_bones.new("Bone")
    bone.head, bone.tail = (1, 0, 0), (1, 1, 0)  # along y, so that its own y rotation is the world's
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.vertex_groups.new(name="Bone").add(list(map(int, vertices)), 1.0, "REPLACE")
    obj.modifiers.new("Armature", "ARMATURE").object = rig
    pose = rig.pose.bones["Bone"]
    pose.rotation_mode = "XYZ"
    animate(pose, "rotation_euler", angles, index=1)


def turned_about_hinge(positions, angle):
    """What `bend_with_bone` makes of positions."""
    return (positions - [1, 0, 0]) @ rotation(angle, 1).T + [1, 0, 0]


def rotation(angle, axis):
    """Right-handed rotation matrix about a coordinate axis."""
    cosine, sine = np.cos(angle), np.sin(angle)
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = cosine
    matrix[j, i], matrix[i, j] = sine, -sine
    return matrix


def add_nodes(obj, name, kind, **inputs):
    """A Geometry Nodes modifier of one node."""
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for direction in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    node = tree.nodes.new(kind)
    for socket, value in inputs.items():
        node.inputs[socket].default_value = value
    tree.links.new(tree.nodes.new("NodeGroupInput").outputs[0], node.inputs[0])
    tree.links.new(node.outputs[0], tree.nodes.new("NodeGroupOutput").inputs[0])
    modifier = obj.modifiers.new(name, "NODES")
    modifier.node_group = tree
    return node


def set_range(first, last, samples=1):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.stiction.motion_samples = first, last, samples


def start_of(module):
    """The solver's scene at the start frame."""
    return module("addon.read_scene").read_start(bpy.context.scene, bpy.context.view_layer)


def inputs_of(module, folder):
    """All that a bake would get."""
    reader = module("addon.read_scene").SceneReader(bpy.context.scene, bpy.context.view_layer, folder / "motion")
    for _ in reader.read():
        pass
    return reader.inputs


def refusal_of(module, action):
    """The sentences with which an action is refused."""
    errors = module("solver.errors")
    with pytest.raises(errors.SceneRefused) as caught:
        action()
    return [problem.sentence for problem in caught.value.problems]
