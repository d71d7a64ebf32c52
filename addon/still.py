"""A small picture of a shot, on any machine: by Cycles on the CPU, with a camera and light of its own if need be."""

from contextlib import ExitStack, contextmanager
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from .marked_object import marked_objects

SIZE = (480, 360)
SAMPLES = 16
LIGHTS = (((0.7, 0.2, 0.4), 3.0), ((1.2, 0.0, -0.6), 0.7))  # turn and strength of suns: the second lightens shadows
DIRECTION = Vector((0.6, -1.0, 0.45)).normalized()  # from the shot to the camera


def render_still(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, path: Path) -> None:
    """Render the present frame to a PNG file; the scene is as it was afterwards."""
    render = scene.render
    with ExitStack() as restore:
        for owner, settings in (
            (render, {"engine": "CYCLES", "filepath": str(path), "resolution_percentage": 100}),
            (render, {"resolution_x": SIZE[0], "resolution_y": SIZE[1], "use_overwrite": True}),
            (render.image_settings, {"file_format": "PNG"}),
            (scene.cycles, {"samples": SAMPLES, "use_denoising": False, "device": "CPU"}),
        ):
            restore.enter_context(_set(owner, settings))
        if scene.camera is None:
            restore.enter_context(_camera(scene, view_layer))
        if not any(obj.type == "LIGHT" for obj in scene.objects):
            for rotation, energy in LIGHTS:
                restore.enter_context(_light(scene, rotation, energy))
        bpy.ops.render.render(write_still=True, scene=scene.name)


@contextmanager
def _set(owner, settings):
    before = {name: getattr(owner, name) for name in settings}
    try:
        for name, value in settings.items():
            setattr(owner, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(owner, name, value)


@contextmanager
def _camera(scene, view_layer):
    """One that sees all that is simulated."""
    data = bpy.data.cameras.new("Stiction Still")
    camera = bpy.data.objects.new(data.name, data)
    scene.collection.objects.link(camera)
    middle, radius = _extent(scene, view_layer)
    camera.location = middle + DIRECTION * (radius / np.sin(0.5 * min(data.angle_x, data.angle_y)) + data.clip_start)
    camera.rotation_euler = DIRECTION.to_track_quat("Z", "Y").to_euler()
    scene.camera = camera
    try:
        yield
    finally:
        scene.camera = None
        bpy.data.objects.remove(camera)
        bpy.data.cameras.remove(data)


def _extent(scene, view_layer):
    """Middle and radius of the boxes around what is simulated."""
    corners = [
        evaluated.matrix_world @ Vector(corner)
        for marked in marked_objects(scene)
        if marked.is_simulated
        for evaluated in [marked.obj.evaluated_get(view_layer.depsgraph)]
        for corner in evaluated.bound_box
    ]
    points = np.array(corners) if corners else np.array([(-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)])
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return Vector(middle), max(float(np.linalg.norm(points - middle, axis=1).max()), 1e-3)


@contextmanager
def _light(scene, rotation, energy):
    """A sun."""
    data = bpy.data.lights.new("Stiction Still", "SUN")
    data.energy = energy
    light = bpy.data.objects.new(data.name, data)
    light.rotation_euler = rotation
    scene.collection.objects.link(light)
    try:
        yield
    finally:
        bpy.data.objects.remove(light)
        bpy.data.lights.remove(data)
