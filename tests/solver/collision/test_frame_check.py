"""The report of a frame says how much of it intersects, if it was asked to."""

import re

import numpy as np
import pytest

from stiction.solver import Collider, Frame, FrameReport, Hair, HairMaterial, Scene, Simulation
from stiction.solver.bake import bake, prepare_store
from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.collision.intersections import find_crossings
from stiction.solver.collision.scene_surface import start_surface
from stiction.solver.fingerprint import describe
from stiction.solver.frame_store import FrameStore

FLOOR = np.array([[-5.0, -5, 0], [5, -5, 0], [0, 5, 0]])
LAST_FRAME = 8


def falling_strand():
    """Upright, 0.15 m long, from 0.1 m above a floor; nothing holds it."""
    scene = Scene()
    points = [[0.0, 0.0, 0.1 + 0.05 * step] for step in range(4)]
    scene.add(Hair("strand", points, [0, 4], material=HairMaterial(air_drag=0.0)))
    scene.add(Collider("floor", FLOOR, [[0, 1, 2]]))
    return scene


def fallen(frame):
    """Implicit Euler from rest: g Δt² n (n + 1) / 2 after n steps."""
    steps = 4 * (frame - 1)
    return 9.81 * (1 / 96) ** 2 * steps * (steps + 1) / 2


def baked_reports(folder, **options):
    scene = falling_strand()
    store = prepare_store(folder, {"strand": 4}, (1, LAST_FRAME), describe(scene), resume=False)
    bake(Simulation(scene), store, **options)
    return [line.report for line in FrameStore.open(folder).lines]


def test_a_falling_strand_crosses_the_floor_as_long_as_it_takes(tmp_path):
    reports = baked_reports(tmp_path, counts_intersections=True)
    expected = [int(0.1 < fallen(frame) < 0.25) for frame in range(1, LAST_FRAME + 1)]
    assert [report["intersections"] for report in reports] == expected
    assert 0 < sum(expected) < LAST_FRAME
    for report, count in zip(reports, expected):
        assert len(report["intersecting"]) == count
        for sentence in report["intersecting"]:  # which objects, how many, how deep, where
            assert re.match(r'"strand" passes through "floor" in 1 place, up to [\d.]+ mm deep; the first', sentence)


def test_nothing_is_counted_unless_asked(tmp_path):
    assert {report["intersections"] for report in baked_reports(tmp_path)} == {None}


@pytest.mark.parametrize(("frame", "count"), [(1, 0), (25, 1)])
def test_colliders_are_where_they_are_at_that_frame(frame, count):
    scene = falling_strand()
    scene.objects["floor"].positions = lambda time: FLOOR + [0, 0, 0.125 * time]
    still = Frame(frame, {"strand": scene.objects["strand"].positions}, FrameReport(frame))
    assert intersection_counter(scene)(still) == count


def test_crossings_that_nothing_parts_are_left_out_and_no_others():
    """Of all that cross: a strand and two colliders in one another, one of them in a group of its own."""
    random, scene = np.random.default_rng(5), falling_strand()
    scene.objects["strand"].positions[:] = random.uniform(-1, 1, (4, 3))
    for name, groups in (("body", 1), ("ghost", 2)):
        corners = random.uniform(-1, 1, (60, 3))
        scene.add(Collider(name, corners, np.arange(60).reshape(20, 3), collision_groups=groups))
    surface, positions = start_surface(scene)
    every = find_crossings(surface, positions)
    assert 0 < every.collides.sum() < len(every.collides)
    for field, kept in zip(every, find_crossings(surface, positions, only_colliding=True), strict=True):
        assert np.array_equal(field[every.collides], kept)
