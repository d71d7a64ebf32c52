"""120 soft rings in a heap [Verschoor and Jalba 2019, section 6.2 and table 1].

`python -m benchmarks.scenes.rings RINGS FRAMES`; `benchmarks.scenes.stiff_rings` has stiffer ones.
"""

from stiction.solver import Scene

from .running import Shot, TableRow, View, main
from .solid_meshes import ring
from .solids import SOFT, add_solid, heap, solid_scene, solid_simulation

COUNT = 120
RADIUS = 0.09  # of the heap, over the cube root of the rings [m]
PAINTS = ((0.6, 0.08, 0.06), (0.75, 0.5, 0.08), (0.08, 0.25, 0.5), (0.7, 0.68, 0.62))


def rings(count: int = COUNT, youngs_modulus: float = SOFT, **settings) -> Scene:
    scene, mesh = solid_scene(**settings), ring()
    for number, nodes in enumerate(heap(mesh, count, RADIUS * count ** (1 / 3))):
        add_solid(scene, f"ring {number}", mesh, nodes, youngs_modulus)
    return scene


VIEW = View(
    (1.15, -1.8, 1.05), (0.0, 0.0, 0.22), {f"ring {number}": PAINTS[number % len(PAINTS)] for number in range(COUNT)}
)
SHOT = Shot(
    rings,
    size="rings",
    paper=TableRow("Rings by CR, ten steps", nodes="8,640", contacts="760", frame="14.6 s", cores="1"),
    view=VIEW,
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
