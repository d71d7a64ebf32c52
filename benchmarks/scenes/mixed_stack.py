"""Rigid bodies, soft bodies and cloth dropped on each other [Otaduy et al. 2009, section 6 and figure 4].

`python -m benchmarks.scenes.mixed_stack LAYERS FRAMES`: each layer is a rigid box, a soft ball and a cloth over both.
"""

from stiction.solver import Cloth, ClothMaterial, Collider, RigidBody, Scene, SoftBody, SolidMaterial

from .running import Shot, TableRow, View, main
from .shapes import ball, box, rotation, sheet

BOX = (0.16, 0.12, 0.1)  # [m]
BALL = 0.06  # radius [m]
CLOTH, CLOTH_VERTICES = 0.4, 17  # side [m], and vertices along it
LAYER_HEIGHT = 0.17  # [m]
THICKNESS = 2e-3  # [m]
FRICTION = 0.4
LAYERS = 4
SOFT = SolidMaterial(density=600.0, youngs_modulus=1e5, poisson_ratio=0.4, solid_law="corotated")


def mixed_stack(layer_count: int = LAYERS, contact_method: str = "admm", ball_rings: int = 8) -> Scene:
    scene = Scene(contact_method=contact_method, steps_per_frame=6)
    contact = {"friction": FRICTION, "thickness": THICKNESS}
    scene.add(Collider("floor", *box((4.0, 4.0, 0.2), (0.0, 0.0, -0.1)), **contact))
    for layer in range(layer_count):
        _add_layer(scene, layer, contact, ball_rings)
    return scene


def _add_layer(scene, layer, contact, ball_rings):
    """Box and ball change sides from layer to layer, and are turned a little."""
    height, side, turn = layer * LAYER_HEIGHT + 0.01, (-1.0) ** layer, rotation(2, 0.7 * layer)
    points, triangles = box(BOX, (0.0, 0.0, 0.5 * BOX[2]))
    placed = (points + [0.085 * side, 0.0, 0.0]) @ turn.T + [0.0, 0.0, height]
    scene.add(RigidBody(f"box {layer}", placed, triangles, **contact))
    points, triangles = ball(BALL, ball_rings)
    placed = (points + [-0.085 * side, 0.0, BALL]) @ turn.T + [0.0, 0.0, height]
    scene.add(SoftBody(f"ball {layer}", placed, triangles, material=SOFT, **contact))
    points, triangles = sheet((CLOTH_VERTICES, CLOTH_VERTICES), (CLOTH, CLOTH))
    points = points @ turn.T + [0.0, 0.0, height + 2.0 * BALL + 0.015]
    scene.add(Cloth(f"cloth {layer}", points, triangles, material=ClothMaterial(cloth_law="springs"), **contact))


PAINTS = {"box": (0.7, 0.55, 0.06), "ball": (0.7, 0.25, 0.03), "cloth": (0.5, 0.04, 0.04)}
SHOT = Shot(
    mixed_stack,
    size="layers",
    paper=TableRow("Figure 4: no figures are told"),
    view=View(
        (0.9, -1.2, 0.75),
        (0.0, 0.0, 0.2),
        {f"{what} {layer}": paint for what, paint in PAINTS.items() for layer in range(LAYERS)},
    ),
)

if __name__ == "__main__":
    main(SHOT)
