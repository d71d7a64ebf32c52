"""Scenes without sense: told in a sentence, or survived; in bounded time and memory, without numbers that are none."""

import tracemalloc

import numpy as np
import pytest

from stiction.solver import Collider, Hair, Scene
from stiction.solver.collision import intersections, strand_overlaps
from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.errors import TooManyContacts, TooManyPairs, TooMuchIntersects
from stiction.solver.collision.hit_contacts import contacts_of_hits
from stiction.solver.collision.intersections import find_crossings, find_intersections
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.start_state import start_problems
from stiction.solver.collision.step_check import StepCheck
from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.parts import part
from tests.solver.collision.scenes import random_scene
from tests.solver.collision.test_candidates import assert_complete, grove
from tests.solver.collision.test_proximity import assert_sound

MEGABYTE = 2**20
NO_PAIRS = np.empty((0, 2), np.int32)


def checked(surface, starts, ends, margin=0.01):
    """Contacts and hits of a step, which must be sound."""
    candidates = StepCandidates(surface)
    candidates.search(starts, ends, margin)
    if np.abs(ends).max() < 10.0:  # single precision is that of a scene of a metre
        assert_complete(candidates, starts, ends, margin)
    contacts = touching(surface, candidates, starts, margin)
    assert_sound(surface, contacts, starts, margin)
    hits = StepCheck(surface, candidates, starts).first_contacts(ends)
    for fields in (contacts, hits.contacts):
        assert all(np.isfinite(field).all() for field in fields)
    assert np.linalg.norm(hits.contacts.normals, axis=1) == pytest.approx(1.0)
    assert ((hits.contact_times >= 0.0) & (hits.contact_times <= 1.0)).all()
    return contacts, hits


