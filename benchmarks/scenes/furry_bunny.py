"""A soft furry animal falls on an incline and rolls through a hanging cloth [Daviet 2020, section 7.3 and figure 12].

`python -m benchmarks.scenes.furry_bunny STRANDS FRAMES`; a ball with a head, ears and a tail stands in for the bunny.
"""

import numpy as np

from stiction.solver import Cloth, Collider, Hair, HairMaterial, Scene, SoftBody, SolidMaterial
from stiction.solver.scene import Roots

from .materials import CLOTH_FRICTION, FURRY, HANGING_CLOTH
from .running import Shot, TableRow, View, main
from .shapes import ball, box, lying_cylinder, rotation, sheet

RADIUS = 0.08  # of the trunk [m]
# Direction, height over the trunk and width [rad] of what stands out of it: head, ears, tail.
LOBES = (
    ((0.8, 0.0, 0.6), 0.45, 0.55),
    ((0.35, 0.3, 0.9), 0.75, 0.2),
    ((0.35, -0.3, 0.9), 0.75, 0.2),
    ((-1.0, 0.0, 0.1), 0.2, 0.25),
)
BODY = SolidMaterial(density=1000.0, youngs_modulus=5e4, poisson_ratio=0.2, solid_law="fixed_corotated", damping=0.0)
CELLS = 8  # of the cage along its longest side
FUR = HairMaterial(
    radius=2.5e-5, density=1300.0, bending_modulus=4e8, stretching_modulus=1e8, poisson_ratio=0.48, damping=1e-3
)
FUR_POINTS, FUR_LENGTH = 7, 0.02  # [m]
THICKNESS = 2e-3  # of all surfaces [m]
ROOT = 1e-3  # where the held segment ends: the skin touches before it would [m]
SLOPE = np.radians(25.0)
START = np.array([-0.42, 0.0, 0.42])  # of the animal; the cloth hangs at x = 0 [m]
START_VELOCITY = (1.5, 0.0, -1.5)  # it has fallen before the first frame [m/s]
CLOTH, CLOTH_VERTICES = 0.5, 900  # side [m] and vertices
BAR_HEIGHT, BAR_RADIUS = 0.36, 0.01  # of what the cloth hangs from [m]


def furry_bunny(strand_count: int) -> Scene:
    scene = Scene(**FURRY)
    points, triangles = _animal()
    settings = {"friction": CLOTH_FRICTION, "start_velocity": START_VELOCITY}
    skin = {"material": BODY, "resolution": CELLS, "thickness": THICKNESS}
    scene.add(SoftBody("bunny", points, triangles, **skin, **settings))
    strands, roots = _fur(strand_count, points, triangles)
    offsets = np.arange(strand_count + 1) * FUR_POINTS
    scene.add(Hair("fur", strands, offsets, material=FUR, roots=roots, **settings))
    _add_cloth(scene)
    floor, faces = box((4.0, 4.0, 0.2), (0.0, 0.0, -0.1))
    scene.add(Collider("incline", floor @ rotation(1, SLOPE).T, faces, friction=1.0, thickness=THICKNESS))
    return scene


def _animal():
    """A sphere with lobes, around its start."""
    sphere, triangles = ball(1.0, rings=28)
    reach = np.ones(len(sphere))
    for direction, height, width in LOBES:
        angle = np.arccos(np.clip(sphere @ (np.array(direction) / np.linalg.norm(direction)), -1.0, 1.0))
        reach += height * np.exp(-((angle / width) ** 2))
    return RADIUS * reach[:, None] * sphere + START, triangles


def _fur(count, points, triangles):
    """Strands (n, 3) along the normals, spread evenly over the skin, and their roots."""
    corners = points[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    random = np.random.default_rng(0)
    places = (np.arange(count) + random.uniform(0.0, 1.0, count)) / count
    chosen = np.minimum(np.searchsorted(np.cumsum(areas) / areas.sum(), places), len(areas) - 1)
    weights = random.dirichlet((1.0, 1.0, 1.0), count)
    feet = np.einsum("sk,skd->sd", weights, corners[chosen])
    outward = normals[chosen] / areas[chosen, None]
    outward *= np.sign(np.einsum("sd,sd->s", outward, feet - START))[:, None]
    along = np.concatenate([[1e-4], np.linspace(ROOT, FUR_LENGTH, FUR_POINTS - 1)])
    strands = feet[:, None] + along[:, None] * outward[:, None]
    return strands.reshape(-1, 3), Roots("bunny", triangles[chosen], weights)


def _add_cloth(scene):
    """It hangs down to the incline from a bar, to which its upper edge is fixed."""
    side = round(CLOTH_VERTICES**0.5)
    points, triangles = sheet((side, side), (0.6 * CLOTH, CLOTH))
    hanging = points @ rotation(1, 0.5 * np.pi).T
    hanging += [0.0, 0.0, BAR_HEIGHT - BAR_RADIUS - 0.01 - hanging[:, 2].max()]
    top = np.flatnonzero(hanging[:, 2] > hanging[:, 2].max() - 1e-6)
    settings = {"material": HANGING_CLOTH, "friction": CLOTH_FRICTION, "thickness": THICKNESS, "pinned": top}
    scene.add(Cloth("cloth", hanging, triangles, **settings))
    bar, faces = lying_cylinder(BAR_RADIUS, 1.2 * CLOTH, count=12)
    scene.add(Collider("bar", bar + [0.0, 0.0, BAR_HEIGHT], faces, friction=0.0, thickness=THICKNESS))


SHOT = Shot(
    furry_bunny,
    size="strands",
    paper=TableRow(
        "Furry Bunny", "29k", "217k", "78k (183k)", "350 s (550)", "211 s (364)", cores="14", memory="8.1 GB"
    ),
    view=View(
        (0.15, -1.05, 0.26),
        (0.02, 0.0, 0.14),
        {"bunny": (0.5, 0.35, 0.25), "fur": (0.16, 0.08, 0.04), "cloth": (0.35, 0.06, 0.08), "bar": (0.1, 0.1, 0.1)},
        hair_width=8e-4,
    ),
)

if __name__ == "__main__":
    main(SHOT)
