"""Render what `view.py` saved, with Cycles; runs in an environment that has the bpy wheel.

Usage: python picture.py STATE.npz PICTURE.png
"""

import json
import sys

import bpy
import numpy as np
from mathutils import Vector

WIDTH, HEIGHT, SAMPLES = 480, 360, 32
FLOOR_COLOUR = (0.32, 0.33, 0.35)


def main(state_path, picture_path):
    with np.load(state_path) as state:
        settings = json.loads(str(state["settings"]))
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        for item in settings["objects"]:
            add_object(item, state, settings["hair_width"])
    if settings["floor"] is not None:
        add_floor(settings["floor"])
    add_camera(Vector(settings["camera"]), Vector(settings["target"]))
    add_lights()
    render(picture_path)


def add_object(item, state, hair_width):
    points, parts = state[f"{item['name']}.positions"], state[f"{item['name']}.parts"]
    data = hair_data(points, parts, hair_width) if item["is_hair"] else mesh_data(points, parts)
    data.materials.append(material(item["colour"], 0.4 if item["is_hair"] else 0.75))
    link(bpy.data.objects.new(item["name"], data))


def mesh_data(points, triangles):
    mesh = bpy.data.meshes.new("mesh")
    mesh.from_pydata(points.tolist(), [], triangles.tolist())
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=np.radians(50))
    return mesh


def hair_data(points, offsets, width):
    curves = bpy.data.hair_curves.new("hair")
    curves.add_curves(np.diff(offsets).tolist())
    curves.position_data.foreach_set("vector", points.astype(np.float32).ravel())
    radii = curves.attributes.new("radius", "FLOAT", "POINT")
    radii.data.foreach_set("value", np.full(len(points), 0.5 * width, np.float32))
    return curves


def material(colour, roughness):
    made = bpy.data.materials.new("material")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return made


def add_floor(height):
    bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, height))
    bpy.context.object.data.materials.append(material(FLOOR_COLOUR, 0.9))


def add_camera(place, target):
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.clip_start = 1e-3
    camera.location, camera.rotation_euler = place, aim(place, target)
    link(camera)
    bpy.context.scene.camera = camera


def add_lights():
    """A soft key light from the left, a rim light from behind on the right, and a pale sky: alike at any size."""
    for direction, strength in (((-0.8, -0.7, 1.1), 2.4), ((0.9, 0.8, 0.8), 1.2)):
        light = bpy.data.objects.new("light", bpy.data.lights.new("light", "SUN"))
        light.data.energy, light.data.angle = strength, 0.4
        light.rotation_euler = aim(Vector(direction), Vector())
        link(light)
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("world")
    scene.world.color = (0.42, 0.44, 0.47)


def aim(place, target):
    return (target - place).to_track_quat("-Z", "Y").to_euler()


def link(item):
    bpy.context.scene.collection.objects.link(item)


def render(path):
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_denoising = SAMPLES, True
    scene.render.resolution_x, scene.render.resolution_y = WIDTH, HEIGHT
    scene.render.use_stamp_filename = False  # pictures travel; the path of the file is nobody's business
    scene.render.dither_intensity = 0.0  # noise that would double the size of the file
    image = scene.render.image_settings
    image.file_format, image.color_mode, image.compression = "PNG", "RGB", 100
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
