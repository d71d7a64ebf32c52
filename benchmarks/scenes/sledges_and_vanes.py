"""Ellipsoids of friction: sledges that go where they point, and vanes that turning needles take along.

`python -m benchmarks.scenes.sledges_and_vanes COUNT FRAMES`, of each (docs/theory/proximal.md, ellipsoids in scenes).
"""

from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Collider, RigidBody, Scene

from .rigid_meshes import brick
from .rigid_props import MATERIAL, PAINTS, THICKNESS, add_floor, rigid_scene
from .running import Shot, TableRow, View, main
from .shapes import box, cone

ANGLE = np.radians(20.0)  # of the slope, which falls towards −y
BOARD = (1.05, 0.62, 0.03)  # [m]
BOARD_AT = (0.0, 0.4, 0.14)  # its middle [m]
SLEDGE = (0.035, 0.13, 0.012)  # [m]
EASY, RATIO = 0.24, 5.0  # friction along a sledge, and across over along
WIDEST = np.radians(35.0)  # of a sledge to the fall line
VANE = 0.2  # length [m]
THICK, DROP = 0.012, 0.03  # of a vane, and how far its ends hang below its middle [m]
NEEDLE = (0.02, 0.09)  # radius and height [m]
HELD = 0.5  # friction of vanes and needles
PATCH = 3e-3  # of the last vane; the first has none [m]
TURNING = 40.0  # of the needles [rad/s]


def sledges_and_vanes(count: int = 5, **settings) -> Scene:
    """Needles turn faster than any vane: each has a torque in proportion to its patch, and turns by ½ μ ρ g t²/k²."""
    scene = rigid_scene(**settings)
    add_floor(scene)
    board = box(BOARD, (0.0, 0.0, -0.5 * BOARD[2]))
    scene.add(Collider("board", _laid(board[0]), board[1], friction=EASY, thickness=THICKNESS))
    rail = box((0.95 * BOARD[0], 0.02, 0.03), (0.0, 0.5 * BOARD[1] - 0.02, 0.015))  # where they start
    scene.add(Collider("rail", _laid(rail[0]), rail[1], thickness=THICKNESS))
    places = np.linspace(-0.5, 0.5, count)
    for number, place in enumerate(places):
        _add_sledge(scene, number, place)
        _add_vane(scene, number, place)
    return scene


def _add_sledge(scene, number, place):
    points, triangles = brick(SLEDGE)
    turn = Rotation.from_euler("z", 2.0 * WIDEST * place)
    start = (0.6 * place, 0.5 * BOARD[1] - 0.11, 0.5 * SLEDGE[2] + THICKNESS)
    along = _turn_of_slope().apply(turn.apply((0.0, 1.0, 0.0)))
    ellipse = {"friction_ratio": RATIO, "friction_direction": tuple(along)}
    contact = {"friction": EASY, "thickness": THICKNESS, "material": MATERIAL}
    scene.add(RigidBody(f"sledge {number}", _laid(turn.apply(points) + start), triangles, **contact, **ellipse))


def _add_vane(scene, number, place):
    """Its middle lies on the needle's tip, and its ends hang, so that it does not fall."""
    middle = np.array([0.95 * place, -0.05, 0.0])
    points, triangles = cone(*NEEDLE, 12)
    needle = partial(_turned, points, middle)
    scene.add(Collider(f"needle {number}", needle, triangles, friction=HELD, thickness=THICKNESS))
    points, triangles = vane()
    contact = {"friction": HELD, "thickness": THICKNESS, "material": MATERIAL, "spin_friction": PATCH * (place + 0.5)}
    scene.add(RigidBody(f"vane {number}", points + middle + (0.0, 0.0, NEEDLE[1] + THICKNESS), triangles, **contact))


def vane():
    """A bar along y, flat below in its middle, at z = 0, from where both halves hang."""
    half, flat = 0.5 * VANE, 0.1 * VANE
    along = np.array([-half, -flat, flat, half])
    below = np.array([-DROP, 0.0, 0.0, -DROP])
    rings = [[(x, y, z + up) for x, up in ((-1, 0), (1, 0), (1, THICK), (-1, THICK))] for y, z in zip(along, below)]
    points = np.array(rings) * [0.5 * SLEDGE[0], 1.0, 1.0]
    corner, ring = np.meshgrid(np.arange(4), np.arange(3))
    a, b = 4 * ring + corner, 4 * ring + (corner + 1) % 4
    sides = np.stack([a, a + 4, b, b, a + 4, b + 4], axis=-1).reshape(-1, 3)
    ends = np.array([(0, 1, 2), (0, 2, 3), (12, 14, 13), (12, 15, 14)])
    return points.reshape(-1, 3), np.concatenate([sides, ends]).astype(np.int32)


def _turned(points, middle, time):
    return Rotation.from_euler("z", TURNING * time).apply(points) + middle


def _turn_of_slope():
    return Rotation.from_euler("x", ANGLE)


def _laid(points):
    return _turn_of_slope().apply(points) + BOARD_AT


SHOT = Shot(
    sledges_and_vanes,
    size="of each",
    paper=TableRow("none: ellipsoids of friction"),
    view=View(
        (0.25, -1.3, 1.15),
        (0.0, 0.2, 0.06),
        {f"{what} {number}": PAINTS[number % len(PAINTS)] for what in ("sledge", "vane") for number in range(100)}
        | {"board": (0.5, 0.42, 0.32), "rail": (0.2, 0.16, 0.12), "floor": (0.32, 0.33, 0.35)},
    ),
)

if __name__ == "__main__":
    main(SHOT)
