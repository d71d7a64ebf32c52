"""What the scenes of solids share [Verschoor and Jalba 2019, section 6.2]: material, steps, and heaps of bodies."""

import numpy as np
from scipy.spatial.transform import Rotation

from stiction.solver import Collider, Filling, Scene, Simulation, SoftBody, SolidMaterial
from stiction.solver.motion import Motion
from stiction.solver.scene import MIXED

from .shapes import box
from .solid_building import SolidMesh

STIFF, SOFT = 5e6, 5e5  # Young's modulus [Pa]
FRICTION = 0.5
THICKNESS = 1e-3  # of all surfaces [m]
MILLISECOND = 1e-3
STEPS_PER_FRAME = 10
CELL = 3e-3  # of the maps of heights by which bodies are put on each other [m]
ROOM = 1.5e-3  # left between them, over the thickness [m]; more than the samples could miss
TRIES = 8  # orientations and places of a body: the lowest is taken


def solid_material(youngs_modulus: float, solid_law: str = "corotated") -> SolidMaterial:
    return SolidMaterial(
        density=1000.0, youngs_modulus=youngs_modulus, poisson_ratio=0.2, solid_law=solid_law, damping=0.0
    )


def solid_scene(time_step: float = MILLISECOND, contact_method: str = "admm", has_floor: bool = True) -> Scene:
    """A floor at z = 0, and frames of ten steps."""
    frames_per_second = 1.0 / (STEPS_PER_FRAME * time_step)
    scene = Scene(frames_per_second=frames_per_second, steps_per_frame=STEPS_PER_FRAME, contact_method=contact_method)
    if has_floor:
        add_collider(scene, "floor", *box((6.0, 6.0, 0.4), (0.0, 0.0, -0.2)))
    return scene


def solid_simulation(scene: Scene) -> Simulation:
    """With one iteration of Newton's method a step, and as many of ADMM as it takes [Daviet 2020, table 5]."""
    simulation = Simulation(scene)
    settings = simulation.integrator.solver.settings
    settings.newton_iterations = 1
    if scene.contact_method != MIXED:
        settings.admm.iterations, settings.admm.sweeps = 250, 10
    return simulation


def add_collider(scene: Scene, name: str, positions: Motion, triangles: np.ndarray) -> None:
    """One that may move, with all solids' friction."""
    scene.add(Collider(name, positions, triangles, friction=FRICTION, thickness=THICKNESS))


def add_solid(
    scene: Scene, name: str, mesh: SolidMesh, nodes: np.ndarray, youngs_modulus: float, law="corotated", **pins
) -> None:
    """One with the mesh's nodes at `nodes` (n, 3) [m]."""
    count = mesh.surface_count
    scene.add(
        SoftBody(
            *(name, nodes[:count], mesh.triangles),
            filling=Filling(mesh.tetrahedra, nodes[count:]),
            material=solid_material(youngs_modulus, law),
            friction=FRICTION,
            thickness=THICKNESS,
            **pins,
        )
    )


def heap(mesh: SolidMesh, count: int, radius: float, seed: int = 0) -> list[np.ndarray]:
    """Nodes (n, 3) [m] of bodies that lie on each other without touching, turned at random, within a radius [m]."""
    random = np.random.default_rng(seed)
    samples = _samples(mesh)
    reach = radius + float(np.linalg.norm(mesh.nodes, axis=1).max()) + 2.0 * CELL
    heights = np.zeros((2 * int(np.ceil(reach / CELL)),) * 2)
    bodies = []
    for _ in range(count):
        turn, place, height = min(_tries(samples, heights, radius, random), key=lambda found: found[2])
        _raise(heights, samples @ turn.T + place, height)
        bodies.append(mesh.nodes @ turn.T + [*place[:2], height])
    return bodies


def _tries(samples, heights, radius, random):
    """Orientation, place and height of a body, by chance; it is put down on what is below."""
    for _ in range(TRIES):
        turn = Rotation.random(random_state=random).as_matrix()
        angle, distance = random.uniform(0.0, 2.0 * np.pi), radius * np.sqrt(random.uniform())
        place = np.array([distance * np.cos(angle), distance * np.sin(angle), 0.0])
        points = samples @ turn.T + place
        below = heights[_cells(points, heights)]
        yield turn, place, float((below - points[:, 2]).max()) + THICKNESS + ROOM


def _raise(heights, points, height):
    """Let the map (c, c) [m] have what now lies on top, also in the cells around."""
    columns, rows = _cells(points, heights)
    for across in (-1, 0, 1):
        for along in (-1, 0, 1):
            np.maximum.at(heights, (columns + across, rows + along), points[:, 2] + height)


def _cells(points, heights):
    return tuple((np.floor(points[:, :2] / CELL).astype(int) + len(heights) // 2).T)


def _samples(mesh):
    """Points (k, 3) [m] on the surface, closer to each other than a cell is wide."""
    corners = mesh.nodes[mesh.triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    parts = np.ceil(longest / (0.7 * CELL)).astype(int)
    return np.concatenate([_spread(corners[parts == count], count) for count in np.unique(parts)])


def _spread(corners, parts):
    """Points (k, 3) on triangles (t, 3, 3) whose sides are cut into so many parts."""
    i, j = (part.ravel() for part in np.mgrid[: parts + 1, : parts + 1])
    i, j = i[i + j <= parts], j[i + j <= parts]
    weights = np.column_stack([i, j, parts - i - j]) / parts
    return np.einsum("wk,tkd->twd", weights, corners).reshape(-1, 3)
