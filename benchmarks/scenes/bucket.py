"""Balls stack in a bucket [contact regions, section 5].

`python -m benchmarks.scenes.bucket BALLS FRAMES`. The balls are a little soft.
"""

import numpy as np

from stiction.solver import Collider, Scene, SoftBody, SolidMaterial

from .running import Shot, TableRow, View, main
from .shapes import Mesh, ball, closed_tube, ellipses

BALLS = 24
RADIUS = 0.05  # of a ball [m]
BOTTOM, TOP, HEIGHT, WALL = 0.12, 0.17, 0.4, 0.02  # radii, height and wall of the bucket [m]
THICKNESS = 1e-3  # [m]
FRICTION = 0.4
HARD = SolidMaterial(density=700.0, youngs_modulus=1e6, poisson_ratio=0.3, solid_law="corotated")
PAINTS = ((0.6, 0.08, 0.06), (0.75, 0.5, 0.08), (0.08, 0.25, 0.5), (0.1, 0.4, 0.15))


def bucket(ball_count: int = BALLS, contact_method: str = "admm") -> Scene:
    scene = Scene(contact_method=contact_method, steps_per_frame=8)
    contact = {"friction": FRICTION, "thickness": THICKNESS}
    scene.add(Collider("bucket", *pail(), **contact))
    points, triangles = ball(RADIUS, 8)
    for number, place in enumerate(_places(ball_count)):
        scene.add(SoftBody(f"ball {number}", points + place, triangles, material=HARD, **contact))
    return scene


def pail(count: int = 40) -> Mesh:
    """Open at the top: from the middle of its floor out, up inside, over the rim, and down outside."""
    up = np.linspace(0.0, HEIGHT, 9)
    inside = np.interp(up, [0.0, HEIGHT], [BOTTOM, TOP])
    radii, heights = np.append(inside, inside[::-1] + WALL), np.append(up, up[::-1])
    heights[-1] = -WALL
    return closed_tube(ellipses(radii, radii, heights, count), (0.0, 0.0, 0.0), (0.0, 0.0, -WALL))


def _places(ball_count):
    """Threes, one above the other, turned a little."""
    for number in range(ball_count):
        layer, angle = number // 3, 2.0 * np.pi * (number % 3) / 3.0 + 0.5 * (number // 3)
        out = 1.25 * RADIUS
        yield np.array([out * np.cos(angle), out * np.sin(angle), RADIUS + 0.01 + 2.15 * RADIUS * layer])


SHOT = Shot(
    bucket,
    size="balls",
    paper=TableRow("Balls in a bucket: 1 to 80 contacts"),
    view=View(
        (0.45, -0.75, 0.85),
        (0.0, 0.0, 0.2),
        {f"ball {number}": PAINTS[number % len(PAINTS)] for number in range(BALLS)},
        floor=-WALL,
    ),
)

if __name__ == "__main__":
    main(SHOT)
