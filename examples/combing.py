"""Strands that are combed back from the scalp of the figure and lie down over it."""

import numpy as np

from .figure import draped_axes, half_axes, scalp_roots

ROOT = 0.3e-3  # so far above the skin a strand begins [m]
CLEARANCE = 2e-3  # of all other points: segments cut the corners of a round head [m]
PARTING = 2.0  # pull to the sides in front, over that to the back: nothing hangs over the face
TOP = 0.116  # of the head's mesh [m]
RISE = 0.02  # within such a way it has come up to its layer [m]


def combed(
    count: int,
    points: int,
    length: float,  # [m]
    layers: tuple[float, float],  # distance of the lowest and the highest roots' strands from what they lie on [m]
    room: float = 0.0,  # of clothes below the neck [m]
    cut: float = 0.12,  # share of the length by which strands differ
) -> np.ndarray:
    """Strands (count, points, 3) [m] of the figure at rest: combed back and down, the upper over the lower."""
    directions = scalp_roots(count)
    crown = np.clip(0.5 + 0.5 * directions[:, 2], 0.0, 1.0)
    layer = layers[0] + (layers[1] - layers[0]) * crown
    lengths = length * (1.0 + cut * np.random.default_rng(3).uniform(-0.5, 0.5, count))
    strands = np.empty((count, points, 3))
    strands[:, 0] = (_reach(directions) + ROOT)[:, None] * directions
    heading = directions * [1.0, 1.0, 0.0] + [0.0, 0.6, 0.0]
    parting = PARTING * np.maximum(-directions[:, 1:2], 0.0) * np.where(directions[:, :1] < 0.0, -1.0, 1.0) * [1, 0, 0]
    for number in range(1, points):
        way = lengths * number / (points - 1)
        step = (lengths / (points - 1))[:, None]
        comb = np.exp(-way / 0.10)[:, None] * ([0.0, 0.9, 0.0] + parting) + [0.0, 0.0, -1.0]
        heading = _unit(0.5 * heading + comb)
        place = strands[:, number - 1] + step * heading
        place = _pushed_out(place, ROOT + layer * (1.0 - np.exp(-way / RISE)), room)
        heading = _unit(place - strands[:, number - 1])
        strands[:, number] = strands[:, number - 1] + step * heading
    strands[:, 1:] = _above_scalp(strands[:, 1:].reshape(-1, 3)).reshape(count, -1, 3)
    return strands


def _reach(directions):
    """How far rays from the middle of the head go until they leave it (n,) [m], by bisection."""
    inside, outside = np.zeros(len(directions)), np.full(len(directions), 0.15)
    for _ in range(30):
        middle = 0.5 * (inside + outside)
        places = middle[:, None] * directions
        is_inside = (np.hypot(*(places[:, :2] / np.maximum(half_axes(places[:, 2]), 1e-4)).T) < 1.0) & (
            places[:, 2] < TOP
        )
        inside, outside = np.where(is_inside, middle, inside), np.where(is_inside, outside, middle)
    return inside


def _above_scalp(places):
    """Places (n, 3) of the head's upper half that are too near to its skin, lifted; the others as they are."""
    distances = np.linalg.norm(places, axis=1)
    directions = places / distances[:, None]
    lifted = np.maximum(distances, _reach(directions) + CLEARANCE)[:, None] * directions
    return np.where(places[:, 2:] > 0.0, lifted, places)


def _pushed_out(places, offsets, room):
    """Places (n, 3) that were nearer to the figure than their offsets (n,), moved outwards in their level."""
    heights = np.linspace(0.118, -0.76, 1200)
    axes = draped_axes(heights, 0.0) + room * np.clip((-0.15 - heights) / 0.03, 0.0, 1.0)[:, None]
    table = [np.interp(-places[:, 2], -heights, axes[:, axis]) for axis in (0, 1)]
    wanted = np.column_stack(table) + offsets[:, None]
    share = np.hypot(*(places[:, :2] / wanted).T)
    grown = np.where(share < 1.0, 1.0 / np.maximum(share, 0.05), 1.0)
    above = np.maximum(places[:, 2], 0.0) / 0.118  # near the crown what lies above is out already
    lifted = places * [1.0, 1.0, 1.0]
    lifted[:, :2] *= (1.0 + (grown - 1.0) * (above < 0.97))[:, None]
    return lifted


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]
