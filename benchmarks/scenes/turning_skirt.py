"""A skirt of six layers in a fast turn [Otaduy et al. 2009, section 6 and figure 1].

`python -m benchmarks.scenes.turning_skirt VERTICES FRAMES`, the vertices of all layers: 16,800 in the paper, in steps
of 2 ms. A body that turns round in less than a second, and stops, stands in for the dancer.
"""

import numpy as np

from stiction.solver import Cloth, ClothMaterial, Collider, Scene

from .running import Shot, TableRow, View, main
from .shapes import closed_tube, eased, ellipses, rotation, tube

LAYERS = 6
WAIST, WIDTH, DEPTH = 1.0, 0.15, 0.11  # height and half axes of the waist [m]
HEMS = (0.35, 0.9)  # lengths of the outermost and the innermost layer [m]
FLARE = 0.45  # how much a layer widens, over its length
ROOM, APART = 0.05, 0.008  # from the waist to the first layer, so that hips have room, and from layer to layer [m]
THICKNESS = 2e-3  # [m]
FRICTION = 0.3
TURN_START, TURN_TIME = 0.1, 0.9  # of one whole turn [s]
STEPS = {"frames_per_second": 25.0, "steps_per_frame": 20}  # of 2 ms
SPRINGS = ClothMaterial(cloth_law="springs", area_density=0.12, damping=3e-3)


def turning_skirt(vertex_count: int, contact_method: str = "admm") -> Scene:
    scene = Scene(contact_method=contact_method, **STEPS)
    contact = {"friction": FRICTION, "thickness": THICKNESS}
    points, triangles = _body()
    scene.add(Collider("body", lambda time: _turned(points, time), triangles, **contact))
    around = 2.0 * np.pi * (WIDTH + ROOM + 0.5 * FLARE * np.mean(HEMS))
    spacing = (around * np.mean(HEMS) * LAYERS / vertex_count) ** 0.5
    for number in range(LAYERS):
        _add_layer(scene, number, max(12, round(around / spacing)), spacing, contact)
    return scene


def _turned(points, time):
    return points @ rotation(2, 2.0 * np.pi * eased(time, TURN_START, TURN_TIME)).T


def _body():
    """Waist, hips and legs as one."""
    heights = np.linspace(1.12, 0.1, 22)
    hips = 0.035 * np.exp(-(((heights - 0.86) / 0.1) ** 2))
    narrow = np.interp(heights, [0.1, 0.7, WAIST, 1.12], [0.07, 0.11, WIDTH, WIDTH]) - 4.0 * THICKNESS
    rings = ellipses(narrow + hips, narrow * DEPTH / WIDTH + hips, heights, 36)
    return closed_tube(rings, (0.0, 0.0, heights[0]), (0.0, 0.0, heights[-1]))


def _add_layer(scene, number, around, spacing, contact):
    """The innermost is the longest; each hangs from a ring at the waist that turns with the body.

    All have as many vertices around: their folds from strip to strip lie above each other.
    """
    length = np.interp(number, [0, LAYERS - 1], HEMS[::-1])
    places = np.linspace(0.0, 1.0, max(4, round(length / spacing) + 1))
    wide = ROOM + number * APART + FLARE * length * places
    positions, triangles = tube(ellipses(WIDTH + wide, DEPTH + wide, WAIST - 0.5 * length * places, around))
    held = np.arange(around)
    scene.add(
        Cloth(
            *(f"layer {number}", positions, triangles),
            material=SPRINGS,
            pinned=held,
            pin_motion=lambda time: _turned(positions[held], time),
            **contact,
        )
    )


PAINTS = ((0.45, 0.03, 0.05), (0.75, 0.72, 0.66))
SHOT = Shot(
    turning_skirt,
    size="vertices",
    paper=TableRow("Flamenco", nodes="16,800", contacts="(6000)", frame="54 s for twenty steps", cores="1"),
    view=View(
        (1.6, -2.0, 1.5),
        (0.0, 0.0, 0.7),
        {f"layer {number}": PAINTS[number % 2] for number in range(LAYERS)} | {"body": (0.6, 0.4, 0.32)},
        floor=0.0,
    ),
)

if __name__ == "__main__":
    main(SHOT)
