"""Jacks, which hook into each other, fall into a tray [Erleben 2017, section 5, Jacks: 362 objects].

`python -m benchmarks.scenes.jacks JACKS FRAMES`.
"""

from stiction.solver import Scene

from .rigid_meshes import jack
from .rigid_props import add_prop, add_tray, lattice, painted, random_turns, rigid_scene
from .running import Shot, TableRow, View, main

SIZE = 0.12  # [m]
SPACING = 1.15 * SIZE


def jacks(count: int = 362, **settings) -> Scene:
    scene, mesh = rigid_scene(**settings), jack(SIZE)
    across = max(2, round(0.9 * count ** (1 / 3)))
    add_tray(scene, SPACING * max(1.2 * across, across + 0.8), 0.3 * SPACING * across)
    turns = random_turns(count)
    for number, place in enumerate(lattice(count, across, SPACING, 0.6 * SIZE)):
        add_prop(scene, f"jack {number}", mesh, place, turns[number])
    return scene


SHOT = Shot(
    jacks,
    size="jacks",
    paper=TableRow("Jacks, 362 objects", nodes="600,447"),
    view=View((1.2, -1.7, 1.3), (0.0, 0.0, 0.15), painted(f"jack {number}" for number in range(1000))),
)

if __name__ == "__main__":
    main(SHOT)
