"""A bust that stands in for the paper's character: head to hips, a running motion, and hair combed over it.

The middle of the head is the origin; the back is towards +y.
"""

from functools import cache

import numpy as np
from scipy.interpolate import PchipInterpolator

from .shapes import Mesh, closed_tube, eased, ellipses, rotation, spread_directions

HEAD = np.array([0.075, 0.095, 0.115])  # half axes [m]
CHIN = 0.8  # of the head's half height below its middle: the neck begins
#  height, half width, half depth [m]
BELOW_CHIN = np.array(
    [
        (-0.13, 0.052, 0.055),
        (-0.17, 0.052, 0.055),
        (-0.20, 0.09, 0.07),
        (-0.22, 0.14, 0.085),
        (-0.25, 0.175, 0.095),
        (-0.30, 0.19, 0.105),
        (-0.40, 0.18, 0.11),
        (-0.55, 0.145, 0.09),
        (-0.70, 0.17, 0.105),
        (-0.75, 0.165, 0.10),
    ]
)
CURLS_BEGIN = 0.15  # so far from the crown: above, hair lies flat on the head [m]
RING, SPACING = 48, 0.012  # points of a ring, and between rings [m]
STRIDE = 2.6  # steps of the run a second
BOB, TWIST, LEAN = 0.03, np.radians(14.0), np.radians(5.0)
STARTING = (0.25, 0.5)  # when the run begins, and how long until it is at its full [s]
HIPS = -0.7  # height about which the body leans [m]


def _half_axes():
    share = np.linspace(-CHIN, 0.999, 40)
    head = np.column_stack([HEAD[2] * share, np.outer(np.sqrt(1.0 - share**2), HEAD[:2])])
    table = np.concatenate([BELOW_CHIN[::-1], head])
    return PchipInterpolator(table[:, 0], table[:, 1:])


half_axes = _half_axes()  # half width and depth (k, 2) [m] of the body at heights (k,) [m]


def outer_half_axes(heights: np.ndarray, room: float) -> np.ndarray:
    """The same for what hangs from above with room [m] to spare: it never goes inwards on its way down (k, 2) [m]."""
    return np.maximum.accumulate(half_axes(heights), axis=0) + room


def body() -> Mesh:
    polar = np.linspace(0.0, np.arccos(-CHIN), 22)[1:]
    below = np.arange(-HEAD[2] * CHIN - SPACING, BELOW_CHIN[-1, 0], -SPACING)
    heights = np.concatenate([HEAD[2] * np.cos(polar), below])
    rings = ellipses(*half_axes(heights).T, heights, RING)
    return closed_tube(rings, (0.0, 0.0, HEAD[2]), (0.0, 0.0, heights[-1] - SPACING))


def running(points: np.ndarray, time: float) -> np.ndarray:
    """Points (n, 3) [m] of the body as it runs on the spot: it bobs, leans, and twists from the hips to the head."""
    strength, phase = eased(time, *STARTING), np.pi * STRIDE * time
    share = np.clip((points[:, 2] - HIPS) / 0.35, 0.0, 1.0)
    angle = strength * TWIST * np.sin(phase) * share**2 * (3.0 - 2.0 * share)
    x, y = points[:, 0], points[:, 1]
    cosine, sine = np.cos(angle), np.sin(angle)
    twisted = np.column_stack([x * cosine - y * sine, x * sine + y * cosine, points[:, 2]])
    lean = rotation(0, -strength * LEAN * np.sin(2.0 * phase))
    hips = np.array([0.0, 0.0, HIPS])
    return (twisted - hips) @ lean.T + hips + [0.0, 0.0, strength * BOB * (np.cos(2.0 * phase) - 1.0)]


