"""A house of fifteen cards, which rough cards build and smooth ones do not [Daviet 2020, section 7.1 and figure 8].

`python -m benchmarks.scenes.cards VERTICES FRAMES`, where the vertices are those along the short side of a card;
`benchmarks.scenes.slippery_cards` is the same with less friction.
"""

import numpy as np

from stiction.solver import Cloth, ClothMaterial, Collider, Scene

from .running import Shot, TableRow, View, main
from .shapes import box, rotation, sheet

WIDTH, LENGTH = 0.063, 0.088  # of a card [m]
THICKNESS = 5e-4  # of all surfaces [m]
TILT = np.radians(65.0)  # of leaning cards: two alone stand if tan TILT ≥ 1/(2 μ), with a load if ≥ 1/μ
# Pressed paper of 0.3 mm and 1 GPa.
CARD = ClothMaterial(
    area_density=0.3,
    warp_stiffness=3e5,
    weft_stiffness=3e5,
    shear_stiffness=1e5,
    warp_bending=2.5e-3,
    weft_bending=2.5e-3,
    damping=5e-3,
)
STOREYS = 3
FOOT = LENGTH * np.cos(TILT)  # from the middle of a pair to where it stands [m]
SPACING = 2.0 * FOOT + 4e-3  # of pairs [m]
ROOM = 1.05 * THICKNESS  # left between surfaces at the start [m]
STOREY_HEIGHT = LENGTH * np.sin(TILT) + 4.0 * ROOM


def cards(row_count: int, friction: float = 0.6) -> Scene:
    scene = Scene(contact_method="admm", steps_per_frame=6)
    contact = {"friction": friction, "thickness": THICKNESS}
    scene.add(Collider("floor", *box((2.0, 2.0, 0.2), (0.0, 0.0, -0.1)), **contact))
    counts = (max(2, round(row_count * LENGTH / WIDTH)), max(2, row_count))
    points, triangles = sheet(counts, (LENGTH, WIDTH))
    for number, place in enumerate(_places()):
        scene.add(Cloth(f"card {number}", place(points), triangles, material=CARD, **contact))
    return scene


def _places():
    """What takes a flat card to each place of the house, storey by storey."""
    for storey in range(STOREYS):
        foot, count = ROOM + storey * STOREY_HEIGHT, STOREYS - storey
        for number in range(count):
            middle = (number - 0.5 * (count - 1)) * SPACING
            yield from (_leaning(middle, foot, side) for side in (-1.0, 1.0))
        for number in range(count - 1):
            # Neighbours overlap on the pair between them.
            height = foot + LENGTH * np.sin(TILT) + (1 + number) * ROOM
            yield _lying((number - 0.5 * (count - 2)) * SPACING, height)


def _leaning(middle, foot, side):
    turn = rotation(1, side * TILT)
    offset = [middle + side * 0.5 * (FOOT + ROOM), 0.0, foot + 0.5 * LENGTH * np.sin(TILT)]
    return lambda points: points @ turn.T + offset


def _lying(middle, height):
    return lambda points: points + [middle, 0.0, height]


COLOURS = {f"card {number}": (0.75, 0.72, 0.65) if number % 2 else (0.6, 0.1, 0.08) for number in range(15)}
SHOT = Shot(
    cards,
    size="vertices across a card",
    paper=TableRow("Cards, μ = 0.6", solver="92 ms a step", cores="4"),
    view=View((0.2, -0.5, 0.28), (0.0, 0.0, 0.11), COLOURS),
)

if __name__ == "__main__":
    main(SHOT)
