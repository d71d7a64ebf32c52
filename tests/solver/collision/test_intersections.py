"""The judge of whole states: it finds what was put there, and what brute force in fractions finds."""

from itertools import product

import numba
import numpy as np
import pytest

from stiction.solver.collision import doubtful_pairs
from stiction.solver.collision.intersections import find_intersections
from stiction.solver.collision.surface_parts import join_parts
from stiction.solver.errors import StictionError
from stiction.solver.volume.tree_queries import distances_to_surface
from stiction.solver.volume.triangle_tree import triangle_tree
from tests.solver.collision.parts import part
from tests.solver.collision.rational_crossings import segment_meets_triangle
from tests.solver.conftest import cube, grid
from tests.solver.volume.shapes import icosphere, torus

FLOOR = [[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0]]
HALVES = [[0, 1, 2], [0, 2, 3]]


def collider(name, rest, triangles, **changes):
    given = {"nodes": None, "weights": None, "is_given": np.ones(len(rest), bool)}
    return part(name, rest, triangles, **(given | changes))


def strand(name, rest, numbers=None, **changes):
    """Strands that follow each other in `rest`; `numbers` says which strand each point is of."""
    numbers = np.zeros(len(rest), np.int32) if numbers is None else np.asarray(numbers, np.int32)
    firsts = np.flatnonzero(numbers[1:] == numbers[:-1])
    return part(name, rest, segments=np.column_stack([firsts, firsts + 1]), strands=numbers, **changes)


def found_in(*parts):
    surface = join_parts(list(parts))
    return surface, find_intersections(surface, np.concatenate([item.rest for item in parts]))


def pairs_of(surface, crossings):
    """{points of an edge and of a triangle: whether they only touch}"""
    return {
        (tuple(surface.edges[edge]), tuple(surface.triangles[triangle])): is_touching
        for edge, triangle, is_touching in zip(crossings.edges, crossings.triangles, crossings.is_touching)
    }


def brute_force(surface, positions):
    """{pair: whether it only touches} of all edges and triangles without a common corner, in fractions."""
    expected = {}
    for edge, triangle in product(surface.edges, surface.triangles):
        if not set(edge) & set(triangle):
            meets, passes = segment_meets_triangle(*positions[edge], *positions[triangle])
            if meets:
                expected[tuple(edge), tuple(triangle)] = not passes
    return expected


def test_one_strand_through_a_floor():
    surface, found = found_in(strand("hair", [[1, 0.5, -1], [1, 0.5, 3]]), collider("floor", FLOOR, HALVES))
    crossings = found.crossings
    assert crossings.where.tolist() == [[1, 0.5, 0]]
    assert crossings.depths.tolist() == [1.0]
    assert crossings.objects.tolist() == [[0, 1]]
    assert (crossings.is_touching.tolist(), crossings.collides.tolist()) == ([False], [True])
    assert surface.edges[crossings.edges].tolist() == [[0, 1]]


def test_a_box_through_a_floor_crosses_with_its_upright_edges():
    _, found = found_in(part("box", *cube(1.0, (0.5, 2.0, 0.1))), collider("floor", FLOOR, HALVES))
    heights = found.crossings.where[:, 2]
    assert len(heights) == 4 + 4  # edges, and a diagonal on each side
    assert found.crossings.depths == pytest.approx(np.full(8, 0.4))
    assert (heights == 0.0).all()
    assert not found.crossings.is_touching.any()


def test_what_lies_exactly_on_a_floor_only_touches():
    positions, triangles = grid()
    positions[:, 2] = 0.0
    surface, found = found_in(part("cloth", positions, triangles), collider("floor", FLOOR, HALVES))
    assert found.crossings.is_touching.all()
    assert set(found.crossings.edges) >= set(np.flatnonzero((surface.edges < 20).all(axis=1)))
    _, found = found_in(part("cloth", positions + [0, 0, 5e-324], triangles), collider("floor", FLOOR, HALVES))
    assert len(found.crossings.edges) == 0


