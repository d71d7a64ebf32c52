"""Balls that fall into a tray [Erleben 2017, section 5, Spheres].

`python -m benchmarks.scenes.spheres BALLS FRAMES`.
"""

from stiction.solver import Scene

from .rigid_meshes import icosphere
from .rigid_props import add_prop, add_tray, lattice, painted, rigid_scene
from .running import Shot, TableRow, View, main

RADIUS = 0.05  # [m]
SPACING = 2.3 * RADIUS


def spheres(count: int = 1000, **settings) -> Scene:
    """In a tray that is as wide as ten balls for a thousand of them."""
    scene, mesh = rigid_scene(**settings), icosphere(RADIUS)
    across = max(2, round(count ** (1 / 3)))
    add_tray(scene, SPACING * max(1.15 * across, across + 0.8), 0.55 * SPACING * across)
    for number, place in enumerate(lattice(count, across, SPACING, 1.2 * RADIUS)):
        add_prop(scene, f"ball {number}", mesh, place)
    return scene


SHOT = Shot(
    spheres,
    size="balls",
    paper=TableRow("Spheres"),
    view=View((1.9, -2.6, 2.3), (0.0, 0.0, 0.35), painted(f"ball {number}" for number in range(2000))),
)

if __name__ == "__main__":
    main(SHOT)
