"""A soft table on a slope that should hold it, which walks down on its legs [contact regions, section 5 and figure 2].

`python -m benchmarks.scenes.walking_table CELLS FRAMES`, the cells along its top. Given a push, front and back legs
slide in turns, and it goes on where a rigid table stops: friction is above the slope's tangent.
"""

import numpy as np

from stiction.solver import Collider, Filling, Scene, SoftBody, SolidMaterial

from .running import Shot, TableRow, View, main
from .shapes import box, rotation
from .solid_meshes import table

ANGLE = np.radians(18.0)  # of the slope: its tangent is 0.325
FRICTION = 0.34
THICKNESS = 1e-3  # [m]
PUSH = 0.1  # speed down the slope at the start [m/s]
PLASTIC = SolidMaterial(density=900.0, youngs_modulus=1e6, poisson_ratio=0.35, solid_law="corotated", damping=0.0)


def walking_table(cell_count: int, contact_method: str = "admm", push: float = PUSH) -> Scene:
    scene = Scene(contact_method=contact_method, frames_per_second=50.0, steps_per_frame=10)
    contact = {"friction": FRICTION, "thickness": THICKNESS}
    turn, mesh = rotation(1, ANGLE), table(cell_count)
    scene.add(Collider("slope", *_turned(box((2.4, 0.8, 0.1), (0.3, 0.0, -0.05)), turn), **contact))
    nodes = (mesh.nodes + [-0.5, 0.0, 1.05 * THICKNESS]) @ turn.T
    count, down = mesh.surface_count, push * turn[:, 0]
    scene.add(
        SoftBody(
            *("table", nodes[:count], mesh.triangles),
            filling=Filling(mesh.tetrahedra, nodes[count:]),
            material=PLASTIC,
            start_velocity=down,
            **contact,
        )
    )
    return scene


def _turned(mesh, turn):
    return mesh[0] @ turn.T, mesh[1]


SHOT = Shot(
    walking_table,
    size="cells along the top",
    paper=TableRow("Figure 2: no figures are told"),
    view=View((0.45, -1.5, 0.85), (-0.15, 0.0, 0.1), {"table": (0.65, 0.62, 0.55), "slope": (0.25, 0.3, 0.28)}),
)

if __name__ == "__main__":
    main(SHOT)
