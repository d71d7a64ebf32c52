"""Continuous contact: no crossing is missed, and few are invented."""

import numba
import numpy as np
import pytest

from stiction.solver.collision.closest_points import edge_edge_offset, point_triangle_offset
from stiction.solver.collision.continuous import NEVER, TOUCHES, edge_edge_time, point_triangle_time
from stiction.solver.linear_algebra.vector3 import norm3

POINT_TRIANGLE, EDGE_EDGE = 1, 2


@numba.njit
def corners(array):
    return (
        (array[0, 0], array[0, 1], array[0, 2]),
        (array[1, 0], array[1, 1], array[1, 2]),
        (array[2, 0], array[2, 1], array[2, 2]),
        (array[3, 0], array[3, 1], array[3, 2]),
    )


@numba.njit
def times(kind, starts, ends, separations, share=1.0):
    found = np.empty(len(starts))
    for pair in range(len(starts)):
        start, end = corners(starts[pair]), corners(ends[pair])
        if kind == 1:
            found[pair], _ = point_triangle_time(start, end, separations[pair], share)
        else:
            found[pair], _ = edge_edge_time(start, end, separations[pair], share)
    return found


@numba.njit
def corners_apart(kind, positions):
    """Distances (n,) of pairs with corners (n, 4, 3)."""
    found = np.empty(len(positions))
    for pair in range(len(positions)):
        a, b, c, d = corners(positions[pair])
        found[pair] = norm3(point_triangle_offset(a, b, c, d) if kind == 1 else edge_edge_offset(a, b, c, d))
    return found


def crossing_pairs(random, kind, count, speed, size=1.0, shape=None, motion=None):
    """Corners at the start and at the end (n, 4, 3) of pairs that meet at a time (n,), by construction.

    `shape` may change how they look where they meet, `motion` how they move, before they are scaled.
    """
    meeting, move = random.normal(size=(count, 4, 3)), speed * random.normal(size=(count, 4, 3))
    if shape is not None:
        shape(meeting)
    if kind == POINT_TRIANGLE:
        meeting[:, 0] = np.einsum("nk,nkx->nx", random.dirichlet([1, 1, 1], count), meeting[:, 1:])
    else:
        a, b = random.uniform(size=(2, count, 1))
        apart = (1 - a) * meeting[:, 0] + a * meeting[:, 1] - (1 - b) * meeting[:, 2] - b * meeting[:, 3]
        meeting[:, 2:] += apart[:, None]
    if motion is not None:
        motion(meeting, move)
    time = random.uniform(size=count)
    share = time[:, None, None]
    return size * (meeting - share * move), size * (meeting + (1 - share) * move), time


every_kind = pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE])


