"""Winding numbers by the tree are those of the sum over all triangles."""

import numpy as np
import pytest

from stiction.solver.reference.winding import winding_numbers as plain_winding_numbers
from stiction.solver.volume.winding import winding_numbers, winding_tree

from .shapes import bumpy, cube, hemisphere, hollow_sphere, icosphere, moebius, torus

# A cluster leaves out terms of the order 1/FAR³, a sixth of its share, and covers a few per cent of all
# directions; the errors of many clusters mostly cancel.
CLUSTER_ERROR = 0.05


@pytest.mark.parametrize("shape", [cube, icosphere, torus, bumpy, hollow_sphere, hemisphere, moebius])
def test_tree_matches_plain_sum(shape):
    positions, triangles = shape()
    points = np.random.default_rng(0).uniform(-1.4, 1.4, (1500, 3))
    numbers = winding_numbers(winding_tree(positions, triangles), points)
    assert np.abs(numbers - plain_winding_numbers(positions, triangles, points)).max() < CLUSTER_ERROR


def test_points_close_to_the_surface_are_told_apart():
    positions, triangles = bumpy()
    a, b, c = (positions[triangles[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    middle, surface = (a + b + c) / 3.0, winding_tree(positions, triangles)
    assert (winding_numbers(surface, middle - 1e-6 * normals) > 0.9).all()
    assert (winding_numbers(surface, middle + 1e-6 * normals) < 0.1).all()


def test_far_points_are_outside():
    surface = winding_tree(*bumpy())
    assert np.abs(winding_numbers(surface, np.array([[1e6, 0.0, 0.0], [0.0, -1e3, 1e3]]))).max() < 1e-6


def test_triangles_in_one_point_do_no_harm():
    surface = winding_tree(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert winding_numbers(surface, np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])).tolist() == [0.0, 0.0]
