"""How much sheets turn between two places."""

import numpy as np

from stiction.solver import Cloth, Hair, Scene, Simulation
from stiction.solver.integrator.turned_edges import count_turned, triangles_of_sheets

from .contact.colliding import sheet


def plain_count(triangles, before, after, limit):
    edges = [np.diff(positions[triangles[:, [0, 1, 2, 0]]], axis=1) for positions in (before, after)]
    changes = np.linalg.norm(edges[1] - edges[0], axis=2) / np.linalg.norm(edges[0], axis=2)
    return (changes >= limit).sum()


def test_agrees_with_the_formula():
    positions, triangles = sheet(5, 0.1, 0.0)
    moved = positions + np.random.default_rng(3).normal(scale=0.001, size=positions.shape)
    counts = [count_turned(triangles.astype(np.int32), positions, moved, limit) for limit in (0.0, 0.05, 0.1, 1.0)]
    assert counts == [plain_count(triangles, positions, moved, limit) for limit in (0.0, 0.05, 0.1, 1.0)]
    assert triangles.size == counts[0] > counts[1] > counts[2] > counts[3] == 0


def test_moving_is_not_turning_and_turning_is_the_angle():
    positions, triangles = sheet(5, 0.1, 0.0)
    triangles = triangles.astype(np.int32)
    assert count_turned(triangles, positions, positions + [1.0, 2.0, 3.0], 1e-12) == 0
    angle = 0.2
    turned = positions @ np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    assert count_turned(triangles, positions, turned, 2.0 * np.sin(angle / 2.0) + 1e-9) == 0
    assert count_turned(triangles, positions, turned, 2.0 * np.sin(angle / 2.0) - 1e-9) == triangles.size


def test_what_is_not_a_number_and_edges_without_length_are_turned():
    positions, triangles = sheet(3, 0.1, 0.0)
    gone = positions.copy()
    gone[4] = np.nan
    triangles = triangles.astype(np.int32)
    assert count_turned(triangles, positions, gone, 1e9) == 2 * (triangles == 4).any(axis=1).sum()
    assert count_turned(triangles, np.zeros_like(positions), positions, 1e9) == triangles.size


def test_only_sheets_alone_are_looked_at():
    positions, triangles = sheet(3, 0.1, 0.0)
    scene = Scene()
    scene.add(Cloth("sheet", positions, triangles))
    assert len(triangles_of_sheets(Simulation(scene).model)) == len(triangles)
    scene.add(Hair("hair", np.arange(6)[:, None] * [0.0, 0.0, 0.01] + [0.0, 0.0, 1.0], [0, 6]))
    assert not len(triangles_of_sheets(Simulation(scene).model))
