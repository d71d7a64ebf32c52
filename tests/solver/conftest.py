"""Small scenes that the solver's tests share."""

import numpy as np
import pytest

from stiction.solver import Cloth, Collider, Hair, RigidBody, Scene, SoftBody


def grid(columns=5, rows=4, spacing=0.1):
    """Positions and triangles of a flat rectangular sheet at height 1 m."""
    x, y = np.meshgrid(np.arange(columns) * spacing, np.arange(rows) * spacing)
    positions = np.column_stack([x.ravel(), y.ravel(), np.ones(x.size)])
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + columns])
    upper = np.column_stack([corner + 1, corner + columns + 1, corner + columns])
    return positions, np.concatenate([lower, upper]).astype(np.int32)


def strands(count=3, points=5, spacing=0.02):
    """Positions and offsets of straight strands that point up."""
    roots = np.column_stack([np.arange(count) * 0.1, np.zeros(count), np.zeros(count)])
    steps = np.arange(points)[:, None] * [0.0, 0.0, spacing]
    positions = (roots[:, None] + steps).reshape(-1, 3)
    return positions, np.arange(count + 1, dtype=np.int32) * points


def cube(edge=1.0, center=(0.0, 0.0, 0.0)):
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) - 0.5
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [(a, b, c) for a, b, c, _ in faces] + [(a, c, d) for a, _, c, d in faces]
    return corners * edge + center, np.array(triangles, np.int32)


@pytest.fixture
def scene():
    """One object of every kind, with moving pins and a moving collider."""
    scene = Scene(wind=(1.0, 0.0, 0.0))
    positions, triangles = grid()
    start = positions[[0, 4]]
    scene.add(Cloth("shirt", positions, triangles, pinned=[0, 4], pin_motion=lambda time: start + [time, 0, 0]))
    scene.add(Hair("groom", *strands(), pinned=[0, 1, 5, 6, 10, 11]))
    scene.add(SoftBody("jelly", *cube(0.2, (0, 0, 3)), start_velocity=(1, 2, 3)))
    scene.add(RigidBody("prop", *cube(0.1, (1, 0, 3))))
    body, faces = cube(0.5)
    scene.add(Collider("body", lambda time: body + [0, 0, time], faces))
    return scene
