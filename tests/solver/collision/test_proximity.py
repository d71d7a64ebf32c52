"""Contacts of a state: those that brute force finds, each once, with normals on the right side."""

import numpy as np
import pytest

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.contact_features import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from stiction.solver.collision.intersections import find_insides
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.nearest_twin import touching_twin
from tests.solver.collision.parts import part
from tests.solver.collision.scenes import random_scene
from tests.solver.collision.threads import on_any_number_of_threads

pytestmark = pytest.mark.usefixtures("one_thread")
REACH = 0.02
SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
HALVES = [[0, 1, 2], [0, 2, 3]]
CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE_TRIANGLES = [
    *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
    *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
]
GIVEN = {"nodes": None, "weights": None}


def contacts_of(surface, positions, reach=REACH, starts=None):
    candidates = StepCandidates(surface)
    candidates.search(positions, positions, reach)
    return touching(surface, candidates, positions, reach, starts)


def sides(contacts, number):
    points, weights = contacts.points[number], contacts.weights[number]
    return frozenset(frozenset(points[sign * weights > 0.0].tolist()) for sign in (1, -1))


def assert_sound(surface, contacts, positions, reach=REACH):
    """What holds for all contacts, degenerate ones too."""
    weights, corners = contacts.weights, positions[contacts.points]
    assert all(np.isfinite(field).all() for field in contacts)
    assert np.linalg.norm(contacts.normals, axis=1) == pytest.approx(1.0)
    assert np.where(weights > 0, weights, 0).sum(axis=1) == pytest.approx(1.0)
    assert np.where(weights < 0, weights, 0).sum(axis=1) == pytest.approx(-1.0)
    offsets = np.einsum("mk,mkx->mx", weights, corners)
    assert np.abs(contacts.distances[:, None] * contacts.normals - offsets).max(initial=0.0) < 1e-10
    assert (np.abs(contacts.distances) < contacts.separations + reach + 1e-12).all()
    keys = [sides(contacts, number) for number in range(len(contacts.kinds))]
    assert len(keys) == len(set(keys))
    assert not surface.points.is_given[contacts.points].all(axis=1).any()


def check_scenes(random, count):
    found_count = 0
    for _ in range(count):
        surface, positions, _ = random_scene(random, is_degenerate=False)
        reach = 10.0 ** random.uniform(-2, -0.5)
        contacts = contacts_of(surface, positions, reach)
        assert_sound(surface, contacts, positions, reach)
        expected = touching_twin(surface, positions, reach)
        found = {sides(contacts, number): number for number in range(len(contacts.kinds))}
        assert set(found) == set(expected)
        for key, number in found.items():
            values = contacts.distances[number], contacts.separations[number]
            assert values == pytest.approx(expected[key], abs=1e-9)
        found_count += len(found)
    return found_count


def test_contacts_equal_brute_force():
    assert check_scenes(np.random.default_rng(0), 40) > 50


@pytest.mark.slow
def test_contacts_equal_brute_force_in_many_scenes():
    assert check_scenes(np.random.default_rng(1), 1000) > 1000


def test_degenerate_scenes_have_sound_contacts():
    random = np.random.default_rng(2)
    for _ in range(200):
        surface, positions, _ = random_scene(random)
        # Points on points, on edges and in faces, and in one plane
        for place in random.integers(0, len(positions), (4, 2)):
            positions[place[0]] = positions[place[1]]
        edge, triangle = surface.edges[random.integers(len(surface.edges))], surface.triangles[0]
        positions[random.integers(len(positions))] = positions[edge].mean(axis=0)
        positions[random.integers(len(positions))] = positions[triangle].mean(axis=0)
        if random.uniform() < 0.5:
            positions[:, 2] = 0.0
        assert_sound(surface, contacts_of(surface, positions), positions)


