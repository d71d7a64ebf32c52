"""Strands that are nearer than they are thick are found, with how much."""

import numpy as np
import pytest

from stiction.solver.collision.strand_overlaps import strand_overlaps
from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.test_intersections import strand

RADIUS = 0.01


def overlaps_of(*parts):
    return strand_overlaps(join_parts(list(parts)), np.concatenate([item.rest for item in parts]))


def straight(name, start, end, radius=RADIUS, **changes):
    return strand(name, [start, end], radii=np.full(2, radius), **changes)


def test_crossed_strands():
    found = overlaps_of(
        straight("a", (-1, 0, 0), (1, 0, 0)), straight("b", (0, -1, 0.015), (0, 1, 0.015), radius=2 * RADIUS)
    )
    assert found.edges.tolist() == [[0, 1]]
    assert (found.depths, found.shares) == (pytest.approx([0.015]), pytest.approx([0.5]))


@pytest.mark.parametrize("end", [(0.2, 1, 0), (1, 0, 0), (1, 0, 1e-9)])
def test_touching_ends_and_strands_side_by_side(end):
    found = overlaps_of(
        straight("a", (0, 0, 0), (1, 0, 0)), straight("b", (0.5, 0, 0.5 * RADIUS), np.add(end, (0, 0, 0.5 * RADIUS)))
    )
    assert found.depths == pytest.approx([1.5 * RADIUS])


def test_thickness_between_points_is_in_between():
    cone = strand("cone", [(-1, 0, 0), (1, 0, 0)], radii=np.array([0.0, 0.04]))
    found = overlaps_of(cone, straight("b", (0.5, -1, 0.02), (0.5, 1, 0.02)))
    assert found.depths == pytest.approx([0.03 + RADIUS - 0.02])


def test_who_does_not_meet_does_not_overlap():
    line = (-1, 0, 0), (1, 0, 0)
    assert len(overlaps_of(straight("a", *line), straight("b", *line, groups=2)).edges) == 0
    both = [*line, *line]
    assert len(overlaps_of(strand("a", both, [0, 0, 1, 1])).edges) == 1
    assert len(overlaps_of(strand("a", both, [0, 0, 1, 1], self_collides=False)).edges) == 0


def test_a_strand_does_not_overlap_its_own_next_segments():
    angles = np.linspace(0, 1.5 * np.pi, 30)
    arc = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    assert len(overlaps_of(strand("a", arc, radii=np.full(30, 1.0))).edges) == 0  # thinned to what its segments leave


def test_random_strands_equal_brute_force():
    rng = np.random.default_rng(2)
    starts = rng.random((60, 3))
    points = np.cumsum(np.concatenate([starts[:, None], 0.1 * rng.normal(size=(60, 4, 3))], axis=1), axis=1)
    radii = rng.uniform(0.01, 0.02, 300)
    item = strand("hair", points.reshape(-1, 3), np.repeat(np.arange(60), 5), radii=radii)
    surface = join_parts([item])
    found = strand_overlaps(surface, item.rest)
    shares = np.linspace(0, 1, 33)
    samples = {}  # places along each segment, and the radius there
    for number, (a, b) in enumerate(surface.edges):
        along = item.rest[a] + shares[:, None] * (item.rest[b] - item.rest[a])
        own = surface.points.self_radii
        samples[number] = along, own[a] + shares * (own[b] - own[a])
    slack = 0.5 * np.linalg.norm(np.diff(points, axis=1), axis=2).max() / 32 * 2  # half a step on each of the two
    got = {tuple(pair): depth for pair, depth in zip(found.edges.tolist(), found.depths)}
    for first in samples:
        for second in range(first + 1, len(surface.edges)):
            if set(surface.edges[first]) & set(surface.edges[second]):
                continue
            gaps = np.linalg.norm(samples[first][0][:, None] - samples[second][0], axis=2)
            depth = (samples[first][1][:, None] + samples[second][1] - gaps)[
                np.unravel_index(gaps.argmin(), gaps.shape)
            ]
            assert got.get((first, second), 0.0) == pytest.approx(max(depth, 0.0), abs=slack + 2e-3)
    assert len(got) > 20
