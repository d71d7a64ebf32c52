"""Contacts as they are at the end of a step, against distances by brute force."""

import numpy as np
import pytest

from stiction.solver.collision.contact_features import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from stiction.solver.collision.proximity import empty_contacts
from stiction.solver.collision.relinearized import relinearized

SEPARATION = 0.1
NEVER_YET, OFTEN = np.zeros(1, int), np.full(1, 3)
UNUSED = {POINT_EDGE: [3], POINT_POINT: [2, 3], POINT_TRIANGLE: [], EDGE_EDGE: []}


def samples(corners):
    """Points of a corner, an edge or a triangle, close to each other."""
    if len(corners) == 1:
        return corners
    ticks = np.linspace(0.0, 1.0, 401)
    if len(corners) == 2:
        return corners[0] + ticks[:, None] * (corners[1] - corners[0])
    u, v = (part.ravel() for part in np.meshgrid(ticks[::2], ticks[::2]))
    u, v = u[u + v <= 1.0], v[u + v <= 1.0]
    return corners[0] + u[:, None] * (corners[1] - corners[0]) + v[:, None] * (corners[2] - corners[0])


def offset(kind, corners):
    """From B to A where they are nearest, by brute force."""
    first = 2 if kind == EDGE_EDGE else 1
    second = corners[first : 4 - len(UNUSED[kind])]
    apart = (samples(corners[:first])[:, None] - samples(second)[None]).reshape(-1, 3)
    return apart[np.argmin(np.linalg.norm(apart, axis=1))]


def contact_at(kind, corners, normal):
    """One contact between four points, that was linearized along a normal."""
    contacts = empty_contacts(1)
    contacts.kinds[:], contacts.points[:] = kind, np.arange(4)
    contacts.points[0, UNUSED[kind]] = 0
    contacts.weights[:], contacts.normals[:] = 0.0, normal
    contacts.distances[:], contacts.separations[:], contacts.friction[:] = 0.2, SEPARATION, 0.5
    return contacts


def pair(kind, rng):
    """Corners (4, 3) of two features that lie above each other."""
    corners = rng.uniform(-1.0, 1.0, (4, 3))
    above = 2 if kind == EDGE_EDGE else 1
    corners[:above, :2] *= 0.2
    corners[:, 2] = np.where(np.arange(4) < above, 0.12, 0.0) + rng.uniform(-0.02, 0.02, 4)
    return corners


@pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE, POINT_EDGE, POINT_POINT])
@pytest.mark.parametrize("seed", range(5))
def test_the_linear_gap_is_the_true_one_at_the_end(kind, seed):
    rng = np.random.default_rng(seed)
    ends = pair(kind, rng)
    starts = ends + rng.normal(0.0, 0.3, (4, 3))
    exact = offset(kind, ends)
    normal = exact / np.linalg.norm(exact) + 0.05 * rng.uniform(-1.0, 1.0, 3)  # off by 5 degrees at most
    before = contact_at(kind, ends, normal / np.linalg.norm(normal))
    after, is_changed = relinearized(before, np.array([True]), NEVER_YET, starts, ends, 1e-9)
    assert is_changed[0]
    weights, normal = after.weights[0], after.normals[0]
    assert weights.sum() == pytest.approx(0.0, abs=1e-12) and weights[weights > 0.0].sum() == pytest.approx(1.0)
    used = ends[after.points[0]]
    assert normal @ (weights @ used) == pytest.approx(np.linalg.norm(exact), abs=3e-3)
    assert after.distances[0] == pytest.approx(normal @ (weights @ starts[after.points[0]]))


def test_contacts_that_are_where_they_say_stay_as_they_are():
    corners = np.array([[0.2, 0.2, SEPARATION], [-1.0, -1.0, 0.0], [2.0, -1.0, 0.0], [-1.0, 2.0, 0.0]])
    contacts = contact_at(POINT_TRIANGLE, corners, (0.0, 0.0, 1.0))
    contacts.weights[:] = 1.0, -1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0
    starts = corners + [[0.1, 0.3, 0.05], *np.zeros((3, 3))]
    yes, no = np.array([True]), np.array([False])
    for height in (0.5, 1.0, 1.5):  # above a plane, the distance is the linear one
        corners[0, 2] = height * SEPARATION
        assert not relinearized(contacts, yes, NEVER_YET, starts, corners, 1e-6)[1].any()
    corners[3, 2] += 0.03  # and now the plane is tilted
    assert relinearized(contacts, yes, NEVER_YET, starts, corners, 1e-6)[1].all()
    assert not relinearized(contacts, yes, OFTEN, starts, corners, 1e-6)[1].any()
    assert not relinearized(contacts, no, NEVER_YET, starts, corners, 1e-6)[1].any()  # what is open may be elsewhere
    corners[0, 2] = 0.9 * SEPARATION
    assert relinearized(contacts, no, NEVER_YET, starts, corners, 1e-6)[1].all()


def test_a_point_that_slides_off_a_face_is_held_by_its_rim_at_most_15_degrees_off():
    corners = np.array([[0.0, 0.0, SEPARATION], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.0, 0.0]])
    contacts = contact_at(POINT_TRIANGLE, corners, (0.0, 0.0, 1.0))
    for way in (0.02, 0.2):  # beyond the corner, that is by 11 and by 63 degrees
        ends = corners + [[0.0, way, -0.03], *np.zeros((3, 3))]
        after, is_changed = relinearized(contacts, np.array([True]), NEVER_YET, corners, ends, 1e-6)
        angle = np.degrees(np.arccos(after.normals[0, 2]))
        assert is_changed[0] and 5.0 < angle < 15.0
        assert after.weights[0] == pytest.approx([1.0, 0.0, 0.0, -1.0])
