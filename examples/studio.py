"""Where the shots are taken: a backdrop, three soft lights, a camera, and Cycles."""

import math
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector

from .looks import plain
from .meshes import link, mesh_object, sheet_faces

# y and z of the backdrop: three points hold the floor level where subdivision would round it
SWEEP = ((-6.0, 0.0), (1.0, 0.0), (1.1, 0.0), (1.2, 0.0), (1.6, 0.06), (1.9, 0.22), (2.1, 0.5), (2.2, 0.9), (2.2, 6.0))
LAMPS = (  # name, place, power [W], width, colour; all for a view of one metre
    ("Key", (-1.5, -1.0, 1.6), 56.0, 1.1, (1.0, 0.93, 0.85)),
    ("Rim", (1.3, 0.9, 1.6), 65.0, 0.7, (0.85, 0.92, 1.0)),
    ("Fill", (1.7, -1.3, 0.8), 10.0, 1.6, (0.9, 0.95, 1.0)),
)


class View(NamedTuple):
    """What the camera sees [m]."""

    camera: tuple[float, float, float]
    target: tuple[float, float, float]
    floor: float = 0.0  # height
    size: float = 1.0  # of what is seen
    lens: float = 70.0  # focal length [mm]
    backdrop: tuple[float, float, float] = (0.52, 0.50, 0.48)  # colour, linear


def set_studio(view: View) -> bpy.types.Object:
    """Backdrop, lights and camera; the backdrop is returned, for what falls on the floor."""
    way = Vector(view.camera) - Vector(view.target)
    facing = Matrix.Rotation(math.atan2(way.x, -way.y), 4, "Z")  # the sets below are for a camera at −y
    for lamp in LAMPS:
        _add_lamp(lamp, facing, view)
    world = bpy.context.scene.world = bpy.data.worlds.new("World")
    world.color = (0.08, 0.085, 0.095)
    _set_camera(view)
    return _backdrop(facing, view)


def _backdrop(facing, view):
    """A floor that bends up into a wall."""
    across = np.linspace(-8.0, 8.0, 5)
    points = [(x, y, z) for y, z in SWEEP for x in across]
    sweep = mesh_object("Backdrop", view.size * np.array(points), sheet_faces(len(across), len(SWEEP)))
    sweep.matrix_world = Matrix.Translation((view.target[0], view.target[1], view.floor)) @ facing
    bend = sweep.modifiers.new("Bend", "SUBSURF")
    bend.levels, bend.render_levels = 2, 3
    sweep.data.materials.append(plain("Backdrop", view.backdrop, 0.85))
    return sweep


def _add_lamp(lamp, facing, view):
    name, place, power, width, colour = lamp
    light = bpy.data.lights.new(name, "AREA")
    light.energy, light.size, light.color = power * view.size**2, width * view.size, colour
    obj = link(bpy.data.objects.new(name, light))
    obj.location = Vector(view.target) + view.size * (facing @ Vector(place))
    obj.rotation_euler = aim(obj.location, view.target)


def _set_camera(view):
    camera = link(bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera")))
    camera.data.lens, camera.data.clip_start = view.lens, 0.01
    camera.location, camera.rotation_euler = view.camera, aim(Vector(view.camera), view.target)
    bpy.context.scene.camera = camera


def aim(place: Vector, target: tuple):
    return (Vector(target) - place).to_track_quat("-Z", "Y").to_euler()


def set_render(scene: bpy.types.Scene, samples: int = 48) -> None:
    """640 × 360 by Cycles on the CPU, denoised, with motion blur."""
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.render.resolution_x, scene.render.resolution_y = 640, 360
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 0.12
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.render.use_stamp_filename = False  # pictures travel; the path of the file is nobody's business
    image = scene.render.image_settings
    image.file_format, image.color_mode, image.compression = "PNG", "RGB", 100
    scene.render.dither_intensity = 0.0  # noise that would double the size of the file
