"""Candidates of a step: what brute force finds, nothing twice, nothing that may not meet."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.common_motion import common_motion
from stiction.solver.collision.errors import PositionsNotFinite, TooManyPairs
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.parts import part
from tests.solver.collision.scenes import random_scene
from tests.solver.collision.threads import on_any_number_of_threads

pytestmark = pytest.mark.usefixtures("one_thread")
SINGLE = 1e-6  # single precision, around scenes of a metre


def may_meet(surface, corners, other_corners):
    """The rules, in words: for all pairs (n, m) of primitives with corners (n, k) and (m, l)."""
    points = surface.points
    own, other = points.objects[corners[:, 0]], points.objects[other_corners[:, 0]]
    shares_a_point = (corners[:, None, :, None] == other_corners[None, :, None, :]).any(axis=(2, 3))
    all_given = points.is_given[corners].all(axis=1)[:, None] & points.is_given[other_corners].all(axis=1)
    grows_there = (points.grows_on[corners][:, None] == other[:, None]).any(axis=2)
    is_grown_on = (points.grows_on[other_corners][None] == own[:, None, None]).any(axis=2)
    return surface.meets[own[:, None], other].astype(bool) & ~(shares_a_point | all_given | grows_there | is_grown_on)


def boxes_around(corners, starts, ends, start_reaches, end_reaches):
    """Low and high (n, 3) of what primitives sweep."""
    start_reach, end_reach = start_reaches[:, None], end_reaches[:, None]
    low = np.minimum(starts - start_reach, ends - end_reach)[corners].min(axis=1)
    return low, np.maximum(starts + start_reach, ends + end_reach)[corners].max(axis=1)


def seen_moving_along(starts, ends, meant):
    """Ends beside the motion that is common to what was meant, and how far ways may be curved: (1a) and (1c)."""
    centre, shift, turn = common_motion(starts, meant)
    left = ends - starts - shift - np.cross(turn, starts - centre)
    return starts + left, np.linalg.norm(turn) * np.linalg.norm(left, axis=1)


def brute_force(surface, corners, other_corners, starts, ends, meant, margin, slack):
    """Which primitives (n, m) have boxes that overlap, with some slack [m], and may meet.

    Ways are curved towards their ends; boxes that reach as far around the starts are harmless.
    """
    seen, curves = seen_moving_along(starts, ends, meant)
    reaches = surface.points.radii + margin
    boxes = starts, seen, reaches + (curves if slack > 0.0 else 0.0), reaches + curves
    low, high = boxes_around(corners, *boxes)
    other_low, other_high = boxes_around(other_corners, *boxes)
    overlap = (low[:, None] <= other_high + slack).all(axis=2) & (high[:, None] >= other_low - slack).all(axis=2)
    return overlap & may_meet(surface, corners, other_corners)


def assert_complete(candidates, starts, ends, margin, ends_before=None):
    """All pairs of the boxes swept to `ends`; none beyond those swept to both ends."""
    surface, meant = candidates.surface, ends if ends_before is None else ends_before
    points = np.arange(len(starts))[:, None]
    for pairs, first, second in (
        (candidates.edge_pairs, surface.edges, surface.edges),
        (candidates.point_triangle_pairs, points, surface.triangles),
    ):
        found = np.zeros((len(first), len(second)), int)
        np.add.at(found, tuple(pairs.T), 1)
        if first is second:
            found += found.T
        assert found.max(initial=0) <= 1
        assert found[brute_force(surface, first, second, starts, ends, meant, margin, -SINGLE)].all()
        if ends_before is None:
            assert brute_force(surface, first, second, starts, ends, meant, margin, SINGLE)[found == 1].all()
        else:
            assert may_meet(surface, first, second)[found == 1].all()


some_and_many = pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.slow)])


@some_and_many
def test_a_search_equals_brute_force(count):
    random = np.random.default_rng(count)
    for _ in range(count):
        surface, starts, ends = random_scene(random)
        candidates = StepCandidates(surface)
        for _ in range(2):  # the second time the trees are refitted
            margin = 10.0 ** random.uniform(-4, -1)
            candidates.search(starts, ends, margin)
            assert_complete(candidates, starts, ends, margin)
            starts, ends = ends, ends + 0.1 * random.normal(size=ends.shape)


@some_and_many
def test_an_extended_search_equals_a_full_one(count):
    random = np.random.default_rng(1 + count)
    for _ in range(count):
        surface, starts, ends = random_scene(random)
        candidates = StepCandidates(surface)
        candidates.search(starts, ends, 0.01)
        for _ in range(3):
            moves = random.uniform(size=len(ends)) < 0.2
            further = ends + 0.5 * moves[:, None] * random.normal(size=ends.shape)
            before = len(candidates.edge_pairs) + len(candidates.point_triangle_pairs)
            added = candidates.extend(further)
            assert len(candidates.edge_pairs) + len(candidates.point_triangle_pairs) == before + added
            assert_complete(candidates, starts, further, 0.01, ends)


@pytest.mark.parametrize("count", [10, pytest.param(300, marks=pytest.mark.slow)])
def test_searches_among_many_equal_brute_force(count):
    """Enough segments for several groups and levels of the tree; the local search for those that leave their boxes."""
    random, added = np.random.default_rng(2 + count), 0
    for _ in range(count):
        surface, starts, ends = grove(int(random.integers(60, 400)), random)
        candidates = StepCandidates(surface)
        candidates.search(starts, ends, 1e-3)
        assert_complete(candidates, starts, ends, 1e-3)
        moves = random.uniform(size=len(ends)) < random.choice([0.01, 0.1, 1.0])
        further = ends + 0.05 * moves[:, None] * random.normal(size=ends.shape)
        added += candidates.extend(further)
        assert_complete(candidates, starts, further, 1e-3, ends)
    assert added > 10 * count


def test_extending_by_nothing_adds_nothing():
    surface, starts, ends = random_scene(np.random.default_rng(0))
    candidates = StepCandidates(surface)
    candidates.search(starts, ends, 0.01)
    assert candidates.extend(ends) == 0
    centre, shift, turn = common_motion(starts, ends)
    common = starts + shift + np.cross(turn, starts - centre)
    assert candidates.extend(0.5 * (common + ends)) == 0  # shorter than was meant beside the common motion


def moved_together(starts, random):
    """Where a fast turn and shift of all takes points, with some motion of their own."""
    axis = random.normal(size=3)
    angle = random.uniform(0.0, 0.45)
    turned = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).apply(starts)
    return turned + random.normal(size=3) + 0.03 * random.normal(size=starts.shape)


def nearest_on_the_way(corners, other_corners, starts, ends):
    """Distances (n, m) [m] between places along edges, the smallest at some times of a step."""
    along = np.linspace(0.0, 1.0, 9)[:, None, None, None]
    nearest = np.full((len(corners), len(other_corners)), np.inf)
    for time in np.linspace(0.0, 1.0, 17):
        now = starts + time * (ends - starts)
        own, other = (
            ((1.0 - along) * now[edges][None, :, :1] + along * now[edges][None, :, 1:])[:, :, 0]
            for edges in (corners, other_corners)
        )
        for place in own:
            for other_place in other:
                nearest = np.minimum(nearest, np.linalg.norm(place[:, None] - other_place, axis=2))
    return nearest


def test_nothing_that_comes_near_is_missed_by_one_who_moves_along():
    random, near_count, swept_count = np.random.default_rng(7), 0, 0
    for _ in range(10):
        surface, starts, _ = grove(150, random)
        ends = moved_together(starts, random)
        candidates = StepCandidates(surface)
        candidates.search(starts, ends, 0.02)
        edges = surface.edges
        found = np.zeros((len(edges), len(edges)), bool)
        found[tuple(candidates.edge_pairs.T)] = True
        is_near = nearest_on_the_way(edges, edges, starts, ends) < 2.0 * (0.02 + surface.points.radii.min())
        is_near &= may_meet(surface, edges, edges)
        assert (found | found.T)[is_near].all()
        near_count, swept_count = near_count + is_near.sum() // 2, swept_count + len(candidates.edge_pairs)
    assert 50 < near_count < swept_count < 20 * near_count  # boxes around whole ways: nearly all pairs


def test_the_common_motion_is_that_of_most():
    random = np.random.default_rng(8)
    starts, turn = random.normal(size=(9000, 3)), np.array([0.1, -0.2, 0.05])
    ends = starts + [1.0, 2.0, 3.0] + np.cross(turn, starts)
    ends[random.uniform(size=9000) < 0.01] += 1e6  # flung away
    centre, shift, found = common_motion(starts, ends)
    assert found == pytest.approx(turn, abs=1e-12)
    assert shift + np.cross(found, -centre) == pytest.approx([1.0, 2.0, 3.0], abs=1e-12)


def test_points_on_a_line_and_points_that_are_no_numbers_have_some_common_motion():
    line = np.outer(np.linspace(0.0, 1.0, 50), [1.0, 2.0, 2.0])
    motion = common_motion(line, line + [0.0, 0.0, 1.0])
    assert motion[1] == pytest.approx([0.0, 0.0, 1.0]) and motion[2] == pytest.approx(0.0, abs=1e-12)
    line[3] = np.nan
    assert np.isfinite(common_motion(line, line + 1.0)).all()
    assert not common_motion(line, np.full_like(line, np.inf)).any()


def test_the_same_candidates_on_any_number_of_threads():
    def search():
        surface, starts, ends = grove(3000)
        candidates = StepCandidates(surface)
        candidates.search(starts, ends, 1e-3)
        candidates.extend(ends + 0.01)
        return candidates.edge_pairs, candidates.point_triangle_pairs

    for results in zip(*on_any_number_of_threads(search)):
        assert np.array_equal(*results)


def grove(count, random=None):
    """Loose segments around a triangle, and where they go."""
    random = random or np.random.default_rng(5)
    rest = (random.uniform(size=(count, 1, 3)) + 0.03 * random.normal(size=(count, 2, 3))).reshape(-1, 3)
    body = part("body", 0.5 * np.eye(3), [[0, 1, 2]], nodes=None, weights=None, is_given=np.ones(3, bool))
    surface = join_parts([part("hair", rest, segments=np.arange(2 * count).reshape(-1, 2)), body])
    starts = np.concatenate([rest, body.rest])
    return surface, starts, starts + 0.01 * random.normal(size=starts.shape)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_positions_that_are_no_numbers_are_reported(value):
    surface, starts, ends = random_scene(np.random.default_rng(1))
    first = int(surface.firsts[2])
    ends[first + 3] = value
    candidates = StepCandidates(surface)
    with pytest.raises(PositionsNotFinite, match=r'"body": 1 points have no position \(first: 3\)'):
        candidates.search(starts, ends, 0.01)
    candidates.search(starts, starts, 0.01)
    with pytest.raises(PositionsNotFinite):
        candidates.extend(ends)


def test_a_jump_through_the_whole_scene_names_who_jumps():
    surface, starts, ends = grove(3000)
    ends[-3:] += 1e3
    starts[-3:] -= 1e3  # the triangle's box is as large as the scene
    candidates = StepCandidates(surface, most=5000)
    with pytest.raises(TooManyPairs, match=r'between "(hair" and "body|hair" with itself)'):
        candidates.search(starts, ends, 1e-3)


def test_huge_positions_are_searched_without_a_hang():
    surface, starts, ends = random_scene(np.random.default_rng(2))
    candidates = StepCandidates(surface)
    candidates.search(1e300 * starts, 1e300 * ends, 0.01)
    candidates.search(starts, ends, 0.01)
    assert_complete(candidates, starts, ends, 0.01)


def test_a_surface_of_nothing_has_no_candidates():
    surface, nowhere = join_parts([]), np.empty((0, 3))
    candidates = StepCandidates(surface)
    candidates.search(nowhere, nowhere, 0.01)
    assert candidates.extend(nowhere) == 0
    assert len(candidates.edge_pairs) == len(candidates.point_triangle_pairs) == 0
    assert len(touching(surface, candidates, nowhere, 0.01).kinds) == 0
