"""A pile of 2,000 soft cubes [Verschoor and Jalba 2019, figure 8d].

`python -m benchmarks.scenes.cubes CUBES FRAMES`. They start a little apart, turned at random, and fall together.
"""

from stiction.solver import Scene

from .running import Shot, TableRow, View, main
from .solid_bodies import cube
from .solids import SOFT, add_solid, heap, solid_scene, solid_simulation

COUNT = 2000
RADIUS = 0.045  # of the heap, over the cube root of the cubes [m]
PAINTS = ((0.62, 0.16, 0.08), (0.1, 0.32, 0.4), (0.75, 0.55, 0.16), (0.7, 0.68, 0.62), (0.2, 0.36, 0.14))


def cubes(count: int = COUNT, contact_method: str = "admm") -> Scene:
    scene, mesh = solid_scene(contact_method=contact_method), cube()
    for number, nodes in enumerate(heap(mesh, count, RADIUS * count ** (1 / 3))):
        add_solid(scene, f"cube {number}", mesh, nodes, SOFT)
    return scene


SHOT = Shot(
    cubes,
    size="cubes",
    paper=TableRow("2K cubes of 88K elements: no times are told", nodes="54,000", contacts="3,333 at most", cores="1"),
    view=View((0.75, -1.15, 0.7), (0.0, 0.0, 0.13), {f"cube {n}": PAINTS[n % len(PAINTS)] for n in range(COUNT)}),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
