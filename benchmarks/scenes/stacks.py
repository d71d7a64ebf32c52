"""Rigid blocks stacked into storeys, which stand by friction alone [Verschoor and Jalba 2019, figure 2c].

`python -m benchmarks.scenes.stacks STOREYS FRAMES`. The paper tells neither numbers nor dimensions. Columns carry
planks that meet above them, and the next storey stands on these.
"""

import numpy as np

from stiction.solver import Scene
from stiction.solver.scene import MIXED

from .rigid_meshes import brick
from .rigid_props import THICKNESS, add_floor, add_prop, painted, rigid_scene
from .running import Shot, TableRow, View, main

COLUMNS = 4
SPACING = 0.2  # of the columns [m]
COLUMN = (0.09, 0.09, 0.16)  # width, depth and height [m]
PLANK_DEPTH, PLANK_HEIGHT = 0.12, 0.04  # [m]
GAP = 0.01  # between planks of a storey [m]
ROOM = 1.02 * THICKNESS  # between blocks that lie on each other [m]
STOREY = COLUMN[2] + PLANK_HEIGHT + 2.0 * ROOM


def stacks(storey_count: int = 3, contact_method: str = MIXED) -> Scene:
    """Each storey has a column less than the one below, and stands over the middles of its planks."""
    scene = rigid_scene(contact_method=contact_method)
    add_floor(scene)
    for storey in range(storey_count):
        _add_storey(scene, storey)
    return scene


def _add_storey(scene, storey):
    count, ground = max(COLUMNS - storey, 2), storey * STOREY + ROOM
    places = SPACING * (np.arange(count) - 0.5 * (count - 1))
    for number, x in enumerate(places):
        add_prop(scene, f"column {storey} {number}", brick(COLUMN), (x, 0.0, ground + 0.5 * COLUMN[2]))
    plank = brick((SPACING - GAP, PLANK_DEPTH, PLANK_HEIGHT))
    height = ground + COLUMN[2] + ROOM + 0.5 * PLANK_HEIGHT
    for number, x in enumerate(0.5 * (places[1:] + places[:-1])):
        add_prop(scene, f"plank {storey} {number}", plank, (x, 0.0, height))


NAMES = [
    f"{kind} {storey} {number}" for kind in ("column", "plank") for storey in range(9) for number in range(COLUMNS)
]
SHOT = Shot(
    stacks,
    size="storeys",
    paper=TableRow("figure 2c: no figures are told"),
    view=View((0.7, -1.5, 0.75), (0.0, 0.0, 0.3), painted(NAMES)),
)

if __name__ == "__main__":
    main(SHOT)
