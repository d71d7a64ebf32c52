"""Balls break a pyramid of skittles, without gravity [contact regions, section 5].

`python -m benchmarks.scenes.skittles ROWS FRAMES`: as many skittles lie in the last row. All are a little soft.
"""

import numpy as np

from stiction.solver import Scene, SoftBody, SolidMaterial

from .running import Shot, TableRow, View, main
from .shapes import Mesh, ball, closed_tube, ellipses

ROWS = 4
BALLS = 3
BALL = 0.07  # radius [m]
SPEED = 3.0  # of the balls [m/s]
SPACING = 0.11  # of the skittles [m]
HEIGHT = 0.3  # of a skittle [m]
PROFILE = ((0.0, 0.028), (0.25, 0.042), (0.45, 0.034), (0.7, 0.016), (0.85, 0.024), (1.0, 0.012))  # height, radius [m]
THICKNESS = 1e-3  # [m]
FRICTION = 0.4
HARD = SolidMaterial(density=700.0, youngs_modulus=2e6, poisson_ratio=0.3, solid_law="corotated")


def skittles(row_count: int = ROWS, contact_method: str = "admm") -> Scene:
    scene = Scene(gravity=(0.0, 0.0, 0.0), contact_method=contact_method, steps_per_frame=10)
    contact = {"friction": FRICTION, "thickness": THICKNESS, "material": HARD}
    points, triangles = skittle()
    for number, place in enumerate(_places(row_count)):
        scene.add(SoftBody(f"skittle {number}", points + place, triangles, **contact))
    points, triangles = ball(BALL, 8)
    for number in range(BALLS):
        # One after the other, each a little aside and higher or lower than the one before.
        start = [-BALL - 0.08 - 2.6 * BALL * number, 0.035 * (number - 1), 0.09 + 0.04 * number]
        velocity = (SPEED, -0.12 * (number - 1), 0.0)
        scene.add(SoftBody(f"ball {number}", points + start, triangles, start_velocity=velocity, **contact))
    return scene


def skittle(count: int = 10) -> Mesh:
    """Standing on z = 0."""
    shares, radii = np.array(PROFILE).T
    heights = HEIGHT * shares[::-1]
    rings = ellipses(radii[::-1], radii[::-1], heights, count)
    return closed_tube(rings, (0.0, 0.0, heights[0]), (0.0, 0.0, heights[-1]))


def _places(row_count):
    for row in range(row_count):
        for number in range(row + 1):
            yield np.array([row * SPACING * 0.87, (number - 0.5 * row) * SPACING, 0.0])


COLOURS = {f"skittle {number}": (0.72, 0.68, 0.58) for number in range(ROWS * (ROWS + 1) // 2)}
SHOT = Shot(
    skittles,
    size="rows of skittles",
    paper=TableRow("Balls and skittles: 1 to 45 contacts"),
    view=View(
        (-0.75, -1.1, 0.8), (0.2, 0.0, 0.15), COLOURS | {f"ball {number}": (0.06, 0.12, 0.4) for number in range(BALLS)}
    ),
)

if __name__ == "__main__":
    main(SHOT)
