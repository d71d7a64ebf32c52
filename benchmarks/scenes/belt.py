"""A stretched belt runs over two wheels that turn; friction alone drives it [Daviet 2020, section 7.1 and figure 8].

`python -m benchmarks.scenes.belt VERTICES FRAMES`
"""

import numpy as np

from stiction.solver import Cloth, Collider, Scene

from .materials import CLOTH_FRICTION, SHIRT
from .running import Shot, TableRow, View, main
from .shapes import lying_cylinder, rotation, tube

RADIUS, APART = 0.08, 0.4  # of the wheels, and between their axes [m]
WIDTH = 0.1  # of the belt [m]
STRETCH = 0.1  # of the belt, before it is let go
THICKNESS = 1e-3  # of all surfaces [m]
SPEED = 2.0 * np.pi  # of the wheels [rad/s]
STARTING = 1.0  # how long they take to get there [s]


def belt(vertex_count: int) -> Scene:
    scene = Scene(contact_method="admm", steps_per_frame=6)
    points, triangles = _loop(vertex_count)
    rest = points * [1.0 - STRETCH, 1.0, 1.0 - STRETCH]
    contact = {"friction": CLOTH_FRICTION, "thickness": THICKNESS}
    scene.add(Cloth("belt", points, triangles, rest_positions=rest, material=SHIRT, **contact))
    for name, place in (("left wheel", -0.5 * APART), ("right wheel", 0.5 * APART)):
        scene.add(Collider(name, *_wheel(place), **contact))
    return scene


def turned(time: float) -> float:
    """The angle [rad] of the wheels, which start smoothly."""
    starting = min(time, STARTING)
    return SPEED * (STARTING * _eased_way(starting / STARTING) + max(time - STARTING, 0.0))


def _eased_way(part):
    """What `eased` goes over a part of its way."""
    return 0.5 * part**2 - (1.0 - np.cos(2.0 * np.pi * part)) / (4.0 * np.pi**2)


def _wheel(place):
    wheel, triangles = lying_cylinder(RADIUS, 1.4 * WIDTH)
    return lambda time: wheel @ rotation(1, turned(time)).T + [place, 0.0, 0.0], triangles


def _loop(vertex_count):
    """The belt as rings across, joined around; it starts just off the wheels."""
    length = 2.0 * (APART + np.pi * RADIUS)
    spacing = max((length * WIDTH / vertex_count) ** 0.5, 4.0 * THICKNESS)
    radius = (RADIUS + 1.5 * THICKNESS) / np.cos(0.5 * spacing / RADIUS)  # edges are chords
    length = 2.0 * (APART + np.pi * radius)
    along = np.linspace(0.0, length, round(length / spacing), endpoint=False)
    x, z = _stadium(along, radius)
    across = np.linspace(-0.5, 0.5, max(3, round(WIDTH / spacing) + 1)) * WIDTH
    rings = np.stack([np.column_stack([x, np.full_like(x, y), z]) for y in across])
    return tube(rings)


def _stadium(along, radius):
    """Places (x, z) at ways along two half circles and the lines between them."""
    half = np.pi * radius
    part, way = np.divmod(along, APART + half)
    side = np.where(part == 0.0, 1.0, -1.0)
    angle = np.maximum(way - APART, 0.0) / radius
    x = np.minimum(way, APART) - 0.5 * APART + radius * np.sin(angle)
    return side * x, side * radius * np.cos(angle)


SHOT = Shot(
    belt,
    size="vertices",
    paper=TableRow("Belt", solver="45 ms a step", cores="4"),
    view=View((0.35, -0.85, 0.4), (0.0, 0.0, 0.0), {"belt": (0.08, 0.3, 0.12)}, floor=-0.15),
)

if __name__ == "__main__":
    main(SHOT)