def test_neighbours_do_not_count():
    _, found = found_in(part("cloth", *grid()))
    assert len(found.crossings.edges) == 0


def test_folded_cloth_crosses_itself():
    positions, triangles = grid(9, 3)
    positions[:, 0], positions[:, 2] = np.sin(positions[:, 0] * 8), np.cos(positions[:, 0] * 8)  # more than once around
    positions[:, 0] *= 1 + 0.2 * np.linspace(0, 1, 9)[np.arange(27) % 9]
    surface, found = found_in(part("cloth", positions, triangles))
    assert pairs_of(surface, found.crossings) == brute_force(surface, positions)
    assert len(found.crossings.edges) > 0


def test_who_does_not_collide_is_marked():
    box, other = cube(1.0), cube(1.0, (0.3, 0.4, 0.5))
    _, found = found_in(collider("a", *box), collider("b", *other))
    assert len(found.crossings.collides) and not found.crossings.collides.any()
    _, found = found_in(part("a", *box, groups=1), part("b", *other, groups=2))
    assert len(found.crossings.collides) and not found.crossings.collides.any()
    _, found = found_in(part("a", *box, is_given=np.ones(8, bool)), collider("b", *other))
    assert len(found.crossings.collides) and not found.crossings.collides.any()
    _, found = found_in(part("a", *box), collider("b", *other))
    assert found.crossings.collides.all()


def test_roots_may_be_below_the_skin():
    points = np.column_stack([np.zeros(6), np.zeros(6), np.linspace(-0.1, 0.9, 6)])
    near_root = np.arange(6) <= 2
    ball = collider("head", *icosphere(2, 1.0, (0, 0, -1)), has_inside=True)
    hair = strand("hair", points, grows_on="head", near_root=near_root)
    _, found = found_in(hair, ball)
    assert (len(found.crossings.edges), len(found.insides.points)) == (0, 0)
    bald = strand("hair", points, near_root=near_root)
    _, found = found_in(bald, ball)
    assert (set(found.crossings.edges), found.insides.points.tolist()) == ({0}, [0])
    bent = points.copy()
    bent[5] = (0, 0, -0.5)
    _, found = found_in(strand("hair", bent, grows_on="head", near_root=near_root), ball)
    assert found.insides.points.tolist() == [5]
    assert len(found.crossings.edges) > 0


def test_triangles_without_area_are_left_out():
    line = part("line", [[0, 0, -1], [0, 0, 0], [0, 0, 1]], [[0, 1, 2]])
    _, found = found_in(line, collider("floor", FLOOR, HALVES))
    assert set(found.crossings.objects[:, 1]) == {1}  # its edges are there


def test_positions_that_are_not_numbers_are_refused():
    surface = join_parts([part("a", *cube()), part("shirt", *cube())])
    positions = np.zeros((16, 3))
    positions[11, 2] = np.nan
    with pytest.raises(StictionError, match='"shirt": vertex 3 is not finite'):
        find_intersections(surface, positions)


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(4)
    positions, triangles = grid(30, 30, 0.02)
    crumpled = part("cloth", positions + rng.normal(scale=0.01, size=positions.shape), triangles)
    ball = collider("ball", *icosphere(3, 0.2, (0.3, 0.3, 1.0)), has_inside=True)
    hair = strand("hair", rng.random((400, 3)), np.repeat(np.arange(40), 10), radii=np.full(400, 0.02))
    results = []
    for threads in (1, 2):
        before = numba.get_num_threads()
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        _, found = found_in(crumpled, ball, hair)
        numba.set_num_threads(before)
        results.append([array.tobytes() for findings in found for array in findings])
        assert all(len(findings[0]) for findings in found)
    assert results[0] == results[1]


def test_nothing_at_all():
    _, found = found_in(strand("hair", [[0, 0, 0], [0, 0, 1]]))
    assert [len(part.collides) for part in (found.crossings, found.insides)] == [0, 0]
    assert len(found.overlaps.edges) == 0


