"""Continuous contact against an independent oracle: no crossing is missed, and false alarms are few."""

import numpy as np
import pytest

from stiction.solver.collision.continuous import NEVER
from tests.solver.collision.crossing_oracle import first_crossings
from tests.solver.collision.test_continuous import corners_apart, crossing_pairs, every_kind, times

ROUNDED = 1e-9  # of the step: how well the oracle knows a time


def _as_they_come(random, kind, count):
    starts = random.normal(size=(count, 4, 3))
    return starts, starts + 10.0 ** random.uniform(-2, 1, (count, 1, 1)) * random.normal(size=starts.shape)


def _meeting(random, kind, count):
    return crossing_pairs(random, kind, count, 0.3)[:2]


def _rigidly(kind):
    """Each primitive moves as one, and so stays as parallel or as flat as it is."""

    def motion(meeting, move):
        move[:, :kind], move[:, kind:] = move[:, :1], move[:, 3:]

    return motion


def _nearly_parallel(random, kind, count):
    def shape(x):
        tilt = 10.0 ** random.uniform(-5, -2, (count, 1))
        x[:, 3] = x[:, 2] + (x[:, 1] - x[:, 0]) + tilt * random.normal(size=(count, 3))

    return crossing_pairs(random, kind, count, 0.3, shape=shape, motion=_rigidly(kind))[:2]


def _nearly_flat(random, kind, count):
    starts, ends = _meeting(random, kind, count)
    flat = [1.0, 1.0, 1e-5]
    return starts * flat, ends * flat


def _sliding(random, kind, count):
    """Fast along both primitives, slowly through them."""

    def motion(x, move):
        u, v = (x[:, 2] - x[:, 1], x[:, 3] - x[:, 1]) if kind == 1 else (x[:, 1] - x[:, 0], x[:, 3] - x[:, 2])
        normal = np.cross(u, v)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        move -= 0.999 * (move * normal[:, None]).sum(axis=2, keepdims=True) * normal[:, None]

    return crossing_pairs(random, kind, count, 1.0, motion=motion)[:2]


def _slivers(random, kind, count):
    def shape(x):
        x[:, 2] = x[:, 3] + 1e-4 * (x[:, 2] - x[:, 3])

    return crossing_pairs(random, kind, count, 0.3, shape=shape, motion=_rigidly(kind))[:2]


def _scaled(scale, shift=0.0):
    def family(random, kind, count):
        starts, ends = _meeting(random, kind, count)
        return scale * starts + shift, scale * ends + shift

    return family


FAMILIES = {
    "as they come": (_as_they_come, 1.0),
    "meeting": (_meeting, 1.0),
    "nearly parallel": (_nearly_parallel, 1.0),
    "nearly flat": (_nearly_flat, 1.0),
    "sliding": (_sliding, 1.0),
    "slivers": (_slivers, 1.0),
    "tiny": (_scaled(1e-6), 1e-6),
    "huge": (_scaled(1e6), 1e6),
    "far from the origin": (_scaled(1.0, 1e5), 1.0),
}
every_family = pytest.mark.parametrize("family", FAMILIES)


def check_family(family, kind, count, seed):
    """Misses nothing, with a thin and with a thick separation, and with a share of the starting distance."""
    make, size = FAMILIES[family]
    starts, ends = make(np.random.default_rng(seed), kind, count)
    crossings = first_crossings(kind, starts, ends)
    for separation, share in ((1e-12, 1.0), (1e-3, 1.0), (1e-3, 0.2), (1e-3, 1e-3)):
        found = times(kind, starts, ends, np.full(count, size * separation), share)
        assert (found <= crossings + ROUNDED).all(), (separation, share, np.flatnonzero(found > crossings + ROUNDED))
    return (crossings < NEVER).sum()


@every_kind
@every_family
def test_no_certain_crossing_is_missed(family, kind):
    assert check_family(family, kind, 5_000, 1) > 100


@pytest.mark.slow
@every_kind
def test_no_certain_crossing_is_missed_among_millions(kind):
    crossings = sum(check_family(family, kind, 60_000, 2) for family in FAMILIES)
    assert crossings > 100_000


@every_kind
def test_exact_contacts_on_a_grid_are_not_missed(kind):
    """Whole coordinates in a plane or a thin slab: everything parallel, touching, without size; oracle in integers."""
    random, count, parts = np.random.default_rng(4), 20_000, 16
    starts, ends = random.integers(-2, 3, (2, count, 4, 3))
    starts[: count // 2, :, 2] = ends[: count // 2, :, 2] = 0
    found = times(kind, starts.astype(float), ends.astype(float), np.full(count, 1e-9), 1.0)
    meetings = 0
    for part in range(parts + 1):
        meets = _meets_exactly(kind, (parts - part) * starts + part * ends)
        meetings += meets.sum()
        assert (found[meets] <= part / parts + ROUNDED).all()
    assert meetings > 1000


def _meets_exactly(kind, x):
    """Whether whole corners (n, 4, 3) lie on each other, for primitives with an inside; in integers."""
    if kind == 1:
        u, v, w = x[:, 2] - x[:, 1], x[:, 3] - x[:, 1], x[:, 0] - x[:, 1]
    else:
        u, v, w = x[:, 1] - x[:, 0], x[:, 2] - x[:, 3], x[:, 2] - x[:, 0]
    normal = np.cross(u, v)
    square = (normal * normal).sum(axis=1)
    s, t = (np.cross(w, v) * normal).sum(axis=1), (np.cross(u, w) * normal).sum(axis=1)
    is_inside = (s + t <= square) if kind == 1 else (s <= square) & (t <= square)
    return (square > 0) & ((normal * w).sum(axis=1) == 0) & (s >= 0) & (t >= 0) & is_inside


@every_kind
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_false_alarms_are_few(kind, size):
    """What stays half as far apart again as it must, by dense samples and the speed between them, is let go."""
    random, count, samples, separation = np.random.default_rng(5), 4_000, 200, 0.02
    starts = random.normal(size=(count, 4, 3))
    ends = starts + 0.3 * random.normal(size=starts.shape)
    speed = 2.0 * np.linalg.norm(ends - starts, axis=2).max(axis=1)  # bounds how fast a distance changes
    nearest = np.full(count, np.inf)
    for time in np.linspace(0.0, 1.0, samples + 1):
        nearest = np.minimum(nearest, corners_apart(kind, starts + time * (ends - starts)))
    is_apart = nearest - 0.5 * speed / samples > 1.5 * separation
    found = times(kind, size * starts, size * ends, np.full(count, size * separation), 1.0)
    assert is_apart.sum() > count / 2
    assert (found[is_apart] < NEVER).mean() < 1e-3
