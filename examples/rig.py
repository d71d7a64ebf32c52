"""A spine of three bones for the figure, and keys on it."""

from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Vector

from .meshes import add_group, link

BONES = (("Hips", -0.76, -0.50), ("Chest", -0.50, -0.17), ("Head", -0.17, 0.10))  # name, foot and tip [m]
BLEND = 0.05  # half of the height over which two bones share the skin [m]

Pose = Callable[[float], dict[str, tuple]]  # time [s] to (turn about x, y, z [rad]) of bones, and "place" [m]


def add_spine(figure: bpy.types.Object) -> bpy.types.Object:
    """Bones in the figure, with weights by height."""
    spine = link(bpy.data.objects.new("Spine", bpy.data.armatures.new("Spine")))
    bpy.context.view_layer.objects.active = spine
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for name, foot, tip in BONES:
        bone = spine.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0.0, 0.0, foot), (0.0, 0.0, tip), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    heights = np.array([vertex.co.z for vertex in figure.data.vertices])
    shares = [np.clip((heights - foot) / (2.0 * BLEND) + 0.5, 0.0, 1.0).round(2) for _, foot, _ in BONES]
    shares = [np.ones(len(heights)), *shares[1:], np.zeros(len(heights))]
    for (name, *_), lower, upper in zip(BONES, shares, shares[1:]):
        add_group(figure, name, (lower - upper).round(2))
    figure.modifiers.new("Spine", "ARMATURE").object = spine
    return spine


def key_pose(spine: bpy.types.Object, pose: Pose, last_frame: int, frames_per_second: float) -> None:
    """Keys on every frame: turns of bones about the world's axes, and the place of the whole."""
    home = spine.location.copy()
    for frame in range(1, last_frame + 1):
        turns = pose((frame - 1) / frames_per_second)
        spine.location = home + Vector(turns.pop("place", (0.0, 0.0, 0.0)))
        spine.keyframe_insert("location", frame=frame)
        for name, (x, y, z) in turns.items():
            bone = spine.pose.bones[name]
            bone.rotation_mode = "XZY"
            bone.rotation_euler = (x, z, -y)  # an upright bone's own y is up, its z to the front
            bone.keyframe_insert("rotation_euler", frame=frame)
