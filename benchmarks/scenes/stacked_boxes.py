"""Rigid boxes on each other on a turning plate, in the mixed system of CR [Verschoor and Jalba 2019, section 6.2].

`python -m benchmarks.scenes.stacked_boxes BOXES FRAMES`. Each is turned a little against the one below; friction alone
takes them along.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Collider, Scene

from .rigid_meshes import brick, drum
from .rigid_props import FRICTION, THICKNESS, add_prop, painted, rigid_scene
from .running import Shot, TableRow, View, main
from .shapes import eased, rotation

SIDE, HEIGHT = 0.16, 0.09  # of a box [m]
ROOM = 1.02 * THICKNESS  # between boxes [m]
TWIST = 0.12  # of a box against that below [rad]
PLATE, PLATE_HEIGHT = 0.3, 0.04  # radius and thickness [m]
TURN, EASE = 1.5, 0.4  # of the plate [rad/s], and how long it takes to get there [s]


def stacked_boxes(count: int = 10, **settings) -> Scene:
    scene = rigid_scene(**{"contact_method": "cr", "contact_iterations": None} | settings)
    _add_plate(scene)
    mesh = brick((SIDE, SIDE, HEIGHT))
    for number in range(count):
        place = (0.0, 0.0, ROOM + 0.5 * HEIGHT + number * (HEIGHT + ROOM))
        add_prop(scene, f"box {number}", mesh, place, Rotation.from_rotvec([0.0, 0.0, TWIST * number]))
    return scene


def _add_plate(scene):
    points, triangles = drum(PLATE, PLATE_HEIGHT, 48)
    points = points - np.array([0.0, 0.0, 0.5 * PLATE_HEIGHT])

    def turned(time):
        return points @ rotation(2, TURN * time * eased(time, 0.0, EASE)).T

    scene.add(Collider("plate", turned, triangles, friction=FRICTION, thickness=THICKNESS))


SHOT = Shot(
    stacked_boxes,
    size="boxes",
    paper=TableRow("Stacked objects"),
    view=View(
        (1.1, -1.6, 1.0),
        (0.0, 0.0, 0.42),
        painted(f"box {number}" for number in range(100)) | {"plate": (0.25, 0.26, 0.28)},
        floor=-PLATE_HEIGHT,
    ),
)

if __name__ == "__main__":
    main(SHOT)
