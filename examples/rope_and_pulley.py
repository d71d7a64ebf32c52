"""Two ropes over two wheels that do not turn, with a heavy and a light weight each: one slips, the other holds."""

import bpy
import numpy as np

from .looks import plain
from .meshes import closed_rings, link, mark, rings
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 30
APART = 0.66  # of the two pulleys [m]
AXLE = 1.0  # height [m]
GROOVE, FLANGE, HALF_WIDTH = 0.10, 0.112, 0.02  # radii and half width of a wheel [m]
ROPE = 0.008  # radius of the rope [m]
HANGING = 0.45  # rope below the axle, on either side [m]
FRICTIONS = (("Slippery", -0.5, 0.05, (0.10, 0.34, 0.52)), ("Rough", 0.5, 0.6, (0.62, 0.18, 0.08)))
VIEW = View((1.1, -2.9, 1.75), (0.0, 0.0, 0.57), size=1.3, lens=54.0, backdrop=(0.42, 0.43, 0.42))


def build(detail: float) -> None:
    floor = set_studio(VIEW)
    mark("COLLIDER", floor)
    for name, side, friction, colour in FRICTIONS:
        make_pulley(name, side * APART, friction, colour, detail)
    settings = bpy.context.scene.stiction
    settings.steps_per_frame = 8


def make_pulley(name: str, x: float, friction: float, colour: tuple, detail: float) -> None:
    wheel = make_wheel(f"{name} Wheel", x)
    heavy = make_weight(f"{name} Heavy", x - reach(), AXLE - HANGING, radius=0.075, height=0.20, colour=colour)
    light = make_weight(f"{name} Light", x + reach(), AXLE - HANGING, radius=0.05, height=0.13, colour=colour)
    rope = make_rope(f"{name} Rope", x, max(24, round(90 * detail)))
    mark("COLLIDER", wheel)
    mark("RIGID", heavy, light)
    mark("HAIR", rope)
    for weight in (heavy, light):
        weight.stiction.density = 2500.0
    tie(rope, heavy, "START")
    tie(rope, light, "END")
    for obj in (wheel, rope):
        obj.stiction.friction = friction
    rope.stiction.radius, rope.stiction.pinned_ends = ROPE, "NONE"


def reach() -> float:
    """From the axle to the middle of the rope [m]."""
    return GROOVE + ROPE + 0.0015


def tie(rope, weight, end: str) -> None:
    """Press + in the rope's panel Attachments, and choose the weight."""
    bpy.context.view_layer.objects.active = rope
    bpy.ops.stiction.attachment_add()
    attachment = rope.stiction.attachments[-1]
    attachment.target, attachment.ends = weight, end


def make_wheel(name: str, x: float) -> bpy.types.Object:
    """A disc with a round groove, lying along y, with a post behind it that nothing touches."""
    across = np.linspace(-1.0, 1.0, 17)
    radii = GROOVE + (FLANGE - GROOVE) * np.abs(across) ** 3
    points = rings(radii, radii, HALF_WIDTH * across, 96)
    wheel = closed_rings(name, points[:, [0, 2, 1]] * [1.0, -1.0, 1.0], 96)
    wheel.data.set_sharp_from_angle(angle=np.radians(50.0))
    wheel.location = (x, 0.0, AXLE)
    wheel.data.materials.append(plain("Steel", (0.55, 0.56, 0.58), 0.28, Metallic=1.0))
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=48, radius=0.018, depth=0.3, location=(x, 0.13, AXLE), rotation=(np.pi / 2, 0, 0)
    )
    bpy.context.object.data.materials.append(plain("Axle", (0.08, 0.08, 0.09), 0.35, Metallic=1.0))
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(x, 0.27, 0.56), scale=(0.09, 0.06, 1.12))
    bpy.context.object.data.materials.append(plain("Post", (0.30, 0.17, 0.08), 0.6))
    return wheel


def make_weight(name, x, top, radius, height, colour) -> bpy.types.Object:
    """A cylinder with a rounded rim, hanging by the middle of its top."""
    profile = np.array(
        [(0.25, 0.0), (0.75, 0.0), (0.93, 0.02), (1.0, 0.08), (1.0, 0.92), (0.93, 0.98), (0.75, 1.0), (0.25, 1.0)]
    )
    points = rings(radius * profile[:, 0], radius * profile[:, 0], -height * profile[:, 1], 40)
    weight = closed_rings(name, points, 40)
    weight.location = (x, 0.0, top)
    weight.data.materials.append(plain("Paint", colour, 0.35, Coat_Weight=0.5))
    return weight


def make_rope(name: str, x: float, count: int) -> bpy.types.Object:
    """Up on the left, half around the wheel, and down on the right."""
    side = np.linspace(HANGING, 0.0, 200)
    turn = np.linspace(0.0, np.pi, 200)[1:-1]
    left = np.column_stack([-reach() + 0 * side, -side])
    over = reach() * np.column_stack([-np.cos(turn), np.sin(turn)])
    path = np.concatenate([left, over, left[::-1] * [-1.0, 1.0]])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    places = np.linspace(0.0, way[-1], count)
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", ROPE, 5
    spline = curve.splines.new("POLY")
    spline.points.add(count - 1)
    level, height = (np.interp(places, way, path[:, axis]) for axis in (0, 1))
    places = np.column_stack([x + level, 0 * level, AXLE + height, 1.0 + 0 * level])
    spline.points.foreach_set("co", places.ravel())
    curve.materials.append(plain("Hemp", (0.55, 0.42, 0.24), 0.9))
    return link(bpy.data.objects.new(name, curve))


SHOT = Shot(build, LAST_FRAME, pictures=(30,))
