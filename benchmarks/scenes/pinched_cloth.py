"""Two balls pinch a hanging cloth, pull at it, and are driven through it and each other [Daviet 2020, figure 7].

`python -m benchmarks.scenes.pinched_cloth VERTICES FRAMES`
"""

import numpy as np

from stiction.solver import Cloth, ClothMaterial, Collider, Scene

from .running import Shot, TableRow, View, main
from .shapes import ball, eased, rotation, sheet, square_counts

SIDE = 0.4  # of the cloth [m]
RADIUS = 0.06  # of the balls [m]
# From the cloth's middle to each ball [m]: pinched, there is less room than the surfaces are thick; crushed, the balls
# overlap, and something must give way.
OPEN, PINCHED, CRUSHED = 0.04, 6e-4, -5e-4
CLOSING, PULLING, CRUSHING = 0.5, 0.5, 0.25  # [s]
PULL = 0.05  # sideways, while they hold the cloth [m]
FRICTION = 0.5


def pinched_cloth(vertex_count: int) -> Scene:
    scene = Scene(contact_method="admm")
    points, triangles = sheet(square_counts(vertex_count), (SIDE, SIDE))
    hanging = points @ rotation(0, 0.5 * np.pi).T
    top = np.flatnonzero(hanging[:, 2] > 0.499 * SIDE)
    scene.add(Cloth("cloth", hanging, triangles, material=ClothMaterial(), pinned=top, friction=FRICTION))
    for name, side in (("front ball", -1.0), ("back ball", 1.0)):
        scene.add(Collider(name, *_pinching_ball(side), friction=FRICTION))
    return scene


def _pinching_ball(side):
    points, triangles = ball(RADIUS, rings=16)

    def motion(time):
        pinched, pulled = eased(time, 0.0, CLOSING), eased(time, CLOSING, PULLING)
        crushed = eased(time, CLOSING + PULLING, CRUSHING)
        opened = eased(time, CLOSING + PULLING + CRUSHING, CLOSING)
        gap = OPEN + pinched * (PINCHED - OPEN) + crushed * (CRUSHED - PINCHED) + opened * (OPEN - CRUSHED)
        return points + [PULL * pulled, side * (RADIUS + gap), 0.0]

    return motion, triangles


SHOT = Shot(
    pinched_cloth,
    size="vertices",
    paper=TableRow("figure 7: no figures are told"),
    view=View(
        (0.75, -0.85, 0.25), (0.0, 0.0, -0.02), {"cloth": (0.5, 0.3, 0.08), "front ball": (0.2, 0.25, 0.3)}, floor=-0.3
    ),
)

if __name__ == "__main__":
    main(SHOT)
