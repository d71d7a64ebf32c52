"""Small shots that several tests bake."""

from types import SimpleNamespace

import bpy
import numpy as np

LAST_FRAME = 6


def evaluated_world(obj):
    """Positions of an object's points (n, 3) as Blender shows them now."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    data = evaluated.data.attributes["position"].data
    local = np.empty(len(data) * 3, np.float32)
    data.foreach_get("vector", local)
    matrix = np.array(evaluated.matrix_world)
    return local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def select(obj):
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def make_sheet(name="Sheet"):
    """A cloth whose first two vertices are pinned, without drag, and so limp that the others fall freely."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=3, size=1, location=(0, 0, 2))
    sheet = bpy.context.object
    sheet.name = name
    group = sheet.vertex_groups.new(name="Pins")
    group.add([0, 1], 1.0, "REPLACE")
    bpy.ops.stiction.add(kind="CLOTH")
    sheet.stiction.pin_group = "Pins"
    sheet.stiction.air_drag = sheet.stiction.normal_drag = sheet.stiction.damping = 0.0
    for name in ("warp_stiffness", "weft_stiffness", "shear_stiffness", "warp_bending", "weft_bending"):
        setattr(sheet.stiction, name, 1e-12)
    return sheet


def make_hair():
    """Two strands on a scalp that moves."""
    bpy.ops.mesh.primitive_uv_sphere_add(location=(3, 0, 0))
    scalp = bpy.context.object
    scalp.keyframe_insert("location", frame=1)
    scalp.location.x += 1.0
    scalp.keyframe_insert("location", frame=LAST_FRAME)
    curves = bpy.data.hair_curves.new("Groom")
    curves.add_curves([4, 3])
    points = np.array([[0, 0, 1 + 0.1 * i] for i in range(4)] + [[1 + 0.1 * i, 0, 0] for i in range(3)], np.float32)
    curves.attributes["position"].data.foreach_set("vector", points.ravel())
    curves.surface = scalp
    hair = bpy.data.objects.new("Groom", curves)
    hair.parent = scalp
    bpy.context.collection.objects.link(hair)
    select(hair)
    bpy.ops.stiction.add(kind="HAIR")
    return hair


def make_shot():
    """Cloth, hair and a collider, saved in the current file."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST_FRAME
    make_sheet()
    make_hair()
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.stiction.add(kind="COLLIDER")
    bpy.ops.wm.save_mainfile()
    return scene


def fallen(frame, fps=24, steps=4):
    """Implicit Euler from rest: g Δt² n (n + 1) / 2."""
    n, time_step = (frame - 1) * steps, 1 / (fps * steps)
    return 9.81 * time_step**2 * n * (n + 1) / 2


def event(kind):
    """Stands for an event of the window: a key, or TIMER."""
    return SimpleNamespace(type=kind, value="PRESS")
