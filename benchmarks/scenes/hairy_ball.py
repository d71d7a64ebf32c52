"""A ball with hair on its upper half, turned about its three axes in turn [Daviet 2020, section 7.2 and table 2].

`python -m benchmarks.scenes.hairy_ball STRANDS FRAMES` runs it and prints seconds a frame, by stage.
"""

from dataclasses import replace

import numpy as np

from stiction.solver import Collider, Hair, HairMaterial, Scene

from .running import Shot, TableRow, View, main
from .shapes import ball, eased, rotation, spread_directions

RADIUS = 0.09  # of the ball [m]
LENGTH = 0.25  # of the hair [m]; not told in the paper
POINTS = 32  # of a strand, of which the first two are held
FRIZZ = 2e-3  # radius of the waves [m]
WAVE = 0.03  # their length [m]
REST = 1.0  # before the first turn [s]
TURN = 1.0  # about each axis [s]
MATERIAL = HairMaterial(
    radius=3.7e-5, density=1300.0, bending_modulus=4e9, stretching_modulus=1e8, poisson_ratio=0.48, damping=1e-3
)
FRICTION = 0.2


def hairy_ball(strand_count: int, seed: int = 0, air_drag: float = MATERIAL.air_drag) -> Scene:
    scene = Scene(steps_per_frame=4, contact_method="admm")
    points = _strands(strand_count, seed)
    held = (np.arange(strand_count)[:, None] * POINTS + [0, 1]).ravel()
    roots = points[held]
    offsets = np.arange(strand_count + 1) * POINTS
    settings = {"pinned": held, "pin_motion": lambda time: roots @ turned(time).T, "friction": FRICTION}
    scene.add(Hair("hair", points, offsets, material=replace(MATERIAL, air_drag=air_drag), **settings))
    skin, triangles = ball(RADIUS)
    scene.add(Collider("ball", lambda time: skin @ turned(time).T, triangles, friction=FRICTION, thickness=1e-4))
    return scene


def turned(time: float) -> np.ndarray:
    """Half a turn about z, x and y, one after the other, each begun and ended at rest."""
    matrix = np.eye(3)
    for number, axis in enumerate((2, 0, 1)):
        matrix = rotation(axis, np.pi * eased(time, REST + number * TURN, TURN)) @ matrix
    return matrix


def _strands(count, seed):
    """Points (n, 3) of waves that stand up from a hemisphere."""
    random = np.random.default_rng(seed)
    outward = spread_directions(count, lowest=0.0)
    first = np.cross(outward, [0.36, 0.48, 0.8])
    first /= np.linalg.norm(first, axis=1)[:, None]
    second = np.cross(outward, first)
    along = np.linspace(0.0, LENGTH, POINTS)
    phase = random.uniform(0.0, 2.0 * np.pi, (count, 1))
    angle = 2.0 * np.pi / WAVE * random.uniform(0.8, 1.2, (count, 1)) * along + phase
    width = FRIZZ * random.uniform(0.5, 1.5, (count, 1)) * np.clip(along / 0.02, 0.0, 1.0)
    points = outward[:, None] * (RADIUS + 2e-4 + along)[:, None]
    points = points + (width * np.cos(angle))[..., None] * first[:, None]
    points = points + (width * np.sin(angle))[..., None] * second[:, None]
    return points.reshape(-1, 3)


SHOT = Shot(
    hairy_ball,
    size="strands",
    paper=TableRow(
        "Hairy ball 16k", "15,565", "498k", "212k (337k)", "84 s (109)", "39 s (48)", cores="8", memory="7.7 GB"
    ),
    view=View(
        (0.36, -0.5, 0.2),
        (0.0, 0.0, -0.02),
        {"hair": (0.35, 0.13, 0.04), "ball": (0.6, 0.55, 0.5)},
        hair_width=6e-4,
    ),
)

if __name__ == "__main__":
    main(SHOT)
