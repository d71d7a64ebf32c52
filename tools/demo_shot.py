"""The demo's shot: a groomed head that turns and nods, and a cloth held at two corners, in the wind."""

from math import radians

import bpy
import numpy as np

STRANDS, POINTS = 3000, 12
HEAD_RADIUS = 0.12  # [m]


def build(last_frame):
    """Build the shot in the empty current file."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, last_frame
    scene.stiction.wind = (1.5, 0.8, 0.0)
    head = make_head(last_frame)
    make_groom(head)
    make_banner()
    make_ground()
    make_camera_and_light(scene)
    set_up_render(scene)


def make_head(last_frame):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=HEAD_RADIUS, location=(-0.16, 0, 0.3))
    head = bpy.context.object
    head.name = "Head"
    bpy.ops.object.shade_smooth()
    head.data.materials.append(make_material("Skin", (0.75, 0.42, 0.3), 0.45))
    for frame, turn in ((1, 0), (last_frame // 3, 40), (last_frame, -50)):
        head.rotation_euler = (0, radians(turn / 4), radians(turn))
        head.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.stiction.add(kind="COLLIDER")
    return head


def make_groom(head):
    curves = bpy.data.hair_curves.new("Groom")
    curves.add_curves([POINTS] * STRANDS)
    curves.attributes["position"].data.foreach_set("vector", strand_points().astype(np.float32).ravel())
    radius = curves.attributes.new("radius", "FLOAT", "POINT")
    radius.data.foreach_set("value", np.tile(np.linspace(4e-4, 1e-4, POINTS), STRANDS).astype(np.float32))
    curves.surface, curves.surface_uv_map = head, head.data.uv_layers[0].name
    curves.materials.append(make_material("Hair", (0.12, 0.05, 0.02), 0.35))
    groom = bpy.data.objects.new("Groom", curves)
    groom.parent = head
    bpy.context.collection.objects.link(groom)
    mark(groom, "HAIR")
    groom.stiction.air_drag = 3.0


def strand_points():
    """Points (STRANDS, POINTS, 3) [m] on the upper half of the head, combed back a little."""
    random = np.random.default_rng(7)
    direction = random.normal(size=(20 * STRANDS, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    direction = direction[direction[:, 2] > 0.25][:STRANDS]
    along = np.linspace(0.0, 0.09, POINTS)[None, :, None]
    bent = direction[:, None] + (along * 6) * np.array([0.0, 0.5, -0.9])
    bent /= np.linalg.norm(bent, axis=2, keepdims=True)
    steps = np.diff(along, axis=1) * bent[:, 1:]
    root = HEAD_RADIUS * direction[:, None]
    return np.concatenate([root, root + np.cumsum(steps, axis=1)], axis=1)


def make_banner():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=60, y_subdivisions=60, size=0.3, location=(0.22, 0, 0.32))
    banner = bpy.context.object
    banner.name = "Banner"
    banner.rotation_euler = (radians(80), 0, 0)
    bpy.ops.object.shade_smooth()
    banner.data.materials.append(make_material("Cloth", (0.05, 0.22, 0.45), 0.8))
    pins = banner.vertex_groups.new(name="Pins")
    positions = np.empty(len(banner.data.vertices) * 3)
    banner.data.vertices.foreach_get("co", positions)
    top = np.flatnonzero(positions.reshape(-1, 3)[:, 1] > 0.149)
    pins.add(top.tolist(), 1.0, "REPLACE")
    mark(banner, "CLOTH")
    banner.stiction.pin_group = "Pins"
    banner.stiction.air_drag = 4.0


def make_ground():
    bpy.ops.mesh.primitive_plane_add(size=20)
    bpy.context.object.data.materials.append(make_material("Ground", (0.35, 0.34, 0.33), 0.9))


def mark(obj, kind):
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.stiction.add(kind=kind)


def make_camera_and_light(scene):
    bpy.ops.object.camera_add(location=(0.05, -1.1, 0.45), rotation=(radians(82), 0, 0))
    scene.camera = bpy.context.object
    bpy.ops.object.light_add(type="AREA", location=(-0.7, -0.8, 1.4), rotation=(radians(35), 0, radians(-40)))
    bpy.context.object.data.energy, bpy.context.object.data.size = 18, 0.8
    scene.world = scene.world or bpy.data.worlds.new("World")
    scene.world.color = (0.06, 0.07, 0.09)
    bpy.ops.object.light_add(type="AREA", location=(0.9, 0.7, 1.0), rotation=(radians(-50), 0, radians(-50)))
    bpy.context.object.data.energy, bpy.context.object.data.size = 10, 0.5


def set_up_render(scene):
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 8
    scene.cycles.use_denoising = True
    scene.render.resolution_x, scene.render.resolution_y = 480, 270
    scene.render.use_motion_blur = True
    scene.render.use_stamp_filename = False  # pictures travel; the path of the file is nobody's business
    scene.render.image_settings.file_format = "PNG"


def make_material(name, colour, roughness):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return material
