"""What the scenes of rigid props share [Erleben 2017, section 5]: steps of 10 ms, friction, a floor or a tray."""

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Collider, RigidBody, RigidMaterial, Scene

from .shapes import Mesh, box

FRICTION = 0.5
THICKNESS = 1e-3  # of all surfaces [m]
FRAMES_PER_SECOND, STEPS_PER_FRAME = 25.0, 4  # steps of 10 ms, as the paper's
ITERATIONS = 300  # of PROX in a solve
MATERIAL = RigidMaterial(density=1000.0, air_drag=0.0)
WALL = 0.03  # of a tray, thickness [m]
PAINTS = ((0.6, 0.15, 0.1), (0.65, 0.45, 0.1), (0.12, 0.35, 0.5), (0.2, 0.42, 0.2), (0.6, 0.55, 0.5))


def rigid_scene(**settings) -> Scene:
    asked = {"frames_per_second": FRAMES_PER_SECOND, "steps_per_frame": STEPS_PER_FRAME}
    return Scene(**asked | {"contact_method": "prox", "contact_iterations": ITERATIONS} | settings)


def add_floor(scene: Scene, friction: float = FRICTION) -> None:
    """At z = 0."""
    scene.add(Collider("floor", *box((20.0, 20.0, 1.0), (0.0, 0.0, -0.5)), friction=friction, thickness=THICKNESS))


def add_tray(scene: Scene, side: float, height: float) -> None:
    """A square tray on the floor, open above; its sides [m] are those of the room inside."""
    add_floor(scene)
    far = 0.5 * (side + WALL)
    for number, (x, y) in enumerate(((far, 0.0), (-far, 0.0), (0.0, far), (0.0, -far))):
        size = (WALL, side + 2.0 * WALL, height) if x else (side, WALL, height)
        wall = box(size, (x, y, 0.5 * height))
        scene.add(Collider(f"wall {number}", *wall, friction=FRICTION, thickness=THICKNESS))


def add_prop(scene: Scene, name: str, mesh: Mesh, place, turn: Rotation | None = None, **settings) -> None:
    """A rigid body with its middle at a place (3,) [m]."""
    points = mesh[0] if turn is None else turn.apply(mesh[0])
    asked = {"material": MATERIAL, "friction": FRICTION, "thickness": THICKNESS} | settings
    scene.add(RigidBody(name, points + place, mesh[1], **asked))


def lattice(count: int, across: int, spacing: float, lowest: float) -> np.ndarray:
    """Places (n, 3) [m] in layers of across × across, from below; every other layer is shifted by half a space."""
    number = np.arange(count)
    layer, rest = number // across**2, number % across**2
    x, y = rest // across - 0.5 * (across - 1), rest % across - 0.5 * (across - 1)
    shift = 0.25 * np.where(layer % 2, 1.0, -1.0)
    return np.column_stack([spacing * (x + shift), spacing * (y + shift), lowest + spacing * layer])


def random_turns(count: int, seed: int = 0) -> list[Rotation]:
    return list(Rotation.random(count, random_state=np.random.default_rng(seed)))


def painted(names) -> dict[str, tuple[float, float, float]]:
    """Colours by name, one paint after the other."""
    return {name: PAINTS[number % len(PAINTS)] for number, name in enumerate(names)}
