"""The order of primitives along a space-filling curve."""

import numpy as np
import pytest

from stiction.solver.collision.morton_order import BITS, morton_order


def boxes_of(points):
    return np.hstack([points, points]).astype(np.float32)


def order_of(points):
    return morton_order(np.arange(len(points), dtype=np.int32)[:, None], boxes_of(points))


def halves(points):
    """Which half each point is in, (n, BITS), of a box that is halved across its longest side again and again."""
    points = points.astype(np.float32).astype(float)
    low, size = np.tile(points.min(axis=0), (len(points), 1)), np.ptp(points, axis=0)
    bits = []
    for _ in range(BITS):
        axis = np.argmax(size)
        size[axis] /= 2
        bits.append(points[:, axis] >= low[:, axis] + size[axis])
        low[bits[-1], axis] += size[axis]
    return np.column_stack(bits)


@pytest.mark.parametrize("shape", [(1, 1, 1), (16, 1, 1), (0.01, 5, 1), (1, 0, 0), (0, 2, 1e-6)])
def test_points_are_sorted_by_the_halves_that_they_are_in(shape):
    points = np.random.default_rng(0).random((2000, 3)) * shape + [3.0, -2.0, 0.5]
    order = order_of(points)
    assert sorted(order) == list(range(2000))
    assert np.array_equal(order, np.lexsort(halves(points).T[::-1]))


def test_neighbours_in_a_row_of_scenes_are_as_near_as_in_one():
    """Sixteen clouds in a row are cut apart first, and each is then sorted as finely as it would be alone."""
    cloud = np.random.default_rng(1).random((4000, 3))
    row = np.concatenate([cloud + [3.0 * place, 0.0, 0.0] for place in range(16)])
    sizes = [np.ptp(points[order_of(points)].reshape(-1, 8, 3), axis=1).mean() for points in (cloud, row)]
    assert sizes[1] < 1.05 * sizes[0]


def test_equal_places_keep_their_order():
    assert np.array_equal(order_of(np.ones((50, 3))), np.arange(50))


def test_what_is_far_away_but_not_sorted_does_not_count():
    """Only the primitives themselves say how finely they are sorted, not other points: a vast floor, say."""
    points = np.random.default_rng(2).random((500, 3))
    boxes = boxes_of(np.concatenate([points, [[1e6, 0, 0], [0, -1e6, 0]]]))
    assert np.array_equal(morton_order(np.arange(500, dtype=np.int32)[:, None], boxes), order_of(points))


def test_what_is_not_a_number_comes_first_and_does_no_harm():
    points = np.random.default_rng(1).random((20, 3))
    points[7] = np.nan
    points[9] = np.inf
    order = order_of(points)
    assert sorted(order) == list(range(20))
    assert order[0] == 7
