"""Soft rings, cubes and balls in a wedge that closes and rocks [Verschoor and Jalba 2019, figure 2a].

`python -m benchmarks.scenes.wedge BODIES FRAMES`. The paper tells neither numbers nor dimensions.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Scene

from .running import Shot, TableRow, View, main
from .shapes import box, eased, rotation
from .solid_bodies import cube, sphere
from .solid_building import SolidMesh
from .solid_meshes import ring
from .solids import SOFT, add_collider, add_solid, solid_scene, solid_simulation

COUNT = 120
RING_SCALE, BALL_RADIUS, BALL_LEVELS = 0.5, 0.032, 1  # [m]
CELL = 0.105  # of the lattice on which they start [m]: none touches another, however it is turned
ROWS = 5  # cells along the wedge
OPEN, CLOSED, CLOSING_TIME = np.radians(36.0), np.radians(20.0), 1.2  # angle of a side and the upright; [s]
ROCKING, ROCKING_TIME = np.radians(14.0), 0.8  # of the whole wedge, and how long a swing takes [s]
SIDE, PLATE = 0.9, 0.04  # length and thickness of a side [m]
WALLS, STEEL = ("left", "right", "back"), (0.3, 0.4, 0.46)
PAINTS = ((0.6, 0.08, 0.06), (0.75, 0.5, 0.08), (0.08, 0.25, 0.5))


def wedge(count: int = COUNT, contact_method: str = "admm") -> Scene:
    scene, random = solid_scene(contact_method=contact_method, has_floor=False), np.random.default_rng(0)
    meshes = (_scaled(ring(), RING_SCALE), cube(), sphere(BALL_RADIUS, BALL_LEVELS))
    for number, place in zip(range(count), _places()):
        mesh, turn = meshes[number % len(meshes)], Rotation.random(random_state=random)
        add_solid(scene, f"body {number}", mesh, turn.apply(mesh.nodes) + place, SOFT)
    _add_walls(scene)
    return scene


def _scaled(mesh, scale):
    return SolidMesh(scale * mesh.nodes, *mesh[1:])


def _places():
    """Cells inside the open wedge, from below."""
    height = 1.5 * CELL
    while True:
        room = height * np.tan(OPEN) - 0.6 * CELL / np.cos(OPEN)
        across = int(max(room, 0.0) / (0.5 * CELL))  # cells beside each other, less one
        ticks = CELL * (np.arange(across + 1) - 0.5 * across) if room > 0.0 else []
        yield from ((x, y, height) for x in ticks for y in CELL * (np.arange(ROWS) - 0.5 * (ROWS - 1)))
        height += CELL


def _add_walls(scene):
    """Two sides that meet in the line x = z = 0, and two ends."""
    length = ROWS * CELL + 0.01
    for name, side in (("left", -1), ("right", 1)):
        points, triangles = box((PLATE, length + 4.0 * PLATE, SIDE), (0.5 * side * PLATE, 0.0, 0.5 * SIDE))
        add_collider(scene, name, _leaning(points, side), triangles)
    for name, side in (("back", 1), ("front", -1)):
        points, triangles = box((2.0 * SIDE, PLATE, 1.1 * SIDE), (0.0, 0.5 * side * (length + PLATE), 0.45 * SIDE))
        add_collider(scene, name, _leaning(points, 0), triangles)


def _leaning(points, side):
    """Motion of a wall: it leans to its side, less and less, and all rock."""

    def moved(time):
        lean = OPEN + (CLOSED - OPEN) * eased(time, 0.0, CLOSING_TIME)
        rocking = ROCKING * np.sin(2.0 * np.pi * time / ROCKING_TIME) * eased(time, 0.0, ROCKING_TIME)
        return points @ rotation(1, side * lean + rocking).T

    return moved


SHOT = Shot(
    wedge,
    size="bodies",
    paper=TableRow("figure 2a: no figures are told"),
    view=View(
        *((0.2, -1.25, 0.72), (0.0, 0.0, 0.3)),
        {f"body {number}": PAINTS[number % len(PAINTS)] for number in range(COUNT)} | dict.fromkeys(WALLS, STEEL),
        hidden=("front",),
    ),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