def test_the_same_contacts_on_any_number_of_threads():
    def find():
        random = np.random.default_rng(3)
        return [field for _ in range(20) for field in _contacts_of_scene(random)]

    for fields in zip(*on_any_number_of_threads(find)):
        assert np.array_equal(*fields)


def _contacts_of_scene(random):
    surface, positions, _ = random_scene(random)
    return contacts_of(surface, positions)


def ball_and_square(height, x=0.25, y=0.4, **changes):
    """The tip of a strand, of radius zero, above a given square."""
    strand = part("tip", [[x, y, height], [x, y, height + 5.0]], segments=[[0, 1]], radii=np.zeros(2), **changes)
    square = part("square", SQUARE, HALVES, radii=np.full(4, 0.01), is_given=np.ones(4, bool), **GIVEN)
    return join_parts([strand, square]), np.concatenate([strand.rest, square.rest])


def test_a_point_above_a_face():
    contacts = contacts_of(*ball_and_square(0.015))
    assert contacts.kinds.tolist() == [POINT_TRIANGLE]
    assert contacts.normals[0] == pytest.approx([0, 0, 1])
    assert contacts.distances[0] == pytest.approx(0.015) and contacts.separations[0] == pytest.approx(0.01)
    assert contacts.friction[0] == pytest.approx(0.3)


def test_a_point_above_the_edge_of_two_faces_touches_once():
    contacts = contacts_of(*ball_and_square(0.015, 0.5, 0.5))
    assert contacts.kinds.tolist() == [POINT_EDGE]
    contacts = contacts_of(*ball_and_square(0.015, 0.5, 0.52))
    assert contacts.kinds.tolist() == [POINT_TRIANGLE]


def test_a_point_beyond_a_corner_touches_the_corner():
    contacts = contacts_of(*ball_and_square(0.01, -0.01, -0.01))
    assert contacts.kinds.tolist() == [POINT_POINT]
    assert abs(contacts.normals[0]) == pytest.approx(np.full(3, np.sqrt(1 / 3)))


def test_crossing_strands_touch_between_their_ends():
    first = part("a", [[-1, 0, 0.001], [1, 0, 0.001]], segments=[[0, 1]], friction=np.full(2, 0.2))
    second = part("b", [[0, -1, 0], [0, 1, 0]], segments=[[0, 1]], friction=np.full(2, 0.8))
    contacts = contacts_of(join_parts([first, second]), np.concatenate([first.rest, second.rest]))
    assert contacts.kinds.tolist() == [EDGE_EDGE]
    assert contacts.weights[0] == pytest.approx([0.5, 0.5, -0.5, -0.5])
    assert contacts.friction[0] == pytest.approx(0.4)


@pytest.mark.parametrize("above", [1.0, -1.0])
def test_exact_contact_is_on_the_side_of_the_start(above):
    surface, positions = ball_and_square(0.0)
    starts, _ = ball_and_square(above)[::-1]
    contacts = contacts_of(surface, positions, starts=starts)
    touching_face = contacts.kinds == POINT_TRIANGLE
    assert contacts.normals[touching_face] == pytest.approx(np.array([[0, 0, above]]))
    assert (contacts.distances[touching_face] == 0.0).all()


@pytest.mark.parametrize("depth", [0.01, 0.0, -0.01])
@pytest.mark.parametrize("place", [[0.3, 0.4, 1.0], [0.5, 1.0, 1.0], [1.0, 1.0, 1.0]])
def test_normals_point_out_of_what_has_an_inside(place, depth):
    """At a face, an edge and a corner of a cube."""
    outward = np.array([float(coordinate == 1.0) for coordinate in place])
    outward /= np.linalg.norm(outward)
    tip = np.array(place) - depth * outward
    strand = part("tip", [tip, tip + 5.0 * outward], segments=[[0, 1]], radii=np.zeros(2))
    cube = part("cube", CUBE, CUBE_TRIANGLES, is_given=np.ones(8, bool), has_inside=True, **GIVEN)
    positions = np.concatenate([strand.rest, cube.rest])
    contacts = contacts_of(join_parts([strand, cube]), positions)
    at_tip = contacts.points[:, 0] == 0
    nearest = np.argmin(np.abs(contacts.distances))
    assert at_tip.any()
    is_cube = contacts.points >= 2
    towards_strand = -np.where(is_cube, contacts.weights, 0.0).sum(axis=1)  # 1 where the cube is side B, −1 where A
    assert (towards_strand * (contacts.normals @ outward) > 0.5).all()
    if outward.max() == 1.0:  # inside, a point near an edge is nearer to a face
        assert contacts.normals[nearest] == pytest.approx(outward)
        assert contacts.distances[nearest] == pytest.approx(-depth, abs=1e-12)