def random_soup(rng):
    """Two meshes and a few strands, half of the time on a lattice, where much touches exactly."""
    is_lattice = rng.random() < 0.5

    def points(count):
        return rng.integers(0, 3, (count, 3)).astype(float) if is_lattice else rng.random((count, 3))

    def corners(count, width):
        return np.array([rng.choice(count, width, replace=False) for _ in range(4)], np.int32)

    hair = part("hair", points(4), segments=[[0, 1], [1, 2], [2, 3]], strands=np.zeros(4, np.int32))
    return [part("a", points(6), corners(6, 3)), part("b", points(5), corners(5, 3)), hair]


def test_every_edge_is_asked_once():
    """In the order of the triangles; also if it is twice a side of one, or of none."""
    triangle_edges = np.array([[3, 4, 3], [0, 1, 4], [5, 1, 0]])
    assert doubtful_pairs._order_in_space(np.array([2, 0, 1]), triangle_edges, 8).tolist() == [5, 3, 0, 1, 4, 2, 6, 7]


def test_random_scenes_equal_brute_force():
    rng = np.random.default_rng(11)
    total = touching = 0
    for _ in range(100):
        parts = random_soup(rng)
        positions = np.concatenate([item.rest for item in parts])
        surface = join_parts(parts)
        sides = np.diff(positions[surface.triangles], axis=1)
        has_area = np.cross(sides[:, 0], sides[:, 1]).any(axis=1)  # exact on a lattice
        surface = surface._replace(triangles=np.ascontiguousarray(surface.triangles[has_area]))
        crossings = find_intersections(surface, positions).crossings
        expected = brute_force(surface, positions)
        assert pairs_of(surface, crossings) == expected
        total, touching = total + len(expected), touching + sum(expected.values())
    assert touching > 200 and total - touching > 200


@pytest.mark.parametrize("seed", range(3))
def test_depths_inside_a_ball(seed):
    rng = np.random.default_rng(seed)
    radius = 0.8
    points, triangles = icosphere(3, radius)
    cloud = rng.uniform(-1, 1, (300, 3))
    soup = part("soup", cloud, np.arange(300).reshape(-1, 3))
    _, found = found_in(collider("ball", points, triangles, has_inside=True), soup)
    lengths = np.linalg.norm(cloud, axis=1)
    sagitta = radius - np.linalg.norm(points[triangles].mean(axis=1), axis=1).min()
    inside = found.insides.points - len(points)
    assert set(np.flatnonzero(lengths < radius - sagitta)) <= set(inside) <= set(np.flatnonzero(lengths < radius))
    assert found.insides.depths == pytest.approx(radius - lengths[inside], abs=2 * sagitta)
    assert found.insides.objects.tolist() == [[1, 0]] * len(inside)
    assert found.insides.collides.all()


def test_a_hole_is_outside():
    ring = collider("ring", *torus(), has_inside=True)
    dot = part("dot", [[0, 0, 0], [1, 0, 0], [0, 1.1, 0.1]], [[0, 1, 2]])
    _, found = found_in(ring, dot)
    assert (found.insides.points - len(ring.rest)).tolist() == [1, 2]


def test_distances_to_a_surface_are_those_of_all_triangles():
    rng = np.random.default_rng(5)
    corners = rng.random((60, 3, 3))
    corners[:5, 2] = corners[:5, 1]  # no area
    points = rng.uniform(-0.5, 1.5, (200, 3))
    shares = np.stack([(i, j, 20 - i - j) for i in range(21) for j in range(21 - i)]) / 20
    places = np.einsum("sc,tcx->tsx", shares, corners).reshape(-1, 3)
    sampled = np.linalg.norm(points[:, None] - places, axis=2).min(axis=1)
    got = distances_to_surface(triangle_tree(corners.reshape(-1, 3), np.arange(180).reshape(-1, 3)), points)
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max()
    assert (got <= sampled + 1e-12).all()
    assert (sampled - got <= longest / 20).all()
