"""Balls, bricks and jacks fall through a funnel into a tray [Erleben 2017, section 5, Funnel].

`python -m benchmarks.scenes.funnel PROPS FRAMES`.
"""

import numpy as np

from stiction.solver import Collider, Scene

from .rigid_meshes import brick, icosphere, jack
from .rigid_props import THICKNESS, add_prop, add_tray, lattice, painted, random_turns, rigid_scene
from .running import Shot, TableRow, View, main
from .shapes import ellipses, tube

SIZE = 0.06  # of a prop [m]
SPACING = 1.35 * SIZE
OUTLET, WIDENING = 0.16, 0.8  # radius below [m], and height over the width that is gained
SHELL = 0.01  # of the funnel, thickness [m]
SLIPPERY = 0.2  # friction of the funnel


def funnel(count: int = 1000, **settings) -> Scene:
    """Props in a lattice above the funnel; its mouth is as wide as they are."""
    scene = rigid_scene(**settings)
    across = max(2, round(0.8 * count ** (1 / 3)))
    mouth = max(0.75 * SPACING * across, 1.5 * OUTLET)
    add_tray(scene, 2.2 * mouth, 0.12)
    bottom = 0.35
    top = bottom + WIDENING * (mouth - OUTLET)
    scene.add(Collider("funnel", *_funnel(mouth, bottom, top), friction=SLIPPERY, thickness=THICKNESS))
    meshes = icosphere(0.5 * SIZE), brick((SIZE, 0.7 * SIZE, 0.5 * SIZE)), jack(SIZE)
    turns = random_turns(count)
    for number, place in enumerate(lattice(count, across, SPACING, top + 0.6 * SIZE)):
        add_prop(scene, f"prop {number}", meshes[number % 3], place, turns[number])
    return scene


def _funnel(mouth, bottom, top):
    """Two skins, joined at the rims."""
    widths = np.array([mouth, OUTLET, OUTLET, mouth])
    heights = np.array([top, bottom, bottom, top])
    widths[2:] += SHELL
    rings = ellipses(widths, widths, heights, 48)
    points, triangles = tube(np.concatenate([rings, rings[:1]]))
    count = rings[..., 0].size
    return points[:count], triangles % np.int32(count)


SHOT = Shot(
    funnel,
    size="props",
    paper=TableRow("Funnel"),
    view=View(
        (2.0, -2.6, 1.5),
        (0.0, 0.0, 0.5),
        painted(f"prop {number}" for number in range(20000)) | {"funnel": (0.45, 0.47, 0.5)},
    ),
)

if __name__ == "__main__":
    main(SHOT)
