"""A temple of drums and beams [Erleben 2017, section 5, Temple: 639 objects].

`python -m benchmarks.scenes.temple COLUMNS FRAMES`: so many along its longer sides, half as many along the others.
"""

from stiction.solver import Scene

from .rigid_meshes import brick, drum
from .rigid_props import PAINTS, THICKNESS, add_floor, add_prop, rigid_scene
from .running import Shot, TableRow, View, main

DRUMS = 4  # a column
RADIUS, DRUM_HEIGHT = 0.08, 0.16  # [m]
SPACING = 0.34  # of columns [m]
BEAM = 0.09  # thickness [m]
ROOM = 1.02 * THICKNESS


def temple(column_count: int = 8, **settings) -> Scene:
    scene = rigid_scene(**settings)
    add_floor(scene)
    along, across = column_count, max(2, column_count // 2)
    level = ROOM
    for number, (x, y) in enumerate(_places(along, across)):
        for step in range(DRUMS):
            place = (x, y, level + step * (DRUM_HEIGHT + ROOM) + 0.5 * DRUM_HEIGHT)
            add_prop(scene, f"drum {number} {step}", drum(RADIUS, DRUM_HEIGHT), place)
        capital = brick((2.3 * RADIUS, 2.3 * RADIUS, 0.04))
        add_prop(scene, f"capital {number}", capital, (x, y, level + DRUMS * (DRUM_HEIGHT + ROOM) + 0.02))
    _add_roof(scene, along, across, level + DRUMS * (DRUM_HEIGHT + ROOM) + 0.04 + ROOM)
    return scene


def _places(along, across):
    """Middles of the columns, around a rectangle."""
    for row in range(along):
        for column in range(across):
            if row in (0, along - 1) or column in (0, across - 1):
                yield SPACING * (row - 0.5 * (along - 1)), SPACING * (column - 0.5 * (across - 1))


def _add_roof(scene, along, across, level):
    """Beams from column to column along the longer sides, and planks across them."""
    beam = brick((SPACING - ROOM, 0.14, BEAM))
    width = SPACING * (across - 1)
    for row in range(along - 1):
        x = SPACING * (row + 0.5 - 0.5 * (along - 1))
        for side, y in enumerate((-0.5 * width, 0.5 * width)):
            add_prop(scene, f"beam {row} {side}", beam, (x, y, level + 0.5 * BEAM))
    plank = brick((SPACING - ROOM, width + 0.2, 0.05))
    for row in range(along - 1):
        x = SPACING * (row + 0.5 - 0.5 * (along - 1))
        add_prop(scene, f"plank {row}", plank, (x, 0.0, level + BEAM + ROOM + 0.025))


STONE = (0.62, 0.58, 0.48)
COLOURS = {f"drum {number} {step}": STONE for number in range(100) for step in range(DRUMS)}
COLOURS |= {f"capital {number}": PAINTS[4] for number in range(100)}
COLOURS |= {f"beam {row} {side}": (0.7, 0.62, 0.45) for row in range(50) for side in (0, 1)}
COLOURS |= {f"plank {row}": (0.45, 0.25, 0.15) for row in range(50)}
SHOT = Shot(
    temple,
    size="columns",
    paper=TableRow("Temple, 639 objects", nodes="16,990"),
    view=View((2.2, -3.2, 1.5), (0.0, 0.0, 0.4), COLOURS),
)

if __name__ == "__main__":
    main(SHOT)
