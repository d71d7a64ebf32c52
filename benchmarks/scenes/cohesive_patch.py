"""A ball swings through a patch of sticky hair, which clumps and clings to it [Daviet 2020, section 7.4 and figure 6].

`python -m benchmarks.scenes.cohesive_patch STRANDS FRAMES`
"""

import numpy as np

from stiction.solver import Collider, Hair, Scene

from .materials import HAIR, HAIR_FRICTION, STEPS_PER_FRAME
from .running import Shot, TableRow, View, main
from .shapes import ball, eased

LENGTH, POINTS = 0.3, 31  # of a strand [m]
SPACING = 1.8e-3  # of the strands, on average [m]
THICKNESS = 5e-4  # of the film around a strand, through which others stick to it [m]
COHESION = 5e-6  # of each contact: the weight of a quarter of a strand [N]
RADIUS = 0.035  # of the ball [m]
START = np.array([-0.1, 0.01, -0.2])  # of the ball; the middle of the patch is the origin [m]
SWING, SWINGING = 0.2, 1.0  # there, and back again [m], [s]
GOLDEN_ANGLE = np.pi * (3.0 - np.sqrt(5.0))


def cohesive_patch(strand_count: int) -> Scene:
    scene = Scene(steps_per_frame=STEPS_PER_FRAME, contact_method="admm")
    strands = _roots(strand_count)[:, None] - np.linspace(0.0, LENGTH, POINTS)[:, None] * [0.0, 0.0, 1.0]
    held = (np.arange(strand_count)[:, None] * POINTS + [0, 1]).ravel()
    offsets = np.arange(strand_count + 1) * POINTS
    sticky = {"friction": HAIR_FRICTION, "cohesion": COHESION, "thickness": THICKNESS}
    scene.add(Hair("hair", strands.reshape(-1, 3), offsets, material=HAIR, pinned=held, **sticky))
    points, triangles = ball(RADIUS)

    def swinging(time):
        way = SWING * (eased(time, 0.0, SWINGING) - eased(time, SWINGING, SWINGING))
        return points + START + [way, 0.0, 0.0]

    scene.add(Collider("ball", swinging, triangles, **sticky))
    return scene


def _roots(count):
    """Places (n, 3) in a disc, evenly spread."""
    number = np.arange(count) + 0.5
    radius, turn = SPACING * np.sqrt(number / np.pi), number * GOLDEN_ANGLE
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(count)])


SHOT = Shot(
    cohesive_patch,
    size="strands",
    paper=TableRow("figure 6", "401"),
    view=View(
        (0.22, -0.6, -0.08),
        (0.0, 0.0, -0.16),
        {"hair": (0.3, 0.12, 0.04), "ball": (0.15, 0.25, 0.4)},
        hair_width=5e-4,
    ),
)

if __name__ == "__main__":
    main(SHOT)
