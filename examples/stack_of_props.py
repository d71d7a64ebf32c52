"""A castle of toy blocks that stands by friction alone, until a ball comes."""

import bpy

from .looks import plain
from .shot import Shot
from .studio import View, set_studio

LAST_FRAME = 24
BLOCK = 0.05  # side of a cube [m]
GAP = 0.0011  # blocks start so far apart: as thick as their surfaces are [m]
COLOURS = {
    "Red": (0.62, 0.06, 0.04),
    "Yellow": (0.80, 0.48, 0.04),
    "Blue": (0.04, 0.20, 0.48),
    "Green": (0.06, 0.33, 0.12),
    "Wood": (0.62, 0.40, 0.20),
}
VIEW = View((0.75, -1.8, 0.62), (0.0, 0.0, 0.165), size=0.65, lens=84.0, backdrop=(0.50, 0.53, 0.52))
BALL_SPEED = 2.6  # [m/s]


def build(detail: float) -> None:
    """The blocks come in rows; `detail` leaves the upper ones out."""
    paints = {name: plain(name, colour, 0.45, Coat_Weight=0.3) for name, colour in COLOURS.items()}
    floors = max(1, round(3 * detail))
    blocks = [block for floor in range(floors) for block in storey(floor, paints)]
    blocks += roof(floors, paints)
    ball = make_ball(paints["Red"])
    table = set_studio(VIEW)
    bpy.ops.object.select_all(action="DESELECT")
    for obj in (*blocks, ball, table):
        obj.select_set(True)
    bpy.ops.stiction.set_up_shot()
    scene = bpy.context.scene
    scene.stiction.contact_method, scene.stiction.steps_per_frame = "PROX", 5
    for obj in (*blocks, ball, table):
        obj.stiction.friction = 0.5
    for obj in (*blocks, ball):
        obj.stiction.density = 700.0
        bevel = obj.modifiers.new("Rounded", "BEVEL")
        bevel.width, bevel.segments, bevel.limit_method = 0.003, 3, "ANGLE"
    ball.stiction.density, ball.stiction.start_velocity = 5000.0, (BALL_SPEED, 0.0, 0.0)


def storey(floor: int, paints: dict) -> list[bpy.types.Object]:
    """Four columns, two boards over them and a cross board."""
    bottom = floor * (BLOCK * 1.5 + GAP + BLOCK * 0.3 + GAP)
    places = [(x, y) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]
    height, shift = 1.5 * BLOCK, 1.15 * BLOCK
    columns = [
        (_column if floor % 2 else _cube)(place=(x * shift, y * shift, bottom + GAP + 0.5 * height), height=height)
        for x, y in places
    ]
    top = bottom + GAP + height + GAP + 0.15 * BLOCK
    sizes = ((3.4 * BLOCK, BLOCK, 0.3 * BLOCK), (BLOCK, 3.4 * BLOCK, 0.3 * BLOCK))[floor % 2]
    shifts = ((0.0, shift), (shift, 0.0))[floor % 2]
    boards = [_box(sizes, (side * shifts[0], side * shifts[1], top)) for side in (-1.0, 1.0)]
    for block, name in zip((*columns, *boards), ("Blue", "Yellow", "Green", "Red", "Wood", "Wood")):
        block.data.materials.append(paints[name])
    return [*columns, *boards]


def roof(floor: int, paints: dict) -> list[bpy.types.Object]:
    """A cube on two boards, and a cone on it."""
    bottom = floor * (BLOCK * 1.8 + 2.0 * GAP) + GAP
    sizes = ((BLOCK, 3.4 * BLOCK, 0.3 * BLOCK), (3.4 * BLOCK, BLOCK, 0.3 * BLOCK))[(floor + 1) % 2]
    board = _box(sizes, (0.0, 0.0, bottom + 0.15 * BLOCK))
    cube = _cube((0.0, 0.0, bottom + 0.3 * BLOCK + GAP + 0.5 * BLOCK), BLOCK)
    top = bottom + 1.3 * BLOCK + 2.0 * GAP
    bpy.ops.mesh.primitive_cone_add(
        vertices=16,
        radius1=0.5 * BLOCK,
        radius2=0.04 * BLOCK,
        depth=1.1 * BLOCK,
        location=(0.0, 0.0, top + 0.55 * BLOCK),
    )
    cone = bpy.context.object
    for block, name in zip((board, cube, cone), ("Wood", "Yellow", "Red")):
        block.data.materials.append(paints[name])
    return [board, cube, cone]


def make_ball(paint) -> bpy.types.Object:
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.045, location=(-0.75, -1.0 * BLOCK, 0.0462))
    bpy.ops.object.shade_smooth()
    bpy.context.object.name = "Ball"
    bpy.context.object.data.materials.append(paint)
    return bpy.context.object


def _cube(place, height):
    return _box((BLOCK, BLOCK, height), place)


def _box(size, place):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    bpy.context.object.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    return bpy.context.object


def _column(place, height):
    bpy.ops.mesh.primitive_cylinder_add(vertices=16, radius=0.46 * BLOCK, depth=height, location=place)
    return bpy.context.object


SHOT = Shot(build, LAST_FRAME, pictures=(8, 18))