@every_kind
@pytest.mark.parametrize("speed", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("size", [1e-5, 1.0, 1e3])
def test_no_crossing_is_missed(kind, speed, size):
    starts, ends, time = crossing_pairs(np.random.default_rng(1), kind, 100_000, speed, size)
    found = times(kind, starts, ends, np.full(len(starts), 1e-7 * size))
    assert (found <= time).all()


@every_kind
def test_no_crossing_is_missed_far_from_the_origin(kind):
    starts, ends, time = crossing_pairs(np.random.default_rng(2), kind, 100_000, 0.3)
    starts, ends = starts + 1e4, ends + 1e4  # coordinates are known to 2e-12 there
    found = times(kind, starts, ends, np.full(len(starts), 1e-9))
    assert (found <= time).all()


@every_kind
def test_flat_and_parallel_pairs_are_not_missed(kind):
    """All corners in nearly one plane, where the classical cubic has no digits left."""
    random = np.random.default_rng(3)
    starts, ends, time = crossing_pairs(random, kind, 100_000, 0.5)
    starts[..., 2] *= 1e-9
    ends[..., 2] *= 1e-9
    found = times(kind, starts, ends, np.full(len(starts), 1e-8))
    assert (found <= time).all()


@every_kind
def test_what_stays_apart_is_left_alone(kind):
    """Primitives on either side of a plane, gliding along it as far as they like."""
    random = np.random.default_rng(4)
    starts, ends = (random.normal(size=(100_000, 4, 3)) for _ in range(2))
    for moment in (starts, ends):
        moment[:, :kind, 2] = 0.01 + np.abs(moment[:, :kind, 2])
        moment[:, kind:, 2] = -np.abs(moment[:, kind:, 2])
    found = times(kind, starts, ends, np.full(len(starts), 0.005))
    assert (found == NEVER).mean() > 0.995  # a plane between them is not always the one that is tried


@every_kind
def test_head_on_contact_is_found_at_once_and_at_its_time(kind):
    starts = np.array([[[0.2, 0.3, 1.0], [0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    if kind == EDGE_EDGE:
        starts = np.array([[[-1, 0, 1.0], [1, 0, 1.0], [0, -1, 0], [0, 1, 0]]], float)
    ends = starts.copy()
    ends[:, :kind, 2] = -1.0
    (found,) = times(kind, starts, ends, np.array([0.1]))
    assert found == pytest.approx((1.0 - 0.1) / 2.0, abs=1e-2)


@every_kind
def test_pairs_that_touch_or_have_no_size_have_an_answer(kind):
    nothing = np.zeros((1, 4, 3))
    assert times(kind, nothing, nothing, np.zeros(1))[0] == TOUCHES
    starts, ends = nothing.copy(), nothing.copy()
    starts[:, :kind, 2], ends[:, :kind, 2] = 1.0, -1.0  # a point through a point
    assert 0.0 < times(kind, starts, ends, np.array([1e-3]))[0] <= 0.5


def turned_together(random, count, angle):
    """Rotations (n, 3, 3) through some such angles [rad]."""
    turns = np.linalg.qr(np.eye(3) + angle * random.normal(size=(count, 3, 3)))[0]
    return turns * np.sign(np.einsum("nii->ni", turns))[:, None]


def edges_apart(random, count, gap, slant):
    """Edges (n, 4, 3) of 8 mm that pass each other at a distance [m], their directions apart by a slant [rad] or so.

    With them the normals between them (n, 3).
    """
    directions = random.normal(size=(count, 2, 3))
    directions[:, 1] = directions[:, 0] + slant * directions[:, 1]
    normals = np.cross(directions[:, 0], directions[:, 1])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    shares = random.uniform(0.02, 0.98, size=(count, 2, 1))
    lengths = 8e-3 * directions / np.linalg.norm(directions, axis=2)[..., None]
    firsts = -shares * lengths
    firsts[:, 1] += gap * normals
    ends = firsts + lengths
    return np.stack([firsts[:, 0], ends[:, 0], firsts[:, 1], ends[:, 1]], axis=1), normals


@pytest.mark.parametrize("slant", [1.0, 0.03])
@pytest.mark.parametrize("gap", [1e-6, 1e-8, 1e-10, 1e-11, 1e-12, 1e-13])
def test_edges_a_hair_breadth_apart_may_turn_together(gap, slant):
    """So near that the direction between them is all but noise, it is still found that they do not meet."""
    random, count = np.random.default_rng(3), 2000
    starts, normals = edges_apart(random, count, gap, slant)
    turns = turned_together(random, count, 0.05)
    ends = np.einsum("nij,nkj->nki", turns, starts)
    assert (times(EDGE_EDGE, starts, ends, np.full(count, 7e-5), 0.2) == NEVER).mean() > 0.99
    against = ends.copy()
    against[:, 2:] -= 2.0 * gap * np.einsum("nij,nj->ni", turns, normals)[:, None]
    assert (times(EDGE_EDGE, starts, against, np.full(count, 7e-5), 0.2) < 1.0).all()


@every_kind
@pytest.mark.parametrize("gap", [1e-11, 1e-13])
def test_a_corner_a_hair_breadth_apart_may_turn_along(kind, gap):
    """The end of an edge that stands on another one, or a point over a triangle: no volume would tell in time."""
    random, count = np.random.default_rng(5), 2000
    starts, normals = edges_apart(random, count, gap, 1.0)
    middles = starts[:, 2:].mean(axis=1)
    if kind == EDGE_EDGE:
        along = starts[:, 3] - starts[:, 2]
        feet = middles + gap * normals
        starts[:, 0], starts[:, 1] = feet, feet + 8e-3 * normals + random.uniform(-0.5, 0.5, (count, 1)) * along
    else:
        third = starts[:, 3] + np.cross(normals, starts[:, 3] - starts[:, 2])
        starts = np.stack([middles * 2 / 3 + third / 3 + gap * normals, starts[:, 2], starts[:, 3], third], axis=1)
    turns = turned_together(random, count, 0.05)
    ends = np.einsum("nij,nkj->nki", turns, starts)
    assert (times(kind, starts, ends, np.full(count, 7e-5), 0.2) == NEVER).mean() > 0.99
    ends[:, :kind] -= 2.0 * gap * np.einsum("nij,nj->ni", turns, normals)[:, None]
    assert (times(kind, starts, ends, np.full(count, 7e-5), 0.2) < 1.0).all()


@pytest.mark.parametrize("gap", [2e-7, 1e-9, 1e-11])
def test_what_is_near_may_turn_together_while_an_end_swings(gap):
    """Roots of two strands that a head carries along: one goes on from there, and hangs behind."""
    random, count = np.random.default_rng(7), 2000
    starts, normals = edges_apart(random, count, gap, 1.0)
    along = starts[:, 3] - starts[:, 2]
    feet = starts[:, 2] + random.uniform(0.9, 0.9999, (count, 1)) * along + gap * normals
    rise = 8e-3 * (normals + random.uniform(-0.5, 0.5, (count, 1)) * along / 8e-3)
    starts[:, 0], starts[:, 1] = feet, feet + rise
    turns = turned_together(random, count, 0.05)
    ends = np.einsum("nij,nkj->nki", turns, starts)
    ends[:, 1] += random.normal(scale=5e-4, size=(count, 3))
    assert (times(EDGE_EDGE, starts, ends, np.full(count, 7e-5), 0.2) == NEVER).mean() > 0.99
    ends[:, 0] -= 2.0 * gap * np.einsum("nij,nj->ni", turns, normals)
    assert (times(EDGE_EDGE, starts, ends, np.full(count, 7e-5), 0.2) < 1.0).all()
