"""A figure as shop windows have it, head to hips; the face looks to −y, the middle of the head is the origin."""

import bpy
import numpy as np

from .looks import porcelain
from .meshes import closed_rings, rings

#  height, half width, half depth [m]
PROFILE = np.array(
    [
        (0.118, 0.000, 0.000),
        (0.112, 0.034, 0.042),
        (0.095, 0.056, 0.070),
        (0.060, 0.073, 0.092),
        (0.010, 0.078, 0.098),
        (-0.040, 0.070, 0.090),
        (-0.080, 0.056, 0.076),
        (-0.110, 0.048, 0.056),
        (-0.160, 0.047, 0.050),
        (-0.195, 0.056, 0.056),
        (-0.220, 0.110, 0.072),
        (-0.245, 0.160, 0.084),
        (-0.280, 0.184, 0.096),
        (-0.340, 0.185, 0.108),
        (-0.420, 0.165, 0.106),
        (-0.520, 0.134, 0.088),
        (-0.600, 0.140, 0.094),
        (-0.700, 0.168, 0.108),
        (-0.760, 0.172, 0.110),
    ]
)
# Where the face stands out or is hollow: direction, height [m], width [rad].
FACE = (
    ((0.0, -1.0, -0.18), 0.017, 0.16),
    ((0.0, -1.0, -0.02), 0.006, 0.22),
    ((0.40, -1.0, 0.06), -0.007, 0.24),
    ((-0.40, -1.0, 0.06), -0.007, 0.24),
    ((0.0, -1.0, -0.85), 0.008, 0.25),
)
SMOOTHING = 0.012  # over such heights the corners of the profile are rounded [m]


def half_axes(heights: np.ndarray) -> np.ndarray:
    """Half width and depth (k, 2) [m] of the figure, at heights (k,) [m]."""
    offsets = np.linspace(-SMOOTHING, SMOOTHING, 9)
    window = 1.0 - np.abs(offsets) / (1.1 * SMOOTHING)
    around = np.clip(np.asarray(heights)[:, None] + offsets, PROFILE[-1, 0], PROFILE[0, 0])
    columns = [np.interp(-around, -PROFILE[:, 0], PROFILE[:, 1 + axis]) @ window for axis in (0, 1)]
    return np.column_stack(columns) / window.sum()


def draped_axes(heights: np.ndarray, room: float) -> np.ndarray:
    """The same for what hangs over it with room [m]: going down, it never becomes narrower (k, 2) [m]."""
    return np.maximum.accumulate(half_axes(heights), axis=0) + room


def make_figure(name: str = "Body", lowest: float = -0.75) -> bpy.types.Object:
    """The figure from the crown down to a height [m]."""
    around, spacing = 56, 0.011
    crown = PROFILE[0, 0] * np.cos(np.linspace(0.06, 0.5 * np.pi, 16))
    heights = np.concatenate([crown, np.arange(-spacing, lowest, -spacing)])
    points = _with_face(rings(*half_axes(heights).T, heights, around))
    figure = closed_rings(name, points, around)
    figure.data.materials.append(porcelain())
    return figure


def _with_face(points):
    directions = points / np.linalg.norm(points, axis=1)[:, None]
    is_head = np.clip((points[:, 2] + 0.125) / 0.02, 0.0, 1.0)
    lift = np.zeros(len(points))
    for direction, height, width in FACE:
        angle = np.arccos(np.clip(directions @ (np.array(direction) / np.linalg.norm(direction)), -1.0, 1.0))
        lift += height * np.exp(-((angle / width) ** 2))
    return points + (lift * is_head)[:, None] * directions


def scalp_roots(count: int, hairline: float = 100.0, forehead: float = 52.0) -> np.ndarray:
    """Directions (count, 3) over the scalp, down to an angle from the crown at the back, and another in front [°]."""
    number = np.arange(6 * count) + 0.5
    z, turn = 1.0 - number / (3 * count), number * np.pi * (3.0 - np.sqrt(5.0))
    level = np.sqrt(np.maximum(1.0 - z**2, 0.0))
    directions = np.column_stack([level * np.sin(turn), level * np.cos(turn), z])
    front = 0.5 - 0.5 * directions[:, 1] / np.maximum(level, 1e-9)  # 0 at the back, 1 in front
    limit = np.radians(hairline + (forehead - hairline) * front**1.5)
    found = directions[np.arccos(z) < limit]
    return found[np.linspace(0, len(found) - 1, count).round().astype(int)]
