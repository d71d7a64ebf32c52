"""Boxes and the triangles that they meet: those of brute force, in turns of any size, up to a bound."""

import numpy as np
import pytest

from stiction.solver.volume import tree_queries
from stiction.solver.volume.tree_queries import PairsExceeded, triangles_in_boxes
from stiction.solver.volume.triangle_tree import _morton_codes, triangle_tree


def scattered(random, count=40, box_count=25):
    """Corners (t, 3, 3) of triangles, and the lows and highs (b, 3) of boxes."""
    corners = random.random((count, 1, 3)) + 0.2 * random.normal(size=(count, 3, 3))
    lows = random.random((box_count, 3))
    return corners, lows, lows + 0.3 * random.random((box_count, 3))


def brute_force(corners, lows, highs):
    meets = (lows[:, None] <= corners.max(axis=1)).all(axis=2) & (highs[:, None] >= corners.min(axis=1)).all(axis=2)
    return np.argwhere(meets).tolist()


@pytest.mark.parametrize(("at_once", "boxes_at_once"), [(2**20, 2**20), (10, 7), (1, 1)])
def test_turns_hold_all_pairs_in_order(monkeypatch, at_once, boxes_at_once):
    monkeypatch.setattr(tree_queries, "AT_ONCE", at_once)
    monkeypatch.setattr(tree_queries, "BOXES_AT_ONCE", boxes_at_once)
    random = np.random.default_rng(0)
    for _ in range(20):
        corners, lows, highs = scattered(random)
        tree = triangle_tree(corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3))
        turns = list(triangles_in_boxes(tree, lows, highs))
        found = [[box, triangle] for turn in turns for box, triangle in zip(*(part.tolist() for part in turn))]
        assert sorted(found) == brute_force(corners, lows, highs)
        assert [box for box, _ in found] == sorted(box for box, _ in found)
        assert all(len(boxes) <= at_once or len(set(boxes.tolist())) == 1 for boxes, _ in turns)


def test_too_many_pairs_are_told_before_they_are_made():
    corners, lows, highs = scattered(np.random.default_rng(1))
    tree = triangle_tree(corners.reshape(-1, 3), np.arange(corners.size // 3).reshape(-1, 3))
    count = len(brute_force(corners, lows, highs))
    assert sum(len(boxes) for boxes, _ in triangles_in_boxes(tree, lows, highs, most=count)) == count
    with pytest.raises(PairsExceeded) as exceeded:
        list(triangles_in_boxes(tree, lows, highs, most=count - 1))
    assert 0 <= exceeded.value.box < len(lows)


def test_codes_take_a_bit_of_each_axis_in_turn():
    points = np.random.default_rng(9).uniform(size=(100, 3))
    low, size = points.min(axis=0), np.ptp(points, axis=0).max()
    cells = ((points - low) * ((2**21 - 1) / size)).astype(np.uint64).tolist()
    codes = [
        sum(((cell[axis] >> bit) & 1) << (3 * bit + axis) for bit in range(21) for axis in range(3)) for cell in cells
    ]
    assert _morton_codes(points).tolist() == codes
