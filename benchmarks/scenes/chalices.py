"""A pyramid of chalices, each on the rims of those below [Erleben 2017, section 5, Chalices].

`python -m benchmarks.scenes.chalices LAYERS FRAMES`. A board lies between layers, as rims alone would not carry a foot.
"""

from stiction.solver import Scene

from .rigid_meshes import brick, chalice
from .rigid_props import THICKNESS, add_floor, add_prop, painted, rigid_scene
from .running import Shot, TableRow, View, main

HEIGHT = 0.2  # [m]
SPACING = 0.72 * HEIGHT
BOARD = 0.015  # thickness [m]
ROOM = 1.02 * THICKNESS


def chalices(layer_count: int = 3, **settings) -> Scene:
    scene, mesh = rigid_scene(**settings), chalice(HEIGHT)
    add_floor(scene)
    level = ROOM
    for layer in range(layer_count):
        count = layer_count - layer
        ticks = [SPACING * (number - 0.5 * (count - 1)) for number in range(count)]
        places = [(x, y) for x in ticks for y in ticks]
        for number, (x, y) in enumerate(places):
            add_prop(scene, f"chalice {layer} {number}", mesh, (x, y, level + 0.5 * HEIGHT))
        level += HEIGHT + ROOM
        board = brick((SPACING * count, SPACING * count, BOARD))
        add_prop(scene, f"board {layer}", board, (0.0, 0.0, level + 0.5 * BOARD))
        level += BOARD + ROOM
    return scene


SHOT = Shot(
    chalices,
    size="layers",
    paper=TableRow("Chalices"),
    view=View(
        (1.0, -1.6, 0.95),
        (0.0, 0.0, 0.32),
        painted(f"chalice {layer} {number}" for layer in range(10) for number in range(100)),
    ),
)

if __name__ == "__main__":
    main(SHOT)
