"""A soft doll that is pulled through turning cylinders [Verschoor and Jalba 2019, figure 1 and section 6.2.1].

`python -m benchmarks.scenes.pulled_body NODES FRAMES`; the paper's Armadillo has 200k unknowns, some 66,700 nodes. Its
feet are held and go down, between three pairs of cylinders that leave it little more than half of its depth. At the
paper's pace, 12,500 steps, its head then leaves the last pair.
"""

import numpy as np

from stiction.solver import Scene
from stiction.solver.scene import MIXED

from .running import Shot, TableRow, View, main
from .shapes import lying_cylinder, rotation
from .solid_bodies import DOLL_NODES, doll
from .solids import SOFT, add_collider, add_solid, solid_scene, solid_simulation

HALF_MILLISECOND = 5e-4
RADIUS, LENGTH, SIDES = 0.08, 0.5, 32  # of the cylinders [m]
GAP = 0.11  # between the two of a pair [m]
PAIRS, DISTANCE = 3, 0.19  # and between the axes of one and the next [m]
# Of the feet, and of the cylinders' surfaces [m/s]: 0.87 m in 12,500 steps, as much as the body and the cylinders are
# high; until they have it [s]; and how much faster they go while they rush [m/s].
SPEED, START_TIME, RUSH_SPEED = 0.14, 0.1, 1.0
FOOT = 0.04  # height of what is held [m]
ROOM = 0.02  # between the feet and the level of the first axes [m]


def pulled_body(
    node_count: int = DOLL_NODES,
    contact_method: str = MIXED,
    time_step: float = HALF_MILLISECOND,
    rush: float = 0.0,
) -> Scene:
    """With a rush, the body comes in between the cylinders within so many seconds, and then goes on at the pace."""
    scene, mesh = solid_scene(time_step, contact_method, has_floor=False), doll(node_count)
    _add_cylinders(scene, rush)
    nodes = mesh.nodes + [0.0, 0.0, ROOM - mesh.nodes[:, 2].min()]
    surface = nodes[: mesh.surface_count]
    feet = np.flatnonzero(surface[:, 2] < ROOM + FOOT)

    def pulled(time):
        return surface[feet] - [0.0, 0.0, _way(time, rush)]

    add_solid(scene, "doll", mesh, nodes, SOFT, "neo_hookean", pinned=feet, pin_motion=pulled)
    return scene


def _way(time, rush):
    """Of the feet [m]; the rush adds as much as if it had been at its full speed from beginning to end."""
    return SPEED * _seconds_under_way(time) + RUSH_SPEED * (_seconds_under_way(time) - _seconds_under_way(time - rush))


def _seconds_under_way(time):
    """At full speed [s], for the way of what goes uniformly faster, and then steadily."""
    faster, steady = np.clip(time, 0.0, START_TIME), max(time - START_TIME, 0.0)
    return 0.5 * faster**2 / START_TIME + steady


def _add_cylinders(scene, rush):
    points, triangles = lying_cylinder(RADIUS, LENGTH, SIDES)
    for pair in range(PAIRS):
        for side in (-1, 1):
            place = np.array([side * (RADIUS + 0.5 * GAP), 0.0, -pair * DISTANCE])

            def turned(time, side=side, place=place):
                return points @ rotation(1, -side * _way(time, rush) / RADIUS).T + place

            add_collider(scene, f"cylinder {pair} {'left' if side < 0 else 'right'}", turned, triangles)


STEEL = (0.35, 0.42, 0.48)
CYLINDERS = {f"cylinder {pair} {side}": STEEL for pair in range(PAIRS) for side in ("left", "right")}
SHOT = Shot(
    pulled_body,
    size="nodes",
    paper=TableRow(
        *("Armadillo by CR, ten steps", "", "66,700", "1,450", "107 s"), solver="66 s", iterations="810", cores="1"
    ),
    view=View((0.95, -1.35, 0.5), (0.0, 0.0, -0.06), CYLINDERS | {"doll": (0.25, 0.42, 0.12)}),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
