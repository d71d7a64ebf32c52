"""164 soft letters fall on each other; then walls push them together [Otaduy et al. 2009, section 6 and figure 7].

`python -m benchmarks.scenes.letters LETTERS FRAMES`. They are filled with tetrahedra, and steps are 30 ms
long, as in the paper. `letter_meshes.py` made the meshes from Blender's text objects.
"""

from functools import cache

import numpy as np

from stiction.solver import Collider, Scene, SoftBody, SolidMaterial

from .letter_meshes import FILE, LETTERS
from .running import Shot, TableRow, View, main
from .shapes import Mesh, box, eased, rotation

COUNT = 164
SIZE = 0.2  # of a letter [m]
CELLS = 5  # of a cage along its longest side
LAYER = 12  # letters, four by three
ACROSS, LAYER_HEIGHT = 0.24, 0.12  # of a letter's place, and of a layer [m]
ROOM = 0.1  # between letters and walls [m]
THICKNESS = 2e-3  # [m]
FRICTION = 0.4
PUSH, PUSH_START, PUSH_TIME = 0.25, 2.4, 3.0  # of each wall [m], from when on and how long [s]
STEPS = {"frames_per_second": 1.0 / 0.03, "steps_per_frame": 1, "contact_iterations": 250, "contact_sweeps": 10}
RUBBER = SolidMaterial(density=1000.0, youngs_modulus=1e5, poisson_ratio=0.3, solid_law="corotated")


def letters(count: int = COUNT, contact_method: str = "admm", cells: int = CELLS, friction: float = FRICTION) -> Scene:
    scene = Scene(contact_method=contact_method, **STEPS)
    contact = {"friction": friction, "thickness": THICKNESS}
    _add_walls(scene, contact)
    for number, place in enumerate(_places(count)):
        points, triangles = mesh(LETTERS[number % len(LETTERS)])
        turn = rotation(2, 0.5 * np.pi * (number % 4)) @ rotation(0, 0.12 * np.sin(number))
        solid = {"material": RUBBER, "resolution": cells}
        scene.add(SoftBody(f"letter {number}", points @ turn.T + place, triangles, **solid, **contact))
    return scene


@cache
def mesh(letter: str) -> Mesh:
    with np.load(FILE) as stored:
        return SIZE * stored[f"{letter}.points"].astype(np.float64), stored[f"{letter}.triangles"].astype(np.int32)


def _places(count):
    """Four by three in a layer, every second layer turned."""
    for number in range(count):
        layer, place = divmod(number, LAYER)
        x, y = (place % 4 - 1.5) * ACROSS, (place // 4 - 1.0) * ACROSS
        yield np.array([x, y, 0.1 + layer * LAYER_HEIGHT] if layer % 2 else [y, x, 0.1 + layer * LAYER_HEIGHT])


def _add_walls(scene, contact):
    scene.add(Collider("floor", *box((6.0, 6.0, 0.2), (0.0, 0.0, -0.1)), **contact))
    reach = 2.0 * ACROSS + ROOM
    for number in range(4):
        # They end above the floor, on which they would rub.
        points, triangles = box((0.1, 3.0, 2.0), (reach + 0.05, 0.0, 1.0 + 3.0 * THICKNESS))
        turn = rotation(2, 0.5 * np.pi * number)
        scene.add(Collider(f"wall {number}", _pushing(points, turn), triangles, **contact))


def _pushing(points, turn):
    """Two walls that face each other come nearer, the other two stay."""
    inward = [-PUSH if abs(turn[0, 0]) > 0.5 else 0.0, 0.0, 0.0]
    return lambda time: (points + np.multiply(inward, eased(time, PUSH_START, PUSH_TIME))) @ turn.T


PAINTS = ((0.6, 0.08, 0.06), (0.75, 0.5, 0.08), (0.08, 0.25, 0.5), (0.1, 0.4, 0.15), (0.45, 0.12, 0.4))
SHOT = Shot(
    letters,
    size="letters",
    paper=TableRow("Letters, 23,000 tetrahedra", frame="4.1 s for a step", cores="1"),
    view=View(
        (0.95, -1.3, 1.0),
        (0.0, 0.0, 0.1),
        {f"letter {number}": PAINTS[number % len(PAINTS)] for number in range(COUNT)},
        hidden=tuple(f"wall {number}" for number in range(4)),
    ),
)

if __name__ == "__main__":
    main(SHOT)
