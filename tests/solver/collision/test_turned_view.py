"""What is seen by one who turns along with a pair: it promises no more than is true, and much where pairs turn."""

import numba
import numpy as np
import pytest

from stiction.solver.collision.turned_view import clearance_along

from .test_continuous import EDGE_EDGE, POINT_TRIANGLE, corners, corners_apart, every_kind


@numba.njit
def clearances(kind, directions, starts, ends, wanted):
    found = np.empty(len(starts))
    for pair in range(len(starts)):
        direction = (directions[pair, 0], directions[pair, 1], directions[pair, 2])
        found[pair] = clearance_along(direction, corners(starts[pair]), corners(ends[pair]), wanted, kind)
    return found


def turned(points, axes, angles):
    """Points (n, 4, 3) turned about axes (n, 3) of length one, by Rodrigues' formula."""
    axes, angles = axes[:, None], angles[:, None, None]
    along = (points * axes).sum(axis=2, keepdims=True) * axes
    return np.cos(angles) * points + np.sin(angles) * np.cross(axes, points) + (1.0 - np.cos(angles)) * along


def unit_vectors(random, *shape):
    vectors = random.normal(size=(*shape, 3))
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def turning_pairs(random, kind, count, gap, disorder):
    """Corners at the start and at the end, and a direction along which a gap parts them at the start."""
    directions = unit_vectors(random, count)
    starts = random.normal(size=(count, 4, 3))
    starts -= (starts * directions[:, None]).sum(axis=2, keepdims=True) * directions[:, None]
    starts[:, :kind] += gap * directions[:, None]
    ends = turned(starts, unit_vectors(random, count), random.uniform(0.0, 0.4, count))
    ends += random.normal(size=(count, 1, 3)) + disorder * random.normal(size=ends.shape)
    return starts, ends, directions


@every_kind
@pytest.mark.parametrize("disorder", [0.0, 0.01, 0.1])
def test_a_pair_keeps_its_distance_while_ends_move_by_less_than_its_clearance(kind, disorder):
    random = np.random.default_rng(3)
    wanted = 0.05
    starts, ends, directions = turning_pairs(random, kind, 20_000, 0.4, disorder)
    clearance = clearances(kind, directions, starts, ends, wanted)
    is_clear = clearance > 0.0
    assert is_clear.sum() > 1_000
    starts, ends, clearance = starts[is_clear], ends[is_clear], clearance[is_clear]
    share = random.uniform(size=(len(starts), 1, 1))
    both = np.where(np.arange(4)[:, None] < kind, share, 1.0 - share)  # of the clearance, used up by each side
    ends = ends + both * clearance[:, None, None] * unit_vectors(random, len(starts), 4)
    for time in np.linspace(0.0, 1.0, 33):
        assert corners_apart(kind, (1.0 - time) * starts + time * ends).min() >= wanted


@every_kind
def test_what_turns_as_a_whole_stays_as_clear_as_it_is(kind):
    """Up to what the corners come nearer because their ways are straight: ω²/2 of their size."""
    random = np.random.default_rng(4)
    gap = 0.01
    starts, _, directions = turning_pairs(random, kind, 5_000, gap, 0.0)
    angle = 0.05
    axes = unit_vectors(random, len(starts))
    ends = turned(starts, axes, np.full(len(starts), angle)) + random.normal(size=(len(starts), 1, 3))
    size = np.linalg.norm(starts - starts.mean(axis=1, keepdims=True), axis=2).max(axis=1)
    lost = (1.0 + 2.0 * angle) * (angle**2 + 2e-3 * angle) * size  # 1e-3 of the inertia is added to it, on two sides
    assert (clearances(kind, directions, starts, ends, 0.0) * (1.0 + angle) >= gap - 2.0 * lost).all()


@every_kind
def test_of_a_turn_nothing_is_left(kind):
    """A gap of a billionth of the size always tells, though rounds end with the first that finds it clear."""
    random = np.random.default_rng(6)
    gap, angle = 1e-9, 0.05
    starts, _, directions = turning_pairs(random, kind, 5_000, gap, 0.0)
    ends = turned(starts, unit_vectors(random, len(starts)), np.full(len(starts), angle))
    clearance = clearances(kind, directions, starts, ends, 0.0)
    assert (clearance > 0.0).all()
    assert np.median(clearance) > 0.9 * gap
    assert (clearance <= gap).all()


def test_turns_beyond_bounds_and_corners_in_one_place_promise_nothing_untrue():
    point = np.zeros((1, 4, 3))
    assert clearances(EDGE_EDGE, np.array([[1.0, 0.0, 0.0]]), point, point, 0.1)[0] == pytest.approx(-0.1)
    wide = np.random.default_rng(5).normal(size=(1, 4, 3))
    flung = turned(wide, np.array([[0.0, 0.0, 1.0]]), np.array([2.5]))
    assert clearances(POINT_TRIANGLE, np.array([[1.0, 0.0, 0.0]]), wide, flung, 0.1)[0] < 0.0
