"""A hanging cloth is let go and folds onto the ground [Otaduy et al. 2009, section 6 and figure 5].

`python -m benchmarks.scenes.folded_cloth VERTICES FRAMES`; 2,500 vertices and steps of 4 ms are the paper's.
"""

import numpy as np

from stiction.solver import Cloth, ClothMaterial, Collider, Scene

from .running import Shot, TableRow, View, main
from .shapes import box, sheet, square_counts

SIDE = 1.0  # of the cloth [m]
START = 0.02  # of its lower edge over the ground [m]
WAVE, WAVES = 0.01, 3.0  # how far it hangs from a plane [m], and how often it sways
FRICTION = 0.3
THICKNESS = 2e-3  # [m]
STEPS = {"frames_per_second": 25.0, "steps_per_frame": 10}  # of 4 ms
SPRINGS = ClothMaterial(cloth_law="springs", area_density=0.2, damping=5e-3, air_drag=0.2)


def folded_cloth(vertex_count: int, friction: float = FRICTION, contact_method: str = "admm") -> Scene:
    scene = Scene(contact_method=contact_method, **STEPS)
    contact = {"friction": friction, "thickness": THICKNESS}
    points, triangles = sheet(square_counts(vertex_count), (SIDE, SIDE))
    height = points[:, 1] + 0.5 * SIDE
    sway = WAVE * np.sin(2.0 * np.pi * WAVES * height / SIDE + 2.0 * points[:, 0])
    hanging = np.column_stack([points[:, 0], sway, START + height])
    scene.add(Cloth("cloth", hanging, triangles, material=SPRINGS, rest_positions=points, **contact))
    scene.add(Collider("floor", *box((4.0, 4.0, 0.2), (0.0, 0.0, -0.1)), **contact))
    return scene


SHOT = Shot(
    folded_cloth,
    size="vertices",
    paper=TableRow("Falling cloth", nodes="2,500", frame="4.8 s for ten steps", solver="69 %", cores="1"),
    view=View((1.3, -1.5, 0.9), (0.0, 0.0, 0.12), {"cloth": (0.5, 0.08, 0.1)}),
)

if __name__ == "__main__":
    main(SHOT)
