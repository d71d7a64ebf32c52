"""A ball runs into a wall of bricks [Erleben 2017, section 5, Wall: 81 objects].

`python -m benchmarks.scenes.wall LAYERS FRAMES`; ten layers of eight bricks, with the ball, are as many as the paper's.
"""

from stiction.solver import RigidMaterial, Scene

from .rigid_meshes import brick, icosphere
from .rigid_props import THICKNESS, add_floor, add_prop, painted, rigid_scene
from .running import Shot, TableRow, View, main

LENGTH, DEPTH, HEIGHT = 0.2, 0.1, 0.08  # of a brick [m]
ROOM = 1.02 * THICKNESS  # between bricks [m]
BRICKS = 8  # a layer
BALL, SPEED = 0.12, 4.5  # radius [m], and speed [m/s]
IRON = RigidMaterial(density=7800.0, air_drag=0.0)


def wall(layer_count: int = 10, **settings) -> Scene:
    """Every other layer is shifted by half a brick."""
    scene, mesh = rigid_scene(**settings), brick((LENGTH, DEPTH, HEIGHT))
    add_floor(scene)
    for number in range(BRICKS * layer_count):
        layer, place = divmod(number, BRICKS)
        x = (LENGTH + ROOM) * (place - 0.5 * (BRICKS - 1) + (0.25 if layer % 2 else -0.25))
        add_prop(scene, f"brick {number}", mesh, (x, 0.0, ROOM + 0.5 * HEIGHT + layer * (HEIGHT + ROOM)))
    height = max(0.55 * layer_count * (HEIGHT + ROOM), BALL + 2.0 * ROOM)
    ball = icosphere(BALL, 2)
    add_prop(scene, "ball", ball, (0.1, -1.2, height), material=IRON, start_velocity=(0.0, SPEED, 0.5))
    return scene


SHOT = Shot(
    wall,
    size="layers",
    paper=TableRow("Wall, 81 objects"),
    view=View(
        (1.4, -2.3, 1.1), (0.0, 0.2, 0.35), painted(f"brick {number}" for number in range(200)) | {"ball": (0.1,) * 3}
    ),
)

if __name__ == "__main__":
    main(SHOT)
