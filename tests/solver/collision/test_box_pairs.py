"""The tree of boxes finds what brute force finds."""

import numba
import numpy as np
import pytest

from stiction.solver.collision.box_pairs import TooManyPairs, overlapping_pairs
from stiction.solver.collision.wide_tree import build_tree, refit


def random_boxes(random, count, size=0.1, center=0.0):
    centers = center + random.uniform(size=(count, 3))
    halves = random.uniform(0.0, size, (count, 3))
    return centers - halves, centers + halves


def brute_force(first, second):
    (lows, highs), (other_lows, other_highs) = (
        tuple(np.float64(bound) for bound in (np.float32(lows), np.float32(highs))) for lows, highs in (first, second)
    )
    slack = 1e-6 * (1.0 + np.abs(other_highs).max())  # single precision, rounded outwards
    over = (lows[:, None] <= other_highs + slack).all(axis=2) & (highs[:, None] >= other_lows - slack).all(axis=2)
    exact = (first[0][:, None] <= second[1]).all(axis=2) & (first[1][:, None] >= second[0]).all(axis=2)
    return exact, over


@pytest.mark.parametrize("center", [0.0, 1000.0])
@pytest.mark.parametrize("count", [1, 7, 8, 9, 64, 65, 600])
def test_pairs_of_one_set(count, center):
    random = np.random.default_rng(count)
    for _ in range(5):
        boxes = random_boxes(random, count, 0.2, center)
        pairs = overlapping_pairs(build_tree(*boxes))
        exact, over = brute_force(boxes, boxes)
        found = np.zeros((count, count), bool)
        found[pairs[:, 0], pairs[:, 1]] = True
        assert not (found & found.T).any() and not found.diagonal().any()  # each pair once, none with itself
        assert (found | found.T)[np.triu(exact, 1)].all()
        assert over[found].all()


@pytest.mark.parametrize(("count", "other_count"), [(1, 1), (3, 500), (500, 3), (200, 300)])
def test_pairs_of_two_sets(count, other_count):
    random = np.random.default_rng(count)
    first, second = random_boxes(random, count), random_boxes(random, other_count)
    pairs = overlapping_pairs(build_tree(*first), build_tree(*second))
    exact, over = brute_force(first, second)
    found = np.zeros((count, other_count), bool)
    found[pairs[:, 0], pairs[:, 1]] = True
    assert found[exact].all() and over[found].all() and found.sum() == len(pairs)


def test_a_tree_is_refitted_to_boxes_that_moved():
    random = np.random.default_rng(1)
    tree = build_tree(*random_boxes(random, 300))
    moved = random_boxes(random, 300)
    refit(tree, *moved)
    exact, _ = brute_force(moved, moved)
    assert len(overlapping_pairs(tree)) >= np.triu(exact, 1).sum()


def test_the_same_pairs_on_any_number_of_threads():
    tree = build_tree(*random_boxes(np.random.default_rng(2), 3000, 0.05))
    threads = numba.get_num_threads()
    try:
        results = []
        for count in (1, threads):
            numba.set_num_threads(count)
            results.append(overlapping_pairs(tree))
    finally:
        numba.set_num_threads(threads)
    assert np.array_equal(*results)


def test_boxes_that_are_no_numbers_meet_nothing_and_hide_nothing():
    boxes = random_boxes(np.random.default_rng(3), 100)
    boxes[0][::7] = np.nan
    pairs = overlapping_pairs(build_tree(*boxes))
    assert not np.isin(pairs, np.arange(0, 100, 7)).any()
    exact, _ = brute_force(boxes, boxes)
    assert len(pairs) >= np.triu(exact, 1).sum() > 0


def test_all_boxes_in_one_place_need_more_room_but_have_a_bound():
    boxes = np.zeros((700, 3)), np.ones((700, 3))
    assert len(overlapping_pairs(build_tree(*boxes))) == 700 * 699 // 2
    with pytest.raises(TooManyPairs):
        overlapping_pairs(build_tree(*boxes), most=1000)
