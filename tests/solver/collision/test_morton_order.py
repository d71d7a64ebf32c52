"""The order of primitives along a space-filling curve."""

import numpy as np

from stiction.solver.collision.morton_order import BITS, morton_order


def boxes_of(points):
    return np.hstack([points, points]).astype(np.float32)


def interleaved(cell):
    """The bits of three numbers in turn, the highest first."""
    return sum((int(cell[axis]) >> bit & 1) << 3 * bit + axis for bit in range(BITS) for axis in range(3))


def test_points_are_sorted_by_their_interleaved_bits():
    cells = np.random.default_rng(0).integers(0, 1 << BITS, (2000, 3))
    cells[0], cells[1] = 0, (1 << BITS) - 1
    order = morton_order(np.arange(2000, dtype=np.int32)[:, None], boxes_of(cells + 0.25))
    codes = [interleaved(cell) for cell in cells]
    # The extent is one cell short, so that cells are cut at slightly other places: neighbours may change by one.
    found = np.array([codes[place] for place in order])
    assert sorted(order) == list(range(2000))
    assert (np.diff(np.argsort(np.argsort(codes, kind="stable"))[order]) > 0).mean() > 0.95
    assert found[0] == 0 and found[-1] == max(codes)


def test_equal_places_keep_their_order():
    order = morton_order(np.arange(50, dtype=np.int32)[:, None], boxes_of(np.ones((50, 3))))
    assert np.array_equal(order, np.arange(50))


def test_what_is_not_a_number_comes_first_and_does_no_harm():
    points = np.random.default_rng(1).random((20, 3))
    points[7] = np.nan
    points[9] = np.inf
    order = morton_order(np.arange(20, dtype=np.int32)[:, None], boxes_of(points))
    assert sorted(order) == list(range(20))
    assert order[0] in (7, 9) or 7 in order[:3]
