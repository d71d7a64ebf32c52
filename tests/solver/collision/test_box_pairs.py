"""The tree of boxes finds what brute force finds."""

import numpy as np
import pytest

from stiction.solver.collision.box_pairs import PairsExceeded, overlapping_pairs
from stiction.solver.collision.box_search import Scope, SearchedSet
from stiction.solver.collision.surface import NOTHING
from stiction.solver.collision.wide_tree import WideTree, build_tree, refit
from tests.solver.collision.threads import on_any_number_of_threads

ALL_MEET = np.ones((1, 1), np.uint8)
ITSELF = Scope(is_self=True, is_local=False, leaves_grown=False)
OTHERS = Scope(is_self=False, is_local=False, leaves_grown=False)


def random_boxes(random, count, size=0.1, center=0.0):
    """Boxes (n, 6), low and high."""
    centers = center + random.uniform(size=(count, 3))
    halves = random.uniform(0.0, size, (count, 3))
    return np.hstack([centers - halves, centers + halves]).astype(np.float32)


def searched(boxes, first_point=0):
    """A primitive a box, each of a single corner."""
    corners = np.arange(len(boxes), dtype=np.int32)[:, None]
    tree = build_tree(corners[:, 0], corners, boxes)
    refit(tree, boxes)
    # Points of two sets have different numbers: what shares a point never meets.
    tree = tree._replace(corners=tree.corners + np.int32(first_point))
    return SearchedSet(*tree, np.zeros(len(boxes), np.int32), np.full(len(boxes), NOTHING, np.int32))


def brute_force(first, second):
    low, high = first[:, None, :3] <= second[:, 3:], first[:, None, 3:] >= second[:, :3]
    return (low & high).all(axis=2)


def pairs_of_one(boxes, most=2**31):
    found = searched(boxes)
    return overlapping_pairs(found, found, ALL_MEET, ITSELF, most)


@pytest.mark.parametrize("center", [0.0, 1000.0])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 64, 65, 600])
def test_pairs_of_one_set(count, center):
    random = np.random.default_rng(count)
    for _ in range(5):
        boxes = random_boxes(random, count, 0.2, center)
        found = np.zeros((count, count), int)
        np.add.at(found, tuple(pairs_of_one(boxes).T), 1)
        expected = brute_force(boxes, boxes) & ~np.eye(count, dtype=bool)
        assert ((found + found.T) == expected).all()  # each pair once, none with itself


@pytest.mark.slow
def test_pairs_in_thousands_of_random_sets():
    random = np.random.default_rng(7)
    for _ in range(2000):
        first, second = (random_boxes(random, random.integers(0, 200), random.choice([0.01, 0.1, 0.4])) for _ in "ab")
        assert len(pairs_of_one(first)) == np.triu(brute_force(first, first), 1).sum()
        pairs = overlapping_pairs(searched(first), searched(second, len(first)), ALL_MEET, OTHERS)
        found = np.zeros((len(first), len(second)), int)
        np.add.at(found, tuple(pairs.T), 1)
        assert (found == brute_force(first, second)).all()


@pytest.mark.parametrize(("count", "other_count"), [(0, 3), (1, 1), (3, 500), (500, 3), (200, 300)])
def test_pairs_of_two_sets(count, other_count):
    random = np.random.default_rng(count)
    first, second = random_boxes(random, count), random_boxes(random, other_count)
    pairs = overlapping_pairs(searched(first), searched(second, count), ALL_MEET, OTHERS)
    found = np.zeros((count, other_count), int)
    np.add.at(found, tuple(pairs.T), 1)
    assert (found == brute_force(first, second)).all()


def test_a_tree_is_refitted_to_boxes_that_moved_and_becomes_slack():
    random = np.random.default_rng(1)
    found, moved = searched(random_boxes(random, 3000, 0.02)), random_boxes(random, 3000, 0.02)
    tree = WideTree(*found[:4])
    assert refit(tree, moved) > 2.0 * refit(build_tree(tree.order, tree.corners, moved), moved)
    pairs = overlapping_pairs(found, found, ALL_MEET, ITSELF)
    assert len(pairs) == np.triu(brute_force(moved, moved), 1).sum()


def test_the_same_pairs_on_any_number_of_threads():
    boxes = random_boxes(np.random.default_rng(2), 3000, 0.05)
    results = on_any_number_of_threads(lambda: pairs_of_one(boxes))
    assert np.array_equal(*results)


def test_all_boxes_in_one_place_need_more_room_but_have_a_bound():
    boxes = np.hstack([np.zeros((700, 3)), np.ones((700, 3))]).astype(np.float32)
    assert len(pairs_of_one(boxes)) == 700 * 699 // 2
    with pytest.raises(PairsExceeded) as exceeded:
        pairs_of_one(boxes, most=1000)
    assert 0 < len(exceeded.value.sample) <= 1000


def test_a_hopeless_search_is_broken_off():
    """Half a million boxes in one place: a hundred thousand million pairs."""
    boxes = np.tile(np.array([0, 0, 0, 1, 1, 1], np.float32), (500_000, 1))
    with pytest.raises(PairsExceeded):
        pairs_of_one(boxes, most=1_000_000)
