"""Nine soft spheres that roll between a turning ball and the groove of a ring [Verschoor and Jalba 2019, figure 7].

`python -m benchmarks.scenes.bearing LEVELS FRAMES`; a sphere has 20 · 4^levels faces, and four levels are the paper's.
The ball swells at first, until it presses all spheres into the groove, and then turns faster and faster. The paper's
ring is a torus; it tells no dimensions.
"""

import numpy as np

from stiction.solver import Scene
from stiction.solver.scene import MIXED

from .running import Shot, TableRow, View, main
from .shapes import Mesh, ball, eased, rotation, tube
from .solid_bodies import sphere
from .solids import MILLISECOND, SOFT, add_collider, add_solid, solid_scene, solid_simulation

COUNT = 9
RADIUS, PATH = 0.05, 0.16  # of the spheres, and of the circle of their middles [m]
GROOVE, GROOVE_ANGLE = 0.052, np.radians(70.0)  # radius of its section [m], and how far it goes around, up and down
RIM = 0.075  # outer radius of the ring, over that of the path [m]
GROOVE_PARTS, RING_PARTS, BALL_PARTS = 16, 96, 36  # of the meshes
ROOM = 2e-3  # between ball and spheres at first [m]
SQUEEZE, SQUEEZE_TIME = 0.012, 0.1  # how far the ball swells [m], and how long it takes [s]
SPIN, SPIN_TIME = 12.0, 0.3  # of the ball [rad/s], and how long it takes to turn so fast [s]


def bearing(levels: int = 4, contact_method: str = MIXED, time_step: float = MILLISECOND) -> Scene:
    scene, mesh = solid_scene(time_step, contact_method, has_floor=False), sphere(RADIUS, levels)
    for number in range(COUNT):
        angle = 2.0 * np.pi * number / COUNT
        place = PATH * np.array([np.cos(angle), np.sin(angle), 0.0])
        add_solid(scene, f"sphere {number}", mesh, mesh.nodes + place, SOFT, "neo_hookean")
    add_collider(scene, "ring", *_ring())
    _add_ball(scene)
    return scene


def _add_ball(scene):
    points, triangles = ball(PATH - RADIUS - ROOM, BALL_PARTS)

    def moved(time):
        swelling = 1.0 + SQUEEZE * eased(time, 0.0, SQUEEZE_TIME) / (PATH - RADIUS - ROOM)
        return swelling * points @ rotation(2, _turned(time - SQUEEZE_TIME)).T

    add_collider(scene, "ball", moved, triangles)


def _turned(time):
    """The angle [rad] of what turns uniformly faster until it has its speed."""
    faster, steady = np.clip(time, 0.0, SPIN_TIME), max(time - SPIN_TIME, 0.0)
    return SPIN * (0.5 * faster**2 / SPIN_TIME + steady)


def _ring() -> Mesh:
    """A section that is turned about z: the groove from below, and the corners of the rim."""
    angle = np.linspace(-GROOVE_ANGLE, GROOVE_ANGLE, GROOVE_PARTS + 1)
    low = GROOVE * np.sin(GROOVE_ANGLE)
    across = PATH + np.concatenate([GROOVE * np.cos(angle), [RIM, RIM]])
    upward = np.concatenate([GROOVE * np.sin(angle), [low, -low]])
    turn = 2.0 * np.pi * np.arange(RING_PARTS + 1) / RING_PARTS
    rings = np.stack([np.outer(np.cos(turn), across), np.outer(np.sin(turn), across), 0.0 * turn[:, None] + upward], -1)
    points, triangles = tube(rings)
    count = RING_PARTS * len(across)
    return points[:count], (triangles % count).astype(np.int32)


COLOURS = {f"sphere {number}": (0.65, 0.12, 0.06) if number % 2 else (0.75, 0.52, 0.1) for number in range(COUNT)}
SHOT = Shot(
    bearing,
    size="levels",
    paper=TableRow("Bearing by CR, ten steps", contacts="1,348", frame="229 s", iterations="4,800", cores="1"),
    view=View((0.3, -0.52, 0.52), (0.0, 0.0, -0.03), COLOURS | {"ball": (0.3, 0.42, 0.5)}, floor=-0.06),
    simulate=solid_simulation,
)

if __name__ == "__main__":
    main(SHOT)
