"""Small random scenes in which everything occurs: cloth, strands on a head, colliders, degenerate primitives."""

import numpy as np

from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.parts import part

GRID = np.array([[row * 3 + column for column in range(3)] for row in range(3)])


def _sheet(random, name, **options):
    rest = np.column_stack([np.repeat(np.arange(3.0), 3), np.tile(np.arange(3.0), 3), np.zeros(9)])
    a, b, c, d = (corner.ravel() for corner in (GRID[:-1, :-1], GRID[:-1, 1:], GRID[1:, :-1], GRID[1:, 1:]))
    triangles = np.concatenate([np.column_stack([a, b, c]), np.column_stack([b, d, c])])
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    rest = 0.4 * rest @ turn.T + random.normal(size=3) * 0.1
    return part(name, rest, triangles, **_common(random, 9, options))


def _strands(random, name, ground):
    count, points = int(random.integers(1, 4)), 4
    roots = random.normal(size=(count, 1, 3)) * 0.3
    rest = (roots + np.cumsum(0.2 * random.normal(size=(count, points, 3)), axis=1)).reshape(-1, 3)
    first = points * np.arange(count)[:, None] + np.arange(points - 1)
    segments = np.column_stack([first.ravel(), first.ravel() + 1])
    near_root = np.tile(np.arange(points) < 2, count)
    is_given = np.tile(np.arange(points) < 1, count)
    options = {"grows_on": ground, "near_root": near_root, "strands": np.repeat(np.arange(count), points)}
    return part(name, rest, segments=segments, **_common(random, len(rest), options | {"is_given": is_given}))


def _common(random, count, options):
    return {
        "radii": random.uniform(0.0, 0.05, count),
        "friction": random.uniform(0.0, 1.0, count),
        "groups": int(random.integers(1, 4)),
        "self_collides": bool(random.uniform() < 0.8),
    } | options


def random_scene(random, is_degenerate=True):
    """A surface, and positions (p, 3) at the start and at the end of a step; some have primitives without size."""
    given = {"nodes": None, "weights": None, "is_given": np.ones(9, bool)}
    parts = [
        _sheet(random, "shirt", is_given=random.uniform(size=9) < 0.2),
        _strands(random, "hair", "body"),
        _sheet(random, "body", **given),
        _sheet(random, "floor", **given),
    ]
    surface = join_parts(parts)
    starts = np.concatenate([item.rest for item in parts])
    if is_degenerate and random.uniform() < 0.3:
        starts[4] = starts[1]  # of the shirt: sides without length, triangles without area
    speed = 10.0 ** random.uniform(-3, 0)
    return surface, starts, starts + speed * random.normal(size=starts.shape)