def combed_strands(
    count: int,
    points: int,  # of a strand
    length: float,  # of the way down [m]
    layers: tuple[float, float],  # distance of the lowest and the highest roots' strands from what they lie on [m]
    room: float = 0.0,  # for clothes [m]
    curl: tuple[float, float] = (0.0, 1.0),  # radius and length of curls [m]
) -> np.ndarray:
    """Points (count, points, 3) of strands from the scalp, combed to the sides and the back, down over the body.

    All turn, curl and have their points by how far down the body they are: neighbours run side by side, and do not
    start entangled.
    """
    strands, spacing = np.empty((count, points, 3)), length / (points - 1)
    for number, (angle, polar) in enumerate(_scalp(count)):
        path, down, outward, sideways = _path(angle, polar, layers, room)
        turn = 2.0 * np.pi * down / curl[1]
        width = curl[0] * np.clip((down - CURLS_BEGIN) / 0.05, 0.0, 1.0)[:, None]
        path = path + width * ((1.0 - np.cos(turn))[:, None] * outward + np.sin(turn)[:, None] * sideways)
        places = spacing * (np.ceil(down[0] / spacing + 0.5) + np.arange(points - 1))
        strands[number] = _at(path, down, np.concatenate([down[:1], places]))
    return strands


def _scalp(count):
    """Azimuths from the back, ± π in front, and polar angles (count, 2) [rad] of roots spread over the scalp."""
    directions = spread_directions(4 * count, lowest=-0.35)
    angle, polar = np.arctan2(directions[:, 0], directions[:, 1]), np.arccos(directions[:, 2])
    hairline = np.radians(105.0) - np.radians(55.0) * (0.5 - 0.5 * np.cos(angle)) ** 2
    found = np.flatnonzero(polar < hairline)
    chosen = found[np.linspace(0, len(found) - 1, count).round().astype(int)]
    return np.column_stack([angle, polar])[chosen]


def _path(angle, polar, layers, room):
    """A fine way (k, 3) over head and body, how far down it is (k,), its normals, and directions along level rings."""
    top = HEAD[2] * np.cos(polar)
    heights = np.concatenate([np.linspace(top, top - 0.01, 40)[:-1], np.linspace(top - 0.01, BELOW_CHIN[-1, 0], 600)])
    down = np.interp(-heights, *_ways_down(room))
    axes = _hair_axes(heights, room)
    mean = axes.mean(axis=1)
    combed = angle * _parting(down) / _parting(down[0])
    level = np.column_stack([np.sin(combed), np.cos(combed), 0.0 * combed])
    slope = np.column_stack([-np.gradient(heights), np.gradient(mean)])
    slope /= np.linalg.norm(slope, axis=1)[:, None]
    outward = slope[:, :1] * level + slope[:, 1:] * [0.0, 0.0, 1.0]
    layer = layers[0] + (layers[1] - layers[0]) * (1.0 - polar / np.radians(105.0))
    offset = 3e-4 + layer * (1.0 - np.exp(-(down - down[0]) / 0.01))
    path = np.column_stack([axes * level[:, :2], heights]) + offset[:, None] * outward
    return path, down, outward, np.cross(outward, slope[:, :1] * [0.0, 0.0, -1.0] + slope[:, 1:] * level)


def _hair_axes(heights, room):
    clothed = np.clip((HEAD[2] * -CHIN - heights) / 0.02, 0.0, 1.0)[:, None]
    return outer_half_axes(heights, 0.0) + room * clothed


@cache
def _ways_down(room):
    """Depths below the middle of the head, rising, and the ways from the crown down to them (k,) [m]."""
    heights = HEAD[2] * np.cos(np.linspace(0.0, 0.5 * np.pi, 400)[1:-1])
    heights = np.concatenate([heights, np.linspace(0.0, BELOW_CHIN[-1, 0], 4000)])
    mean = _hair_axes(heights, room).mean(axis=1)
    steps = np.hypot(np.diff(mean, prepend=0.0), np.diff(heights, prepend=HEAD[2]))
    return -heights, np.cumsum(steps)


def _parting(way):
    """How near to the front strands are that lie so far [m] from the crown; they flow alike and never cross."""
    return 1.0 - 0.4 * np.clip(way / 0.25, 0.0, 1.0)


def _at(path, down, places):
    return np.column_stack([np.interp(places, down, path[:, axis]) for axis in range(3)])


def held_roots(strands: np.ndarray) -> dict:
    """Settings of hair whose first segments run with the head; strands are (count, points, 3)."""
    count, points, _ = strands.shape
    held = (np.arange(count)[:, None] * points + [0, 1]).ravel()
    roots = strands[:, :2].reshape(-1, 3)
    return {"pinned": held, "pin_motion": lambda time: running(roots, time)}
