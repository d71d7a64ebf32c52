"""Elastic strings that are tangled by forces, and untangle when these are gone [Verschoor and Jalba 2019, figure 2b].

`python -m benchmarks.scenes.strings STRINGS FRAMES`. Square bars of tetrahedra hang from their upper ends. Force fields
draw their lower halves together and around each other, cease, and the strings unwind. The paper tells neither numbers
nor dimensions.
"""

import numpy as np

from stiction.solver import Scene
from stiction.solver.force_fields import Falloff, ForceField
from stiction.solver.scene import MIXED

from .running import Shot, TableRow, View, main
from .shapes import eased
from .solid_bodies import STRING_LENGTH, string
from .solids import SOFT, add_solid, solid_scene, solid_simulation

COUNT = 12
SPACING = 0.03  # of the strings [m]
ROOM = 0.1  # below them [m]
TURNING = 160.0  # strength of the vortex [1/s²]
DRAWING = 1500.0  # and of what draws to its axis [1/s²]
DRAG = 10.0  # rate at which the air slows down what is in the fields [1/s]
REACH = 0.3  # of the fields, above and below the lower ends [m]
WINDING_TIME, END_TIME, RELEASE_TIME = 0.15, 0.7, 0.1  # until they are strongest, begin to cease, and are gone [s]
PAINTS = ((0.6, 0.1, 0.06), (0.75, 0.55, 0.1), (0.08, 0.28, 0.5), (0.7, 0.68, 0.62))


def strings(count: int = COUNT, contact_method: str = MIXED) -> Scene:
    scene, mesh = solid_scene(contact_method=contact_method), string()
    ends = np.flatnonzero(mesh.nodes[:, 0] > 0.499 * STRING_LENGTH)
    upright = mesh.nodes[:, [1, 2, 0]] + [0.0, 0.0, ROOM + 0.5 * STRING_LENGTH]
    for number, (x, y) in enumerate(_places(count)):
        add_solid(scene, f"string {number}", mesh, upright + [x, y, 0.0], SOFT, pinned=ends)
    scene.force_fields += [_field("vortex", "point", TURNING), _field("harmonic", "line", DRAWING)]
    return scene


def _places(count):
    """Of the strings in the plane across them (count, 2) [m]: a spiral of golden angles, no two too near."""
    number = np.arange(count) + 0.5
    radius, turn = 0.6 * SPACING * np.sqrt(number), number * np.pi * (3.0 - np.sqrt(5.0))
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)])


def _field(kind, shape, strength):
    """About the vertical through the strings' lower ends."""

    def rows(time):
        share = eased(time, 0.0, WINDING_TIME) - eased(time, END_TIME, RELEASE_TIME)
        return np.array([(0.0, 0.0, ROOM), (0.0, 0.0, 1.0), (share * strength, share * DRAG, 0.0)])

    return ForceField(kind, kind, shape, motion=rows, falloff_kind="tube", falloff=Falloff(greatest=REACH))


SHOT = Shot(
    strings,
    size="strings",
    paper=TableRow("figure 2b: no figures are told"),
    view=View(
        *((0.35, -1.35, 0.5), (0.0, 0.0, 0.37)),
        {f"string {number}": PAINTS[number % len(PAINTS)] for number in range(COUNT)},
    ),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
