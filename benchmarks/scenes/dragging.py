"""A corner draws a cloth over itself and along the floor [Daviet 2020, section 7.1 and figure 8; Li et al. 2018].

`python -m benchmarks.scenes.dragging VERTICES FRAMES`
"""

import numpy as np

from stiction.solver import Cloth, ClothMaterial, Collider, Scene

from .running import Shot, TableRow, View, main
from .shapes import box, eased, sheet, square_counts

SIDE = 0.5  # of the cloth [m]
GRIP = 0.05  # side of the corner that is held [m]
LIFT, WAY = 0.06, np.array([-0.9, -0.3, 0.0])  # of what is held [m]
LIFTING, DRAGGING = 0.25, 2.0  # how long it takes [s]
THICKNESS = 1e-3  # [m]
FRICTION = 0.4


def dragging(vertex_count: int) -> Scene:
    scene = Scene(contact_method="admm")
    counts = square_counts(vertex_count)
    points, triangles = sheet(counts, (SIDE, SIDE))
    points += [0.0, 0.0, 1.05 * THICKNESS]
    held = np.flatnonzero((points[:, :2] > 0.5 * SIDE - GRIP).all(axis=1))
    start = points[held]

    def grip(time):
        return start + [0.0, 0.0, LIFT * eased(time, 0.0, LIFTING)] + WAY * eased(time, LIFTING, DRAGGING)

    contact = {"friction": FRICTION, "thickness": THICKNESS}
    scene.add(Cloth("cloth", points, triangles, material=ClothMaterial(), pinned=held, pin_motion=grip, **contact))
    scene.add(Collider("floor", *box((6.0, 6.0, 0.2), (0.0, 0.0, -0.1)), **contact))
    return scene


SHOT = Shot(
    dragging,
    size="vertices",
    paper=TableRow("Dragging", solver="0.4 ms a step", cores="4"),
    view=View((0.15, -1.0, 0.7), (-0.2, 0.0, 0.0), {"cloth": (0.5, 0.08, 0.06)}),
)

if __name__ == "__main__":
    main(SHOT)
