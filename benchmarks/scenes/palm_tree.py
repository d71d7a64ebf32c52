"""A palm tree in a fresh breeze, whose trunk and leaves a few frames each move [Daviet 2020, section 7.4, figure 14].

`python -m benchmarks.scenes.palm_tree LEAVES FRAMES`
"""

import numpy as np
from scipy.spatial import cKDTree

from stiction.solver import Scene, SoftBody, SolidMaterial
from stiction.solver.scene import Attachment

from .running import Shot, TableRow, View, main
from .shapes import Mesh, closed_tube, ellipses

HEIGHT, FOOT_RADIUS, CROWN_RADIUS = 3.0, 0.13, 0.08  # of the trunk [m]
LEAF_LENGTH, LEAF_WIDTH, LEAF_DEPTH = 1.4, 0.24, 0.03  # [m]
STALK = 0.03  # width of a leaf where it begins [m]
STEEPEST, FLATTEST = np.radians(75.0), np.radians(10.0)  # of the innermost and the outermost leaf
ARCH = np.radians(75.0)  # by which a leaf bends downwards
CROWN = 0.25  # height of the part of the trunk where leaves grow [m]
SOLID = {"density": 200.0, "poisson_ratio": 0.3, "solid_law": "corotated", "damping": 0.01}
WOOD = SolidMaterial(youngs_modulus=4e7, **SOLID)
LEAF = SolidMaterial(youngs_modulus=2e6, air_drag=1.2, **SOLID)
TRUNK_FRAMES, LEAF_FRAMES = 8, 10
TIES, TIE_STIFFNESS = 4, 2e4  # springs a vertex of a stalk, and of each [N/m]
WIND, GUSTS, GUST_SIZE = (9.0, 0.0, 0.0), 6.0, 0.6  # a fresh breeze [m/s], and [m]
FRICTION = 0.5
GOLDEN_ANGLE = np.pi * (3.0 - np.sqrt(5.0))


def palm_tree(leaf_count: int) -> Scene:
    scene = Scene(steps_per_frame=2, contact_method="admm", wind=WIND, turbulence=GUSTS, turbulence_size=GUST_SIZE)
    trunk, faces = _trunk()
    foot = np.flatnonzero(trunk[:, 2] < 0.2)
    settings = {"material": WOOD, "pinned": foot, "resolution": 40, "frame_count": TRUNK_FRAMES}
    scene.add(SoftBody("trunk", trunk, faces, friction=FRICTION, **settings))
    crown = np.flatnonzero(trunk[:, 2] > HEIGHT - CROWN - 0.1)
    for number in range(leaf_count):
        leaf, triangles = _leaf(number, (number + 0.5) / leaf_count)
        settings = {"material": LEAF, "resolution": 32, "frame_count": LEAF_FRAMES}
        added = scene.add(SoftBody(f"leaf {number}", leaf, triangles, friction=FRICTION, **settings))
        scene.attachments.append(_tie(added, trunk, crown))
    return scene


def _trunk() -> Mesh:
    heights = np.linspace(HEIGHT, 0.0, 50)
    radii = CROWN_RADIUS + (FOOT_RADIUS - CROWN_RADIUS) * (1.0 - heights / HEIGHT) ** 2
    rings = ellipses(radii, radii, heights, 16)
    return closed_tube(rings, (0.0, 0.0, HEIGHT + 0.02), (0.0, 0.0, -0.02))


def _leaf(number, share) -> Mesh:
    """A blade that rises from the crown and bends down; inner leaves are steeper and grow higher up."""
    along = np.linspace(0.0, 1.0, 22)
    angle = STEEPEST + (FLATTEST - STEEPEST) * share - ARCH * along
    step = LEAF_LENGTH / (len(along) - 1)
    out = CROWN_RADIUS + 0.03 + step * np.concatenate([[0.0], np.cumsum(np.cos(angle[:-1]))])
    up = HEIGHT - CROWN * share + step * np.concatenate([[0.0], np.cumsum(np.sin(angle[:-1]))])
    width = 0.5 * (STALK + (LEAF_WIDTH - STALK) * np.sin(np.pi * along**0.7) ** 0.8)
    depth = 0.5 * LEAF_DEPTH * (1.0 - 0.6 * along)
    outline = ellipses(width, depth, np.zeros_like(along), 8)
    azimuth = number * GOLDEN_ANGLE
    outward = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    sideways = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    spine = out[:, None] * outward + up[:, None] * [0.0, 0.0, 1.0]
    normal = -np.sin(angle)[:, None] * outward + np.cos(angle)[:, None] * [0.0, 0.0, 1.0]
    rings = spine[:, None] + outline[..., :1] * sideways + outline[..., 1:2] * normal[:, None]
    return closed_tube(rings, spine[0] - 0.3 * (spine[1] - spine[0]), spine[-1] + 0.3 * (spine[-1] - spine[-2]))


def _tie(leaf, trunk, crown):
    """Springs from the stalk to what is nearest of the crown; several a vertex, so that it cannot turn."""
    stalk = np.append(np.arange(8), len(leaf.positions) - 2)
    _, nearest = cKDTree(trunk[crown]).query(leaf.positions[stalk], k=TIES)
    ends, ones = crown[nearest].reshape(-1, 1), np.ones((stalk.size * TIES, 1))
    return Attachment(leaf.name, np.repeat(stalk, TIES), "trunk", ends, ones, TIE_STIFFNESS, keeps_distance=True)


MOST_DRAWN = 200  # leaves that have a colour
COLOURS = {f"leaf {number}": (0.05, 0.22 + 0.05 * (number % 3), 0.04) for number in range(MOST_DRAWN)}
SHOT = Shot(
    palm_tree,
    size="leaves",
    paper=TableRow("Palm tree", "0", "128k", "43k (44k)", "36.5 s (44.9)", "13 s (18)", cores="24", memory="6 GB"),
    view=View((2.9, -6.8, 2.5), (0.55, 0.0, 2.05), {"trunk": (0.3, 0.2, 0.12), **COLOURS}, floor=0.0),
)

if __name__ == "__main__":
    main(SHOT)