def collapsed(positions, random, how):
    """Positions of which many, or all, coincide, lie on a line, or in a plane."""
    if how == "one place":
        return np.tile(positions[:1], (len(positions), 1))
    if how == "a line":
        return positions * [1.0, 0.0, 0.0]
    if how == "a plane":
        return positions * [1.0, 1.0, 0.0]
    return positions[random.integers(0, max(len(positions) // 4, 1), len(positions))]  # doubled points


@pytest.mark.parametrize("when", ["start", "end", "both"])
@pytest.mark.parametrize("how", ["one place", "a line", "a plane", "doubled points"])
def test_edges_without_length_and_triangles_without_area(how, when):
    random = np.random.default_rng(3)
    for _ in range(10):
        surface, starts, ends = random_scene(random)
        if when != "end":
            starts = collapsed(starts, random, how)
        if when != "start":
            ends = collapsed(ends, random, how)
        checked(surface, starts, ends)
        found = find_intersections(surface, starts)
        assert all(np.isfinite(np.asarray(values, float)).all() for findings in found for values in findings)


@pytest.mark.parametrize("length", [1e2, 1e6, 1e12])
def test_a_collider_that_jumps_through_the_scene_is_met_on_its_way(length):
    """A triangle passes all strands in one step, however far it goes: each is hit, and no time is too late."""
    surface, starts, ends = grove(50)
    starts[-3:] = [[-5, -5, -1], [5, -5, -1], [0, 9, -1]]
    ends[:-3] = starts[:-3]
    ends[-3:] = starts[-3:] + [0, 0, length]
    _, hits = checked(surface, starts, ends)
    assert set(hits.point_triangle_pairs[:, 0] // 2) == set(range(50))
    lowest = starts[:100, 2].min()
    assert hits.earliest <= (lowest + 1.0) / length


def test_a_jump_costs_bounded_memory():
    """Two meshes that pass through each other entirely: hundreds of millions of pairs, of which few are looked at."""
    random = np.random.default_rng(4)
    corners = random.uniform(size=(3 * 20_000, 3))
    triangles = np.arange(len(corners)).reshape(-1, 3)
    given = {"nodes": None, "weights": None, "is_given": np.ones(len(corners), bool)}
    surface = join_parts([part("cape", corners, triangles), part("body", corners, triangles, **given)])
    starts = np.concatenate([corners, corners + 9.0])
    candidates = StepCandidates(surface, most=100_000)
    tracemalloc.start()
    try:
        with pytest.raises(TooManyPairs, match="Raise the steps per frame if something jumps"):
            candidates.search(starts, starts[::-1].copy(), 1e-3)
        assert tracemalloc.get_traced_memory()[1] < 150 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_too_many_contacts_are_told():
    surface, starts, _ = grove(400)
    candidates = StepCandidates(surface)
    candidates.search(starts, starts, 0.1)
    assert len(touching(surface, candidates, starts, 0.2, most=10**6).kinds) > 500
    with pytest.raises(TooManyContacts, match=r'More than 500 places touch .* between "hair" with itself'):
        touching(surface, candidates, starts, 0.2, most=500)


def test_too_many_hits_are_told():
    surface, starts, _ = grove(10)
    pairs = np.zeros((5_000_001, 2), np.int32)
    with pytest.raises(TooManyContacts, match=r"More than 5,000,000 places .* Move apart what lies in the same place"):
        contacts_of_hits(surface, NO_PAIRS, pairs, np.zeros(len(pairs)), starts, starts)


def crowd():
    """Thirty long hairs through a fan of thirty triangles, all boxes of which meet."""
    ends = np.random.default_rng(5).uniform(-1, 1, (30, 2, 2))
    hairs = [np.column_stack([end, [-1.0, 1.0]]) for end in ends]
    angles = np.linspace(0, 2 * np.pi, 31)
    rim = 2 * np.column_stack([np.cos(angles), np.sin(angles), 0.1 * np.sin(9 * angles)])
    fan = np.concatenate([[[0, 0, 0.1]], rim])
    return np.concatenate(hairs), fan, [[0, i + 1, i + 2] for i in range(30)]


def test_what_intersects_is_listed_up_to_a_bound():
    hairs, fan, triangles = crowd()
    strands = np.repeat(np.arange(30, dtype=np.int32), 2)
    hair = part("hair", hairs, segments=np.arange(60).reshape(-1, 2), strands=strands)
    surface = join_parts([hair, part("fan", fan, triangles)])
    positions = np.concatenate([hairs, fan])
    assert len(find_crossings(surface, positions).edges) >= 30
    with pytest.raises(TooMuchIntersects, match=r'"(hair|fan)" lies in so much of the scene'):
        find_crossings(surface, positions, most=100)
    with pytest.raises(TooMuchIntersects, match='"hair"'):
        strand_overlaps.strand_overlaps(surface, positions, most=100)


def test_a_check_of_the_start_tells_that_it_gave_up(monkeypatch):
    monkeypatch.setattr(intersections.find_crossings, "__defaults__", (100, False))
    hairs, fan, triangles = crowd()
    scene = Scene()
    scene.add(Hair("hair", hairs, np.arange(31) * 2))
    scene.add(Collider("fan", fan, triangles))
    (problem,) = start_problems(scene)
    assert problem.is_warning and problem.object_name in ("hair", "fan")
    assert "cannot be listed" in problem.sentence


def test_strands_in_one_place_are_given_up_not_listed_for_ever(monkeypatch):
    monkeypatch.setattr(strand_overlaps, "MOST_OVERLAPS", 1000)
    line = np.tile([[0, 0, 0], [0, 0, 1.0]], (100, 1))
    hair = part("hair", line, segments=np.arange(200).reshape(-1, 2), strands=np.repeat(np.arange(100), 2))
    with pytest.raises(TooMuchIntersects, match='"hair"'):
        strand_overlaps.strand_overlaps(join_parts([hair]), line)


def test_large_scenes_may_have_as_many_pairs_as_their_meshes_make(monkeypatch):
    """Two million vertices of a thousand props are no crowd, though their own boxes meet more often than the bound."""
    _, fan, triangles = crowd()
    surface = join_parts([part("fan", fan, triangles)])
    monkeypatch.setattr(intersections, "MOST_PAIRS", 10)
    assert len(find_crossings(surface, fan).edges) == 0
    monkeypatch.setattr(intersections, "MOST_OF_EDGE", 0)
    with pytest.raises(TooMuchIntersects, match='"fan"'):
        find_crossings(surface, fan)
