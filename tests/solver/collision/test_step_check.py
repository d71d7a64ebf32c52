"""The continuous check of a step: what meets is found in time, what does not is let go, each hit becomes a contact."""

import numpy as np
import pytest

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.contact_features import POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from stiction.solver.collision.continuous import NEVER, TOUCHES
from stiction.solver.collision.pair_times import SHARE
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.step_check import StepCheck
from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.parts import part
from tests.solver.collision.scenes import random_scene
from tests.solver.collision.test_candidates import brute_force
from tests.solver.collision.test_continuous import times
from tests.solver.collision.threads import on_any_number_of_threads

pytestmark = pytest.mark.usefixtures("one_thread")
TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)


def check(surface, starts, ends, margin=1e-3):
    candidates = StepCandidates(surface)
    candidates.search(starts, ends, margin)
    return StepCheck(surface, candidates, starts).first_contacts(ends)


@pytest.mark.parametrize("scenes", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_a_check_that_knows_clearances_equals_a_first_one(scenes):
    """Ends that move little and much, at the full thickness and at less, and candidates that are added meanwhile."""
    random, count = np.random.default_rng(5), 0
    for _ in range(scenes):
        surface, starts, ends = random_scene(random)
        candidates = StepCandidates(surface)
        candidates.search(starts, ends, 1e-3)
        checked = StepCheck(surface, candidates, starts)
        for _ in range(6):
            ends = ends + 10.0 ** random.uniform(-4, 0) * random.normal(size=ends.shape)
            candidates.extend(ends)
            thickness = random.choice([0.1, 1.0])
            found = checked.first_contacts(ends, thickness)
            expected = StepCheck(surface, candidates, starts).first_contacts(ends, thickness)
            for values, wanted in zip((*found[:4], *found.contacts), (*expected[:4], *expected.contacts)):
                np.testing.assert_array_equal(values, wanted)
            count += len(found.contact_times)
    assert count > scenes


def all_hits(surface, starts, ends):
    """Times of all pairs that may meet, by their kind and numbers: brute force over all candidates there could be."""
    points = np.arange(len(starts))[:, None]
    everywhere = 1e3
    hits = {}
    for kind, first, second in ((1, points, surface.triangles), (2, surface.edges, surface.edges)):
        may_meet = brute_force(surface, first, second, starts, ends, ends, everywhere, 0.0)
        pairs = np.argwhere(np.triu(may_meet) if kind == 2 else may_meet)
        corners = np.hstack([first[pairs[:, 0]], second[pairs[:, 1]]])
        found = times(kind, starts[corners], ends[corners], _separations(surface, corners, kind), SHARE)
        for pair, time in zip(pairs, found):
            if TOUCHES < time < NEVER:
                hits[kind, *pair.tolist()] = time
    return hits


def _separations(surface, corners, kind):
    points = surface.points
    is_self = points.objects[corners[:, :1]] == points.objects[corners[:, 3:]]
    radii = np.where(is_self, points.self_radii[corners], points.radii[corners])
    return radii[:, :kind].min(axis=1) + radii[:, kind:].min(axis=1)


@pytest.mark.parametrize("scenes", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_hits_equal_brute_force(scenes):
    random, count = np.random.default_rng(0), 0
    for _ in range(scenes):
        surface, starts, ends = random_scene(random)
        result = check(surface, starts, ends)
        found = {
            (kind, *(sorted(pair) if kind == 2 else pair)): time
            for kind, pairs, hit_times in (
                (1, result.point_triangle_pairs.tolist(), result.point_triangle_times),
                (2, result.edge_pairs.tolist(), result.edge_times),
            )
            for pair, time in zip(pairs, hit_times)
        }
        expected = all_hits(surface, starts, ends)
        assert set(found) == set(expected)
        for key, time in found.items():
            # Which edge comes first may change the last digits, and with them the turn at which a pair is near enough.
            assert time == pytest.approx(expected[key], abs=0.02)
        count += len(found)
    assert count > 5 * scenes


def test_contacts_of_hits_are_sound():
    random = np.random.default_rng(1)
    for _ in range(100):
        surface, starts, ends = random_scene(random)
        result = check(surface, starts, ends)
        contacts = result.contacts
        assert len(contacts.kinds) == len(result.contact_times)
        assert len(contacts.kinds) <= len(result.edge_times) + len(result.point_triangle_times)
        assert all(np.isfinite(field).all() for field in contacts)
        assert np.linalg.norm(contacts.normals, axis=1) == pytest.approx(1.0)
        assert np.where(contacts.weights > 0, contacts.weights, 0).sum(axis=1) == pytest.approx(1.0)
        assert contacts.weights.sum(axis=1) == pytest.approx(0.0)
        if len(result.contact_times):
            assert result.contact_times.min() == result.earliest
        is_point = np.isin(contacts.kinds, (POINT_TRIANGLE, POINT_EDGE, POINT_POINT))
        assert (contacts.weights[is_point, 0] == 1.0).all()  # side A is the point, as in `touching`
        pairs = contacts.points[contacts.kinds == POINT_POINT]
        assert (pairs[:, 0] < pairs[:, 1]).all()
        offsets = np.einsum("mk,mkx->mx", contacts.weights, starts[contacts.points])
        assert (contacts.normals * offsets).sum(axis=1) == pytest.approx(contacts.distances)


def drop(height, end_height, x=0.2, y=0.3):
    """A short strand that falls on a given triangle, of radii 0.01 together."""
    strand = part("strand", [[x, y, height], [x, y, height + 1]], segments=[[0, 1]], radii=np.full(2, 0.004))
    given = {"nodes": None, "weights": None, "is_given": np.ones(3, bool)}
    ground = part("ground", TRIANGLE, [[0, 1, 2]], radii=np.full(3, 0.006), **given)
    starts = np.concatenate([strand.rest, ground.rest])
    ends = starts.copy()
    ends[:2, 2] += end_height - height
    return join_parts([strand, ground]), starts, ends


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_falling_point_hits_at_its_separation_and_keeps_its_side(side):
    surface, starts, ends = drop(0.21, -0.79)
    flip = np.array([1.0, 1.0, side])
    result = check(surface, starts * flip, ends * flip)
    assert result.earliest == pytest.approx(0.2, abs=1e-2)
    first = np.argmin(result.contact_times)
    assert result.contacts.normals[first] == pytest.approx([0, 0, side])
    assert result.contacts.distances[first] == pytest.approx(0.21)
    assert result.contacts.separations[first] == pytest.approx(0.01)


def test_what_touches_may_stay_slide_and_part_but_not_cross():
    for end_height, hits in ((0.005, False), (0.5, False), (0.002, False), (0.0005, True), (-0.1, True)):
        surface, starts, ends = drop(0.005, end_height)
        ends[:2, 0] += 0.3
        assert (check(surface, starts, ends).earliest < NEVER) == hits


def test_exact_contact_is_left_to_the_contacts_of_the_start():
    surface, starts, ends = drop(0.0, 0.0)
    assert check(surface, starts, ends).earliest == NEVER
    candidates = StepCandidates(surface)
    candidates.search(starts, ends, 1e-3)
    assert len(touching(surface, candidates, starts, 1e-3).kinds) > 0


def test_the_same_hits_on_any_number_of_threads():
    def find():
        random = np.random.default_rng(3)
        results = [check(*random_scene(random)) for _ in range(20)]
        return [field for result in results for field in (result.contact_times, *result.contacts, result.edge_pairs)]

    for fields in zip(*on_any_number_of_threads(find)):
        assert np.array_equal(*fields)


def test_a_step_without_candidates_is_free():
    surface, starts, ends = drop(5.0, 4.9)
    assert check(surface, starts, ends).earliest == NEVER
    assert len(check(surface, starts, ends).contacts.kinds) == 0
