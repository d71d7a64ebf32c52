"""Objects are joined to one surface."""

import numpy as np
import pytest

from stiction.solver.collision.surface import NOTHING
from stiction.solver.collision.surface_parts import join_parts, point_positions, thinned_points
from tests.solver.collision.parts import part

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
HALVES = [[0, 1, 2], [0, 2, 3]]


def test_edges_and_neighbours_of_a_square_and_a_strand():
    square, strand = part("square", SQUARE, HALVES), part("strand", SQUARE[:3], segments=[[0, 1], [1, 2]])
    surface = join_parts([square, strand])
    assert surface.edges.tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [2, 3], [4, 5], [5, 6]]
    assert surface.triangles.tolist() == HALVES
    assert surface.firsts.tolist() == [0, 4, 7]
    features = surface.features
    assert features.triangle_edges.tolist() == [[0, 3, 1], [1, 4, 2]]
    around = np.split(features.edge_triangles, features.edge_triangle_offsets[1:-1])
    assert [list(triangles) for triangles in around] == [[0], [0, 1], [1], [0], [1], [], []]
    at = np.split(features.point_edges, features.point_edge_offsets[1:-1])
    assert [list(edges) for edges in at] == [[0, 1, 2], [0, 3], [1, 3, 4], [2, 4], [5], [5, 6], [6]]


def test_doubled_corners_are_left_out():
    surface = join_parts([part("square", SQUARE, [*HALVES, [1, 1, 2], [3, 0, 3]], segments=[[2, 2]])])
    assert len(surface.triangles) == 2 and len(surface.edges) == 5


def test_who_meets_whom():
    given = {"nodes": None, "weights": None, "is_given": np.ones(4, bool)}
    parts = [
        part("shirt", SQUARE, HALVES, groups=1),
        part("coat", SQUARE, HALVES, groups=3, self_collides=False),
        part("body", SQUARE, HALVES, groups=2, **given),
        part("floor", SQUARE, HALVES, groups=3, **given),
    ]
    assert join_parts(parts).meets.tolist() == [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 0, 0], [1, 1, 0, 0]]


def test_points_near_the_root_know_what_they_grow_on():
    near_root = np.array([True, True, False])
    strand = part("hair", SQUARE[:3], segments=[[0, 1], [1, 2]], grows_on="head", near_root=near_root)
    surface = join_parts([strand, part("head", SQUARE, HALVES)])
    assert surface.points.grows_on.tolist() == [1, 1] + [NOTHING] * 5


def test_a_thick_object_is_thinner_against_itself_and_says_so():
    square = part("square", SQUARE, HALVES, radii=np.full(4, 0.5))
    surface = join_parts([square, part("thin", SQUARE, HALVES)])
    height = np.sqrt(0.5)  # of the triangle over its diagonal
    assert surface.points.self_radii[:4] == pytest.approx(0.25 * height)
    assert (surface.points.self_radii[4:] == 1e-3).all()
    (problem,) = thinned_points(surface)
    assert problem.object_name == "square" and problem.elements == (0, 1, 2, 3) and problem.is_warning


def test_a_triangle_without_area_leaves_no_room():
    flat = part("flat", [[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])
    assert (join_parts([flat]).points.self_radii == 0.0).all()


def test_points_follow_nodes_and_colliders_their_own_motion():
    nodes = np.array([[0, 2], [1, 2], [2, 1], [0, 1]], np.int32)
    weights = np.array([[0.25, 0.75], [1.0, 0.0], [0.5, 0.5], [2.0, -1.0]])
    body = part("body", SQUARE, HALVES, nodes=None, weights=None)
    surface = join_parts([part("cloth", SQUARE, HALVES, nodes=nodes, weights=weights), body])
    node_positions, given = np.random.default_rng(0).normal(size=(3, 3)), np.random.default_rng(1).normal(size=(4, 3))
    found = point_positions(surface, node_positions, [None, given], np.empty((8, 3)))
    assert found[:4] == pytest.approx(np.einsum("nw,nwx->nx", weights, node_positions[nodes]))
    assert (found[4:] == given).all()


def test_no_objects_make_an_empty_surface():
    surface = join_parts([])
    assert len(surface.edges) == len(surface.triangles) == len(surface.points.radii) == 0
    assert join_parts([part("empty", np.empty((0, 3)))]).firsts.tolist() == [0, 0]
