"""Wavy hair that stands on end is pulled back and then hangs, by the ADMM integrator [Daviet 2020, 7.4, figure 15].

`python -m benchmarks.scenes.groom_relaxation STRANDS FRAMES`
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from stiction.solver import Collider, Hair, Scene, Simulation
from stiction.solver.frame import Frame

from .materials import CLOTH_FRICTION, HAIR, HAIR_FRICTION, STEPS_PER_FRAME
from .running import Shot, TableRow, View, main
from .shapes import ball, rotation, spread_directions

RADIUS = 0.09  # of the head [m]
POINTS, LENGTH = 100, 0.2  # of a strand [m]
WAVE, WAVE_RADIUS = 0.04, 4e-3  # length and radius of the waves [m]
TILT = np.radians(35.0)  # of the scalp, from the top towards the back
BACKWARDS = (0.0, 9.81, 0.0)  # the first acceleration [m/s²]
PULLED = 16  # frames for which it lasts
CALM = replace(HAIR, air_drag=8.0, damping=0.0)  # a groom is to come to rest, not to swing
THICKNESS = 5e-4  # of the head's surface [m]


def groom_relaxation(strand_count: int) -> Scene:
    scene = Scene(steps_per_frame=STEPS_PER_FRAME, contact_method="admm", integrator="admm")
    strands = _waves(spread_directions(strand_count, lowest=0.0) @ rotation(0, -TILT).T)
    held = (np.arange(strand_count)[:, None] * POINTS + [0, 1]).ravel()
    offsets = np.arange(strand_count + 1) * POINTS
    settings = {"material": CALM, "pinned": held, "friction": HAIR_FRICTION}
    scene.add(Hair("hair", strands.reshape(-1, 3), offsets, **settings))
    scene.add(Collider("head", *ball(RADIUS), friction=CLOTH_FRICTION, thickness=THICKNESS))
    return scene


def _waves(outward):
    """Strands (s, POINTS, 3) along directions (s, 3), all with waves of the same phase, as curlers make them."""
    side = np.cross(outward, [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side, axis=1)[:, None]
    along = np.linspace(0.0, LENGTH, POINTS)
    swing = WAVE_RADIUS * np.clip(along / WAVE, 0.0, 1.0) * np.sin(2.0 * np.pi * along / WAVE)
    return outward[:, None] * (RADIUS + 1e-3 + along)[:, None] + swing[:, None] * side[:, None]


class TwoPulls:
    """Simulates under the first acceleration, and goes on from there under gravity."""

    def __init__(self, scene: Scene):
        self.pulled, self.hanging = (Simulation(replace(scene, gravity=pull)) for pull in (BACKWARDS, scene.gravity))

    def frames(self, first: int, last: int) -> Iterator[Frame]:
        yield from self.pulled.frames(first, min(last, PULLED))
        if last > PULLED:
            self.hanging.restore(self.pulled.state)
            yield from self.hanging.frames(PULLED + 1, last)


SHOT = Shot(
    groom_relaxation,
    size="strands",
    paper=TableRow("figure 15", "53,507", "5.4M", "11.9M at the end", "174 s", cores="6", memory="15 GB"),
    view=View(
        (0.62, -0.2, 0.12),
        (0.0, 0.05, -0.04),
        {"hair": (0.35, 0.16, 0.05), "head": (0.6, 0.4, 0.32)},
        hair_width=6e-4,
    ),
    simulate=TwoPulls,
)

if __name__ == "__main__":
    main(SHOT)
