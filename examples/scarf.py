"""A woollen scarf around a head that looks left and right; friction alone keeps it there."""

import bpy
import numpy as np

from .figure import draped_axes, make_figure
from .looks import fabric
from .meshes import mark, mesh_object, sheet_faces, smoothen
from .rig import add_spine, key_pose
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 36
WIDTH, TAIL, BEND = 0.095, 0.20, 0.055  # of the scarf, of its hanging ends, and radius in which it turns down [m]
NECK = 0.075  # radius around which it is laid [m]
TURNS = 1.25  # around the neck, from one end to the other
HEIGHT = -0.142  # of its middle line around the neck [m]
START = -0.35  # angle of its inner end from the front [rad]
PLEAT = 0.004  # depth of two folds along it [m]
LAYER = 0.016  # from one turn to the next [m]
VIEW = View((0.5, -1.35, -0.02), (0.0, 0.0, -0.19), floor=-0.8, size=0.75, lens=54.0, backdrop=(0.12, 0.19, 0.16))


def build(detail: float) -> None:
    body = make_figure(lowest=-0.6)
    key_pose(add_spine(body), looking_around, LAST_FRAME, bpy.context.scene.render.fps)
    scarf = make_scarf(max(9, round(13 * detail**0.5)))
    mark("COLLIDER", body)
    mark("CLOTH", scarf)
    bpy.ops.stiction.apply_preset(preset="wool")
    body.stiction.friction, scarf.stiction.friction = 0.6, 0.6
    scarf.stiction.thickness = 0.002
    settings = bpy.context.scene.stiction
    settings.steps_per_frame, settings.motion_samples = 4, 2
    smoothen(scarf, 2, thickness=0.0035)
    set_studio(VIEW)


def looking_around(time: float) -> dict[str, tuple]:
    """To the left, to the right, and back."""
    turn = np.interp(time, [0.1, 0.45, 0.6, 1.1, 1.3, 1.5], [0.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    smooth = np.sin(0.5 * np.pi * turn)
    return {"Chest": (0.0, 0.0, 0.15 * smooth), "Head": (0.0, 0.0, 0.85 * smooth)}


def make_scarf(across: int) -> bpy.types.Object:
    """A strip, laid flat along the neck and bent down at both ends; further on it lies farther out."""
    path, tangent = _middle_line(WIDTH / (across - 1))
    side = np.column_stack([-tangent[:, 1], tangent[:, 0]])  # to the left of the way
    offsets = np.linspace(-0.5, 0.5, across) * WIDTH
    heights = path[:, None, 1] + offsets * side[:, None, 1]
    fine = np.linspace(0.118, -0.6, 1500)
    axes = draped_axes(fine, 0.009)
    half = [np.interp(-heights, -fine, axes[:, axis]) for axis in (0, 1)]
    out = LAYER * (path[:, 0] / (2.0 * np.pi * NECK))[:, None] + 0.5 * LAYER
    out = out + PLEAT * np.cos(4.0 * np.pi * offsets / WIDTH)
    angle = START + path[:, None, 0] / NECK + offsets * side[:, None, 0] / np.mean(half, axis=0)
    points = np.stack([(half[0] + out) * np.sin(angle), -(half[1] + out) * np.cos(angle), heights], axis=-1)
    scarf = mesh_object("Scarf", points.reshape(-1, 3), sheet_faces(across, len(path)))
    scarf.data.materials.append(fabric("Wool", (0.72, 0.33, 0.05), sheen=0.8, weave=260.0))
    return scarf


def _middle_line(spacing):
    """Way around the neck and height (k, 2) [m], and unit tangents: up, a bend, along, a bend, down."""
    bend = np.linspace(0.0, 0.5 * np.pi, 60)
    length = 2.0 * np.pi * NECK * TURNS
    rise = np.column_stack([np.full(60, 0.0), np.linspace(HEIGHT - BEND - TAIL, HEIGHT - BEND, 60)])
    first = np.column_stack([BEND * (1.0 - np.cos(bend)), HEIGHT - BEND + BEND * np.sin(bend)])
    half = np.concatenate([rise, first[1:]])
    path = np.concatenate([half, half[::-1] * [-1.0, 1.0] + [length, 0.0]])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    places = np.linspace(0.0, way[-1], round(way[-1] / spacing))
    even = np.column_stack([np.interp(places, way, path[:, axis]) for axis in (0, 1)])
    tangent = np.gradient(even, axis=0)
    return even, tangent / np.linalg.norm(tangent, axis=1)[:, None]


SHOT = Shot(build, LAST_FRAME, pictures=(30,))
