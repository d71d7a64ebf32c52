"""Storeys of pillars and lintels in a ring [Erleben 2017, section 5, Colosseum: 649 objects].

`python -m benchmarks.scenes.colosseum PILLARS FRAMES`: so many a storey, of three.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Scene

from .rigid_meshes import brick
from .rigid_props import THICKNESS, add_floor, add_prop, rigid_scene
from .running import Shot, TableRow, View, main

STOREYS = 3
PILLAR = (0.12, 0.1, 0.26)  # across, along the ring, height [m]
LINTEL_HEIGHT, LINTEL_DEPTH = 0.08, 0.13  # [m]
SPACING = 0.25  # of pillars [m]
ROOM = 1.02 * THICKNESS


def colosseum(pillar_count: int = 24, **settings) -> Scene:
    """Lintels reach from the middle of a pillar to that of the next."""
    scene = rigid_scene(**settings)
    add_floor(scene)
    radius = 0.5 * SPACING / np.tan(np.pi / pillar_count)
    shortest = 2.0 * (radius - 0.5 * LINTEL_DEPTH) * np.tan(np.pi / pillar_count)
    lintel = brick((LINTEL_DEPTH, shortest - 2.0 * ROOM, LINTEL_HEIGHT))
    level = ROOM
    for storey in range(STOREYS):
        for number in range(pillar_count):
            _add(scene, f"pillar {storey} {number}", brick(PILLAR), radius, number / pillar_count, level)
        level += PILLAR[2] + ROOM
        for number in range(pillar_count):
            _add(scene, f"lintel {storey} {number}", lintel, radius, (number + 0.5) / pillar_count, level)
        level += LINTEL_HEIGHT + ROOM
    return scene


def _add(scene, name, mesh, radius, share, level):
    """At a share of the ring, standing on a level [m]."""
    angle = 2.0 * np.pi * share
    middle = radius * np.array([np.cos(angle), np.sin(angle), 0.0])
    middle[2] = level + 0.5 * np.ptp(mesh[0][:, 2])
    add_prop(scene, name, mesh, middle, Rotation.from_rotvec([0.0, 0.0, angle]))


STONES = ((0.62, 0.56, 0.45), (0.52, 0.44, 0.34))
COLOURS = {f"pillar {storey} {number}": STONES[0] for storey in range(STOREYS) for number in range(120)}
COLOURS |= {f"lintel {storey} {number}": STONES[1] for storey in range(STOREYS) for number in range(120)}
SHOT = Shot(
    colosseum,
    size="pillars",
    paper=TableRow("Colosseum, 649 objects", nodes="80,438"),
    view=View((1.6, -2.8, 1.9), (0.0, 0.0, 0.35), COLOURS),
)

if __name__ == "__main__":
    main(SHOT)
