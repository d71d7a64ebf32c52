"""A pyramid of 140 soft blocks under a plate that comes down and turns [Verschoor and Jalba 2019, section 6.2].

`python -m benchmarks.scenes.pyramid LAYERS FRAMES`; seven layers, of 1, 4, 9, … blocks, are the paper's.
"""

import numpy as np

from stiction.solver import Scene

from .running import Shot, TableRow, View, main
from .shapes import box, eased, rotation
from .solid_meshes import BLOCK_HEIGHT, BLOCK_SIDE, block
from .solids import SOFT, THICKNESS, add_collider, add_solid, solid_scene, solid_simulation

LAYERS = 7
HALF_MILLISECOND = 5e-4
SPACING = BLOCK_SIDE + 0.02  # of the blocks of a layer [m]
ROOM = 1.05 * THICKNESS  # left between the layers, and below the plate [m]
PLATE, PLATE_THICKNESS = 0.9, 0.03  # side [m]
PRESS, PRESS_TIME = 0.06, 0.5  # how far the plate comes down [m], and how long it takes [s]
TURN = 1.0  # of the plate [rad/s]
PAINTS = ((0.5, 0.28, 0.12), (0.62, 0.42, 0.22), (0.4, 0.2, 0.1))


def pyramid(layer_count: int = LAYERS, youngs_modulus: float = SOFT, time_step: float = HALF_MILLISECOND) -> Scene:
    scene, mesh = solid_scene(time_step), block()
    for number, place in enumerate(_places(layer_count)):
        add_solid(scene, f"block {number}", mesh, mesh.nodes + place, youngs_modulus)
    _add_plate(scene, layer_count * (BLOCK_HEIGHT + ROOM) + ROOM)
    return scene


def _places(layer_count):
    """Middles of the blocks, from the lowest layer up; each lies on four others."""
    for layer in range(layer_count):
        count = layer_count - layer
        height = ROOM + layer * (BLOCK_HEIGHT + ROOM) + 0.5 * BLOCK_HEIGHT
        ticks = SPACING * (np.arange(count) - 0.5 * (count - 1))
        yield from (np.array([x, y, height]) for x in ticks for y in ticks)


def _add_plate(scene, height):
    points, triangles = box((PLATE, PLATE, PLATE_THICKNESS), (0.0, 0.0, 0.5 * PLATE_THICKNESS))

    def moved(time):
        turned = points @ rotation(2, TURN * time * eased(time, 0.0, PRESS_TIME)).T
        return turned + [0.0, 0.0, height - PRESS * eased(time, 0.0, PRESS_TIME)]

    add_collider(scene, "plate", moved, triangles)


COLOURS = {f"block {number}": PAINTS[number % len(PAINTS)] for number in range(140)}
SHOT = Shot(
    pyramid,
    size="layers",
    paper=TableRow("Pyramid by CR, ten steps", nodes="36,400", contacts="2,855", frame="60 s", cores="1"),
    view=View((1.0, -1.9, 0.42), (0.0, 0.0, 0.1), COLOURS | {"plate": (0.35, 0.5, 0.55)}),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
