"""120 stiff bunnies in a heap [Verschoor and Jalba 2019, section 6.2; Daviet 2020, section 7.2].

`python -m benchmarks.scenes.bunnies BUNNIES FRAMES`. A ball with head and ears, of as many tetrahedra, vertices and
faces, stands in for the scanned bunny, which is not free to use. They start a little apart, and fall together.
"""

from stiction.solver import Scene

from .running import Shot, TableRow, View, main
from .solid_meshes import bunny
from .solids import STIFF, add_solid, heap, solid_scene, solid_simulation

COUNT = 120
RADIUS = 0.09  # of the heap, over the cube root of the bunnies [m]
FURS = ((0.55, 0.4, 0.28), (0.32, 0.2, 0.12), (0.75, 0.7, 0.62), (0.2, 0.19, 0.2))  # colours


def bunnies(count: int = COUNT, **settings) -> Scene:
    scene, mesh = solid_scene(**settings), bunny()
    for number, nodes in enumerate(heap(mesh, count, RADIUS * count ** (1 / 3))):
        add_solid(scene, f"bunny {number}", mesh, nodes, STIFF)
    return scene


COLOURS = {f"bunny {number}": FURS[number % len(FURS)] for number in range(COUNT)}
SHOT = Shot(
    bunnies,
    size="bunnies",
    paper=TableRow("120 Bunnies, ten steps", nodes="49,200", frame="169 s", solver="24 %", cores="1"),
    view=View((1.15, -1.8, 1.05), (0.0, 0.0, 0.22), COLOURS),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
