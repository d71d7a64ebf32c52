"""Glasses fall into a tray, and into each other [Erleben 2017, section 5, Glasses: 362 objects].

`python -m benchmarks.scenes.glasses GLASSES FRAMES`.
"""

from stiction.solver import Scene

from .rigid_meshes import glass
from .rigid_props import add_prop, add_tray, lattice, painted, random_turns, rigid_scene
from .running import Shot, TableRow, View, main

HEIGHT = 0.12  # [m]
SPACING = 1.3 * HEIGHT


def glasses(count: int = 362, **settings) -> Scene:
    scene, mesh = rigid_scene(**settings), glass(HEIGHT)
    across = max(2, round(0.9 * count ** (1 / 3)))
    add_tray(scene, SPACING * max(1.2 * across, across + 0.8), 0.3 * SPACING * across)
    turns = random_turns(count, seed=1)
    for number, place in enumerate(lattice(count, across, SPACING, 0.7 * HEIGHT)):
        add_prop(scene, f"glass {number}", mesh, place, turns[number])
    return scene


SHOT = Shot(
    glasses,
    size="glasses",
    paper=TableRow("Glasses, 362 objects", nodes="590,727"),
    view=View((1.4, -2.0, 1.5), (0.0, 0.0, 0.15), painted(f"glass {number}" for number in range(1000))),
)

if __name__ == "__main__":
    main(SHOT)
