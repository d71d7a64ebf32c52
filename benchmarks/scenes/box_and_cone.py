"""A cloth falls over a box and a cone [Daviet 2020, section 7.1, figures 8 and 9; Li et al. 2018].

`python -m benchmarks.scenes.box_and_cone VERTICES FRAMES`
"""

from stiction.solver import Cloth, ClothMaterial, Collider, Scene

from .running import Shot, TableRow, View, main
from .shapes import box, cone, sheet, square_counts

SIDE = 0.9  # of the cloth [m]
BOX = 0.2  # [m]
CONE_RADIUS, CONE_HEIGHT = 0.12, 0.3  # [m]
APART = 0.34  # middle of the box to middle of the cone [m]
START = 0.31  # height of the cloth [m]
FRICTION = 0.3


def box_and_cone(vertex_count: int) -> Scene:
    scene = Scene(contact_method="admm")
    points, triangles = sheet(square_counts(vertex_count), (SIDE, SIDE))
    scene.add(Cloth("cloth", points + [0.0, 0.0, START], triangles, material=ClothMaterial(), friction=FRICTION))
    scene.add(Collider("box", *box(BOX, (-0.5 * APART, 0.0, 0.5 * BOX)), friction=FRICTION))
    tip, faces = cone(CONE_RADIUS, CONE_HEIGHT)
    scene.add(Collider("cone", tip + [0.5 * APART, 0.0, 0.0], faces, friction=FRICTION))
    scene.add(Collider("floor", *box((6.0, 6.0, 0.2), (0.0, 0.0, -0.101)), friction=FRICTION))
    return scene


SHOT = Shot(
    box_and_cone,
    size="vertices",
    paper=TableRow("Box & Cone", solver="275 ms a step", cores="4"),
    view=View((0.75, -1.15, 0.75), (0.0, 0.0, 0.1), {"cloth": (0.07, 0.2, 0.5), "cone": (0.7, 0.4, 0.1)}),
)

if __name__ == "__main__":
    main(SHOT)
