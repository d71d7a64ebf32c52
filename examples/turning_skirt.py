"""A circle skirt in a fast turn: two turns in a second, and a sudden stop."""

import bpy
import numpy as np

from .figure import make_figure
from .looks import fabric
from .meshes import add_group, closed_rings, mark, mesh_object, rings, sheet_faces, smoothen
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 34
TURN = ((1, 0.0), (26, 2.0), (34, 2.0))  # frame, and turns until then
WAIST, WIDTH, DEPTH = -0.53, 0.142, 0.096  # height and half axes of the waistband [m]
LENGTH, STAND = 0.56, -1.42  # of the skirt, and height of the floor [m]
FOLDS = 14
VIEW = View((1.5, -3.9, -0.25), (0.0, 0.0, -0.66), STAND, size=1.6, lens=54.0, backdrop=(0.24, 0.22, 0.27))


def build(detail: float) -> None:
    dancer = make_dancer()
    key_turn(dancer)
    skirt = make_skirt(dancer, round(2500 * detail))
    mark("COLLIDER", dancer)
    mark("CLOTH", skirt)
    bpy.context.view_layer.objects.active = skirt
    bpy.ops.stiction.apply_preset(preset="cotton")
    skirt.stiction.pin_group = "Waist"
    skirt.stiction.normal_drag, skirt.stiction.air_drag = 0.15, 0.2
    settings = bpy.context.scene.stiction
    settings.steps_per_frame, settings.motion_samples = 6, 3
    smoothen(skirt, 2, thickness=0.0012)
    set_studio(VIEW)


def make_dancer() -> bpy.types.Object:
    """The figure with hips and two legs, as one object."""
    dancer = make_figure("Dancer")
    legs = [_leg(side) for side in (-1.0, 1.0)]
    bpy.ops.object.select_all(action="DESELECT")
    for part in (dancer, *legs):
        part.select_set(True)
    bpy.context.view_layer.objects.active = dancer
    bpy.ops.object.join()
    dancer.data.polygons.foreach_set("material_index", np.zeros(len(dancer.data.polygons), np.int32))
    return dancer


def _leg(side):
    """From inside the hips down to the toes."""
    heights = np.linspace(-0.70, STAND + 0.02, 40)
    width = np.interp(
        -heights, [0.70, 0.80, 1.0, 1.08, 1.18, 1.34, 1.40], [0.06, 0.085, 0.062, 0.05, 0.054, 0.03, 0.03]
    )
    points = rings(width, width, heights, 24).reshape(len(heights), 24, 3)
    points[:, :, 0] += side * np.interp(-heights, [0.7, 1.4], [0.085, 0.05])[:, None]
    return closed_rings("Leg", points.reshape(-1, 3), 24)


def key_turn(dancer) -> None:
    for frame, turns in TURN:
        dancer.rotation_euler.z = 2.0 * np.pi * turns
        dancer.keyframe_insert("rotation_euler", index=2, frame=frame)


def make_skirt(dancer, vertex_count: int) -> bpy.types.Object:
    """A tube with as much cloth at the hem as a three-quarter circle has, laid in even folds."""
    along = max(6, round((vertex_count / 6.0) ** 0.5))
    around = max(FOLDS * 3, round(vertex_count / along))
    way = np.linspace(0.0, 1.0, along)[:, None]
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    flare = 0.055 + 0.17 * way**0.8
    fold = 0.062 * way * np.cos(FOLDS * angle)
    room = 0.006 + flare * np.clip(way * 6.0, 0.0, 1.0) + fold
    heights = np.broadcast_to(WAIST - LENGTH * way, room.shape)
    points = np.stack([(WIDTH + room) * np.sin(angle), -(DEPTH + room) * np.cos(angle), heights], axis=-1)
    skirt = mesh_object("Skirt", points.reshape(-1, 3), sheet_faces(around, along, is_tube=True))
    add_group(skirt, "Waist", np.repeat([1.0, 1.0, *[0.0] * (along - 2)], around))
    skirt.data.materials.append(fabric("Crimson", (0.45, 0.015, 0.03), sheen=0.2))
    skirt.parent = dancer
    return skirt


SHOT = Shot(build, LAST_FRAME, pictures=(27,))