def turned(points, axis, angle):
    """Points (n, 3), turned around a coordinate axis by an angle [rad]."""
    first, second = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[[first, second], [first, second]] = np.cos(angle)
    matrix[first, second], matrix[second, first] = -np.sin(angle), np.sin(angle)
    return points @ matrix.T


@pytest.mark.parametrize("gap", [0.01, 1e-6, -1e-6, -0.02])
def test_edges_of_two_solids_know_which_side_they_are_on(gap):
    """A cube stands on an edge, upside down, across an edge of another, or a little way into it."""
    random = np.random.default_rng(6)
    upright = turned(CUBE - [0.5, 1.0, 1.0], 0, np.pi / 4)  # an edge along x on top, in the origin
    for _ in range(100):
        tilt, other_tilt, turn = *random.uniform(-0.5, 0.5, 2), random.uniform(0.4, np.pi - 0.4)
        lower = turned(upright, 0, tilt)
        upper = turned(turned(upright, 0, np.pi + other_tilt), 2, turn) + [0, 0, gap]
        parts = [
            part(name, rest, CUBE_TRIANGLES, has_inside=True) for name, rest in (("lower", lower), ("upper", upper))
        ]
        contacts = contacts_of(join_parts(parts), np.concatenate([lower, upper]))
        contacts = contacts.kept((contacts.kinds == EDGE_EDGE) & (np.abs(contacts.distances) < 1.01 * abs(gap)))
        assert contacts.distances == pytest.approx([gap])
        pushes_lower = 1.0 if contacts.points[0, 0] < 8 else -1.0
        rounding = 1e-15 / abs(gap)  # of a direction between points so near each other
        assert pushes_lower * contacts.normals[0] == pytest.approx([0, 0, -1.0], abs=rounding)


def test_what_is_deeper_inside_than_the_reach_is_told_not_pushed():
    strand = part("tip", [[0.5, 0.5, 0.5], [0.5, 0.5, 0.6]], segments=[[0, 1]], radii=np.zeros(2))
    cube = part("cube", CUBE, CUBE_TRIANGLES, is_given=np.ones(8, bool), has_inside=True, **GIVEN)
    surface, positions = join_parts([strand, cube]), np.concatenate([strand.rest, cube.rest])
    assert len(contacts_of(surface, positions).kinds) == 0
    insides = find_insides(surface, positions)
    assert insides.points.tolist() == [0, 1]
    assert insides.depths == pytest.approx([0.5, 0.4])


def test_walls_of_one_solid_do_not_touch_through_its_inside():
    plate = CUBE * [1.0, 1.0, 0.01]
    solid = part("plate", plate, CUBE_TRIANGLES, has_inside=True, radii=np.full(8, 1e-3))
    assert len(contacts_of(join_parts([solid]), plate).kinds) == 0


def test_one_object_is_thinner_against_itself():
    rest = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0], [0, 1, 1], [0, 0.001, 0.5]])
    strand = part("strand", rest, segments=[[i, i + 1] for i in range(5)], radii=np.full(6, 2.0))
    contacts = contacts_of(join_parts([strand]), rest)
    assert (contacts.separations < 0.6).all()
