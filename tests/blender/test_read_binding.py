"""The search for the nearest triangle and the ride on it, apart from Blender's data."""

import numpy as np
import pytest

from tests.blender.reading_scenes import rotation


def brute_force_distances(points, positions, triangles):
    """Least distance of each point to any triangle, over a fine net of places on each."""
    u, v = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 1, 41)))
    inside = u + v <= 1 + 1e-12
    weights = np.stack([1 - u - v, u, v], axis=1)[inside]
    places = np.einsum("wc,tcx->twx", weights, positions[triangles]).reshape(-1, 3)
    return np.array([np.linalg.norm(places - point, axis=1).min() for point in points])


def uneven_triangles(seed):
    """Triangles whose sizes span four decades, all in one unit box."""
    random = np.random.default_rng(seed)
    count = 120
    sizes = 10.0 ** random.uniform(-4, 0, count)
    corners = random.uniform(0, 1, (count, 1, 3)) + sizes[:, None, None] * random.normal(size=(count, 3, 3))
    return corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(3))
def test_no_triangle_is_nearer_than_the_one_found(module, seed):
    positions, triangles = uneven_triangles(seed)
    points = np.random.default_rng(seed + 9).uniform(-0.5, 1.5, (60, 3))
    found = module("addon.nearest_triangles").nearest_triangles(points, positions, triangles)
    places = np.einsum("pc,pcx->px", found.weights, positions[triangles[found.triangles]])
    distances = np.linalg.norm(places - points, axis=1)
    assert (distances <= brute_force_distances(points, positions, triangles) + 1e-12).all()
    assert (found.weights >= 0).all()
    np.testing.assert_allclose(found.weights.sum(axis=1), 1)


def test_triangles_without_area_carry_no_strands(module):
    positions = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, -1), (1, 0, -1), (0, 1, -1)], float)
    triangles = np.array([(0, 1, 2), (3, 4, 5)])
    found = module("addon.nearest_triangles").nearest_triangles(np.array([[0.1, 0.1, 0.0]]), positions, triangles)
    assert found.triangles.tolist() == [1]


def test_a_tie_goes_to_the_lowest_triangle(module):
    positions = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], float)
    triangles = np.array([(1, 3, 2), (0, 1, 2)])
    found = module("addon.nearest_triangles").nearest_triangles(np.array([[0.5, 0.5, 1.0]]), positions, triangles)
    assert found.triangles.tolist() == [0]


def test_segments_move_rigidly_with_a_rigid_motion(module):
    positions, triangles = uneven_triangles(4)
    segments = np.random.default_rng(1).uniform(0, 1, (30, 2, 3))
    binding = module("addon.root_binding").RootBinding(segments, positions, triangles)
    np.testing.assert_allclose(binding.segments(positions), segments, atol=1e-9)
    turn, shift = rotation(2.5, 0) @ rotation(-1.0, 2), np.array([3.0, -1.0, 2.0])
    np.testing.assert_allclose(binding.segments(positions @ turn.T + shift), segments @ turn.T + shift, atol=1e-9)


def test_directors_turn_with_the_surface_and_lie_across_their_segments(module):
    positions, triangles = uneven_triangles(5)
    segments = np.random.default_rng(2).uniform(0, 1, (40, 2, 3))
    binding = module("addon.root_binding").RootBinding(segments, positions, triangles)
    directors = binding.directors(positions)
    along = segments[:, 1] - segments[:, 0]
    cosines = np.einsum("ex,ex->e", directors, along) / np.linalg.norm(along, axis=1)
    np.testing.assert_allclose(np.linalg.norm(directors, axis=1), 1)
    assert (np.abs(cosines) < np.sqrt(0.5) + 1e-9).all()
    turn = rotation(2.5, 0) @ rotation(-1.0, 2)
    np.testing.assert_allclose(binding.directors(positions @ turn.T + 3.0), directors @ turn.T, atol=1e-9)


@pytest.mark.parametrize("corners", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_a_pure_stretch_does_not_turn_hair_whichever_corner_comes_first(module, corners):
    positions = np.array([(0, 0, 0), (2, 0.5, 0), (0.3, 1, 0)], float)
    segments = np.array([[(0.6, 0.4, 0), (0.9, 0.5, 0.7)]])
    binding = module("addon.root_binding").RootBinding(segments, positions, np.array([corners]))
    stretch = np.array([[1.5, 0.4, 0], [0.4, 0.8, 0], [0, 0, 1]])  # symmetric: no rotation in it
    moved = binding.segments(positions @ stretch)
    np.testing.assert_allclose(moved[0, 0], segments[0, 0] @ stretch, atol=1e-12)
    np.testing.assert_allclose(moved[0, 1] - moved[0, 0], segments[0, 1] - segments[0, 0], atol=1e-12)
