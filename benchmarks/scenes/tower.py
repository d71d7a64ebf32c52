"""A round tower of bricks that stands [Erleben 2017, section 5, Tower: 49 objects].

`python -m benchmarks.scenes.tower LAYERS FRAMES`; seven layers of seven bricks are as many as the paper's.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Scene

from .rigid_meshes import brick
from .rigid_props import THICKNESS, add_floor, add_prop, painted, rigid_scene
from .running import Shot, TableRow, View, main

BRICKS = 7  # a layer
LENGTH, DEPTH, HEIGHT = 0.2, 0.1, 0.08  # of a brick [m]
ROOM = 1.02 * THICKNESS  # between layers [m]
RADIUS = 0.28  # of the tower, to the middles of its bricks [m]


def tower(layer_count: int = 7, **settings) -> Scene:
    """Layers are turned against each other by half a brick."""
    scene, mesh = rigid_scene(**settings), brick((LENGTH, DEPTH, HEIGHT))
    add_floor(scene)
    for number in range(BRICKS * layer_count):
        layer, place = divmod(number, BRICKS)
        angle = 2.0 * np.pi * (place + 0.5 * (layer % 2)) / BRICKS
        middle = RADIUS * np.array([np.cos(angle), np.sin(angle), 0.0])
        middle[2] = ROOM + 0.5 * HEIGHT + layer * (HEIGHT + ROOM)
        add_prop(scene, f"brick {number}", mesh, middle, Rotation.from_rotvec([0.0, 0.0, angle + 0.5 * np.pi]))
    return scene


SHOT = Shot(
    tower,
    size="layers",
    paper=TableRow("Tower, 49 objects", nodes="441"),
    view=View((0.9, -1.5, 1.0), (0.0, 0.0, 0.27), painted(f"brick {number}" for number in range(200))),
)

if __name__ == "__main__":
    main(SHOT)
