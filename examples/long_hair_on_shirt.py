"""Long hair on the shirt of somebody who runs; nothing but friction holds the shirt, and the hair on it."""

import bpy
import numpy as np

from .combing import combed
from .figure import draped_axes, make_figure
from .grooms import add_children, groom
from .looks import fabric, hair
from .meshes import mark, mesh_object, rings, sheet_faces, smoothen
from .rig import add_spine, key_pose
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 40
STRIDE = 2.7  # steps a second
NECK, HEM = -0.2, -0.64  # heights where the shirt begins and ends [m]
ROOM = 0.006  # between body and shirt at the start [m]
VIEW = View((1.25, 1.75, 0.14), (0.0, 0.02, -0.175), floor=-0.95, lens=70.0, backdrop=(0.09, 0.16, 0.19))


def build(detail: float) -> None:
    body = make_figure()
    spine = add_spine(body)
    scene = bpy.context.scene
    key_pose(spine, running, LAST_FRAME, scene.render.fps)
    shirt = make_shirt(round(2400 * max(detail, 0.4)))
    strands = combed(round(420 * detail), 20, 0.42, (0.003, 0.010), room=2.2 * ROOM)
    groomed = groom("Hair", strands, body, width=2.6e-4)
    groomed.data.materials.append(hair("Chestnut", 0.62, 0.75))
    set_up(body, shirt, groomed)
    smoothen(shirt, 2, thickness=0.0012)
    add_children(groomed, 14, 0.0045)
    set_studio(VIEW)


def running(time: float) -> dict[str, tuple]:
    """On the spot: it bobs and leans at every step, and twists from one to the next."""
    strength = min(time / 0.45, 1.0) ** 2 * (3.0 - 2.0 * min(time / 0.45, 1.0))
    phase = np.pi * STRIDE * time
    twist, nod = strength * np.sin(phase), strength * np.cos(2.0 * phase)
    return {
        "place": (0.012 * twist, 0.0, 0.028 * (nod - strength)),
        "Hips": (0.10 * strength, 0.03 * twist, -0.10 * twist),
        "Chest": (0.04 * nod, 0.0, 0.34 * twist),
        "Head": (-0.06 * strength + 0.05 * nod, 0.0, -0.16 * twist),
    }


def make_shirt(vertex_count: int) -> bpy.types.Object:
    """Rings down from the neck, evenly spaced along the cloth, wider at the hem."""
    fine = np.linspace(NECK, HEM, 800)
    axes = draped_axes(fine, ROOM) + 0.035 * np.clip((-0.42 - fine) / 0.22, 0.0, 1.0)[:, None]
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(axes[:, 0]), np.diff(fine)))])
    around = 2.0 * np.pi * axes.mean()
    spacing = (around * way[-1] / vertex_count) ** 0.5
    places = np.linspace(0.0, way[-1], max(4, round(way[-1] / spacing) + 1))
    widths, depths, heights = (np.interp(places, way, column) for column in (*axes.T, fine))
    count = max(12, round(around / spacing))
    shirt = mesh_object("Shirt", rings(widths, depths, heights, count), sheet_faces(count, len(places), is_tube=True))
    shirt.data.materials.append(fabric("Linen", (0.55, 0.50, 0.42)))
    return shirt


def set_up(body, shirt, groomed):
    """Three clicks, and a few settings that differ from what they start with."""
    mark("COLLIDER", body)
    mark("CLOTH", shirt)
    mark("HAIR", groomed)
    body.stiction.friction, shirt.stiction.friction = 0.5, 0.5
    groomed.stiction.friction = 0.3
    groomed.stiction.is_sag_free = True
    shirt.stiction.thickness = 0.004
    bpy.context.scene.stiction.steps_per_frame = 5
    bpy.context.scene.stiction.motion_samples = 2


SHOT = Shot(build, LAST_FRAME, pictures=(24,))
