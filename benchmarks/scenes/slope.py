"""The same napkin and block on one slope with three frictions: what the number means, for docs/friction.md.

`python -m benchmarks.scenes.slope VERTICES FRAMES`, the vertices of one napkin.
"""

import numpy as np

from stiction.solver import Cloth, ClothMaterial, Collider, RigidBody, Scene

from .running import Shot, TableRow, View, main
from .shapes import box, rotation, sheet, square_counts

ANGLE = np.radians(20.0)  # of the slope; they rest on it from 0.364 on
FRICTIONS = (0.1, 0.3, 0.5)
COLOURS = ((0.55, 0.1, 0.07), (0.6, 0.35, 0.03), (0.06, 0.25, 0.45))
BOARD = (1.2, 0.28, 0.04)  # [m]
APART = 0.32  # from board to board [m]
SIDE = 0.2  # of a napkin [m]
BLOCK = 0.08  # [m]
START = 0.42  # of the napkins, up the slope from its middle [m]
THICKNESS = 1e-3  # [m]


def slope(vertex_count: int) -> Scene:
    scene = Scene(contact_method="admm", steps_per_frame=4)
    for lane, friction in enumerate(FRICTIONS):
        _add_lane(scene, vertex_count, (lane - 1) * APART, friction)
    return scene


def _add_lane(scene, vertex_count, across, friction):
    contact = {"friction": friction, "thickness": THICKNESS}
    scene.add(Collider(f"board {friction}", *_laid(box(BOARD, (0.0, across, -0.5 * BOARD[2]))), **contact))
    napkin = sheet(square_counts(vertex_count), (SIDE, SIDE))
    napkin = _laid((napkin[0] + [-START, across, 1.2 * THICKNESS], napkin[1]))
    scene.add(Cloth(f"napkin {friction}", *napkin, material=ClothMaterial(), **contact))
    block = box(BLOCK, (-START + 0.2, across, 0.5 * BLOCK + 1.2 * THICKNESS))
    scene.add(RigidBody(f"block {friction}", *_laid(block), **contact))


def _laid(mesh):
    """On the slope, which falls towards +x."""
    points, triangles = mesh
    return points @ rotation(1, ANGLE).T, triangles


SHOT = Shot(
    slope,
    size="vertices of a napkin",
    paper=TableRow("none: what friction means"),
    view=View(
        (1.55, -1.3, 1.0),
        (0.05, 0.0, -0.08),
        {f"{what} {friction}": colour for what in ("napkin", "block") for friction, colour in zip(FRICTIONS, COLOURS)},
    ),
)

if __name__ == "__main__":
    main(SHOT)
