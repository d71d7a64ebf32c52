"""The same haircut twice, on two heads that shake it alike: dry, and wet by cohesion."""

import bpy
import numpy as np

from .combing import combed
from .figure import make_figure
from .grooms import add_children, groom
from .looks import hair
from .meshes import mark
from .rig import add_spine, key_pose
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 36
APART = 0.42  # of the two [m]
FILM = 6e-4  # thickness of wet strands: within it they stick to each other [m]
COHESION = 8e-6  # of each contact: a third of what a strand weighs [N]
VIEW = View((0.0, 1.75, 0.12), (0.0, 0.0, -0.08), floor=-0.62, size=0.8, lens=74.0, backdrop=(0.33, 0.36, 0.40))


def build(detail: float) -> None:
    for name, side in (("Dry", 0.5), ("Wet", -0.5)):
        make_head(name, side * APART, round(260 * detail))
    settings = bpy.context.scene.stiction
    settings.steps_per_frame, settings.motion_samples = 5, 2
    set_studio(VIEW)


def make_head(name: str, x: float, count: int) -> None:
    body = make_figure(f"{name} Body", lowest=-0.42)
    spine = add_spine(body)
    body.parent, spine.location.x = spine, x
    key_pose(spine, shaking, LAST_FRAME, bpy.context.scene.render.fps)
    is_wet = name == "Wet"
    bpy.context.view_layer.update()
    strands = [x, 0.0, 0.0] + combed(count, 16, 0.27, (0.004, 0.016))
    groomed = groom(f"{name} Hair", strands, body, width=2.2e-4 if is_wet else 2.0e-4)
    groomed.data.materials.append(hair(name, 0.75 if is_wet else 0.5, 0.6, roughness=0.12 if is_wet else 0.35))
    mark("COLLIDER", body)
    mark("HAIR", groomed)
    groomed.stiction.friction, groomed.stiction.is_sag_free = 0.3, True
    if is_wet:
        groomed.stiction.cohesion, groomed.stiction.thickness = COHESION, FILM
    add_children(groomed, 14, 0.004)


def shaking(time: float) -> dict[str, tuple]:
    """The head goes left and right twice, and stops."""
    strength = np.clip(time / 0.2, 0.0, 1.0) * np.clip((1.05 - time) / 0.15, 0.0, 1.0)
    turn = strength * np.sin(2.0 * np.pi * 2.0 * time)
    return {"Chest": (0.0, 0.0, 0.12 * turn), "Head": (0.0, 0.10 * turn, 0.62 * turn)}


SHOT = Shot(build, LAST_FRAME, pictures=(24,))
