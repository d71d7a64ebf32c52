"""Ellipses of friction between objects against plain matrices, and what turning triangles carry."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from stiction.solver import Collider, RigidBody, Scene
from stiction.solver.collision.contact_features import POINT_TRIANGLE
from stiction.solver.collision.friction_ellipsoids import FrictionEllipsoids
from stiction.solver.collision.proximity import SurfaceContacts
from stiction.solver.collision.scene_surface import start_surface
from stiction.solver.collision.touched_triangles import carried, largest_triangles, turning

from ..contact.colliding import box

FRICTION = 0.4


def between(normal, body, ground, turns=(None, None), velocities=None):
    """The ellipsoids of a corner of a body on a triangle of the ground, each turned by a rotation since the start."""
    scene = Scene()
    scene.add(RigidBody("body", *box(0.2, (0, 0, 1)), **body))
    scene.add(Collider("ground", *box(1.0, (0, 0, 0)), **ground))
    surface, points = start_surface(scene)
    ellipsoids = FrictionEllipsoids(scene, surface)
    for first, turn in zip((0, 8), turns):
        if turn is not None:
            points[first : first + 8] = turn.apply(points[first : first + 8])
    corners = surface.triangles[surface.triangles[:, 0] >= 8][3]
    contacts = SurfaceContacts(
        kinds=np.array([POINT_TRIANGLE], np.int8),
        points=np.array([[2, *corners]], np.int32),
        weights=np.array([[1.0, -0.2, -0.3, -0.5]]),
        normals=np.array([normal], float),
        distances=np.zeros(1),
        separations=np.zeros(1),
        friction=np.array([FRICTION]),
    )
    velocities = np.zeros_like(points) if velocities is None else velocities(points)
    return ellipsoids.of_contacts(contacts, contacts.friction, points, velocities, 0.01)


def squared(ellipsoids, normal):
    """Σ μ² t tᵀ over both tangents (3, 3)."""
    tangent = ellipsoids.tangents[0]
    tangents = np.stack([tangent, np.cross(normal, tangent)])
    return np.einsum("a,ai,aj->ij", ellipsoids.axes[0, :2] ** 2, tangents, tangents)


def plain(normal, *directed):
    """The same of ratios and directions: exp(Σ w ln q (1 − d dᵀ)) in the plane, with w by the strength |ln q|."""
    normal = np.asarray(normal, float)
    plane, total = np.eye(3) - np.outer(normal, normal), sum(abs(np.log(ratio)) for ratio, _ in directed)
    exponent = np.zeros((3, 3))
    for ratio, direction in directed:
        d = plane @ direction
        d /= np.linalg.norm(d)
        exponent += abs(np.log(ratio)) / total * np.log(ratio) * (plane - np.outer(d, d))
    return FRICTION**2 * plane @ expm(2.0 * exponent)


@pytest.mark.parametrize("seed", range(5))
def test_ellipses_are_those_of_plain_matrices(seed):
    rng = np.random.default_rng(seed)
    normal, first, second = rng.normal(size=(3, 3))
    normal /= np.linalg.norm(normal)
    turns = Rotation.from_rotvec(rng.normal(size=3)), Rotation.from_rotvec(rng.normal(size=3))
    ratios = np.exp(rng.normal(size=2))
    body = {"friction_ratio": ratios[0], "friction_direction": first}
    ground = {"friction_ratio": ratios[1], "friction_direction": second}
    directed = [(ratios[0], turns[0].apply(first)), (ratios[1], turns[1].apply(second))]
    both, alone = between(normal, body, ground, turns), between(normal, body, {}, turns)
    assert squared(both, normal) == pytest.approx(plain(normal, *directed), abs=1e-12)
    assert squared(alone, normal) == pytest.approx(plain(normal, directed[0]), abs=1e-12)


def test_two_alike_act_as_one_and_crossed_ones_as_none():
    along = {"friction_ratio": 4.0, "friction_direction": (1.0, 0.0, 0.0)}
    across = {"friction_ratio": 4.0, "friction_direction": (0.0, 1.0, 0.0)}
    up = (0.0, 0.0, 1.0)
    assert squared(between(up, along, along), up) == pytest.approx(FRICTION**2 * np.diag([1.0, 16.0, 0.0]))
    assert squared(between(up, along, across), up) == pytest.approx(FRICTION**2 * np.diag([4.0, 4.0, 0.0]))


def test_no_friction_across_is_as_good_as_none():
    (axes,) = between((0, 0, 1), {"friction_ratio": 0.0}, {}).axes
    assert axes[0] == pytest.approx(FRICTION) and 0.0 <= axes[1] < 1e-8


def test_a_direction_along_the_normal_leaves_that_of_the_other():
    normal = (0.0, 0.0, 1.0)
    ground = {"friction_ratio": 3.0, "friction_direction": (1.0, 1.0, 0.0)}
    body = {"friction_ratio": 9.0, "friction_direction": (0.0, 0.0, -2.0)}
    assert squared(between(normal, body, ground), normal) == pytest.approx(squared(between(normal, {}, ground), normal))
    assert squared(between(normal, body, {}), normal) == pytest.approx(FRICTION**2 * np.diag([1.0, 1.0, 0.0]))


def test_the_larger_patch_counts_and_has_the_mean_friction():
    normal = (0.0, 0.0, 1.0)
    assert between(normal, {"spin_friction": 0.1}, {}).axes[0, 2] == pytest.approx(0.1 * FRICTION)
    pair = between(normal, {"spin_friction": 0.1, "friction_ratio": 3.0}, {"spin_friction": 0.2})
    assert pair.axes[0, 2] == pytest.approx(0.2 * 2.0 * FRICTION)


def test_scenes_without_them_have_none():
    assert not len(between((0, 0, 1), {}, {}).tangents)


@pytest.mark.parametrize("seed", range(3))
def test_the_turning_of_a_collider_is_given(seed):
    """B turns: the velocity of A against it is the other way round."""
    rng = np.random.default_rng(seed)
    normal, turn = rng.normal(size=(2, 3))
    normal /= np.linalg.norm(normal)

    def velocities(points):
        return (Rotation.from_rotvec(turn).apply(points) + rng.normal(size=3) - points) / 0.01

    angle = np.linalg.norm(turn)
    cayley = turn / angle * 2.0 * np.tan(0.5 * angle) / 0.01
    ellipsoids = between(normal, {"spin_friction": 0.1}, {}, velocities=velocities)
    assert ellipsoids.turning[0] == pytest.approx(-normal @ cayley)


def test_triangles_turn_and_carry_directions_with_their_edges():
    rng = np.random.default_rng(0)
    rest, directions = rng.normal(size=(20, 3, 3)), rng.normal(size=(20, 3))
    rotations = Rotation.random(20, random_state=0)
    now = np.einsum("mij,mkj->mki", rotations.as_matrix(), rest) + rng.normal(size=(20, 1, 3))
    assert carried(directions, rest, now) == pytest.approx(rotations.apply(directions))
    sheared = rest @ rng.normal(size=(3, 3)).T
    edge, moved = (corners[:, 2] - corners[:, 1] for corners in (rest, sheared))
    assert carried(edge, rest, sheared) == pytest.approx(moved)
    rates = turning(rest, (now - rest) / 0.5, 0.5)
    angles = rotations.magnitude()
    axes = rotations.as_rotvec() / angles[:, None]
    assert rates == pytest.approx(axes * (2.0 * np.tan(0.5 * angles) / 0.5)[:, None])


def test_lines_and_points_turn_about_nothing_that_they_do_not_show():
    line = np.array([[[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]])
    assert turning(line, np.zeros((1, 3, 3)), 0.1) == pytest.approx(np.zeros((1, 3)))
    velocities = np.cross([0.0, 0.0, 1e-3], line[0])[None]
    assert turning(line, velocities, 0.1) == pytest.approx(np.array([[0.0, 0.0, 1e-3]]), rel=1e-6)
    assert not turning(np.zeros((1, 3, 3)), np.ones((1, 3, 3)), 0.1).any()


def test_the_largest_triangle_of_each_point_has_the_point():
    scene = Scene()
    scene.add(RigidBody("body", *box((0.1, 0.2, 0.4), (0, 0, 0))))
    surface, points = start_surface(scene)
    largest = largest_triangles(surface, points)
    corners = points[largest]
    areas = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    assert (largest == np.arange(8)[:, None]).any(axis=1).all()
    assert areas == pytest.approx(np.full(8, 0.5 * 0.2 * 0.4))
