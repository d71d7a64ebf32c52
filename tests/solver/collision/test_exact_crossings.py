"""Segments and triangles: the same answer as fractions give, however they lie."""

import numpy as np
import pytest

from stiction.solver.collision.exact_crossings import have_area, segments_meet_triangles
from stiction.solver.collision.exact_signs import turn_signs, volume_signs
from stiction.solver.collision.sure_partings import are_surely_parted
from tests.solver.collision.rational_crossings import segment_meets_triangle

COUNT = 3000


def lattice(rng):
    """Few places, so that most pairs touch somehow: ends on sides, in planes, along edges."""
    return rng.integers(0, 3, (COUNT, 5, 3)).astype(float)


def tilted_lattice(rng):
    """The same in a skew plane or beside it, where rounding spoils exact zeros: 0.1 is no double."""
    flat = rng.integers(0, 4, (COUNT, 5, 2)) * 0.1
    heights = rng.integers(-1, 2, (COUNT, 5)) * (rng.random((COUNT, 5)) < 0.3) * 1e-17
    return np.dstack([flat, flat.sum(axis=2) + heights])


def coplanar(rng):
    """Exactly in a skew plane: multiples of 1/8 of two whole vectors."""
    shares = rng.integers(-8, 9, (COUNT, 5, 2)) / 8.0
    return shares @ np.array([[1.0, 2.0, -3.0], [5.0, -1.0, 7.0]]) + [0.5, 100.0, -3.25]


def nearly_coplanar(rng):
    """A rounding or two off a plane."""
    points = coplanar(rng)
    return np.nextafter(points, points + rng.integers(-1, 2, points.shape))


def generic(rng):
    return rng.normal(size=(COUNT, 5, 3))


def far_away(rng):
    return rng.normal(size=(COUNT, 5, 3)) * 1e-6 + 1e6


def tiny(rng):
    return np.ldexp(rng.integers(-2, 3, (COUNT, 5, 3)).astype(float), -400)  # products of three underflow


def huge(rng):
    return np.ldexp(rng.integers(-2, 3, (COUNT, 5, 3)).astype(float), 400)  # and overflow


@pytest.mark.parametrize(
    "scatter",
    [lattice, tilted_lattice, coplanar, nearly_coplanar, generic, far_away, tiny, huge],
    ids=lambda f: f.__name__,
)
def test_crossings_are_those_of_fractions(scatter):
    points = scatter(np.random.default_rng(7))
    p, q, a, b, c = points[have_area(*points[:, 2:].swapaxes(0, 1))].swapaxes(0, 1)
    meets, passes = segments_meet_triangles(p, q, a, b, c)
    expected = [segment_meets_triangle(*corners) for corners in zip(p, q, a, b, c)]
    assert list(zip(meets.tolist(), passes.tolist())) == expected
    assert 10 < meets.sum() < len(meets)  # the cases are worth something


def test_whether_a_triangle_has_an_area_is_exact():
    third = np.array([[0.3, 0.6, 0.9], [3.0, 3.0, 3.0], [0.3, 0.6, np.nextafter(0.9, 1)], [0.25, 0.5, 0.75]])
    first, second = np.zeros((4, 3)), np.array([[0.1, 0.2, 0.3], [1, 1, 1], [0.1, 0.2, 0.3], [1, 2, 3]])
    # 3 × 0.1 is not 0.3 in doubles, so that the first row is a triangle, though a thin one
    assert have_area(first, second, third).tolist() == [True, False, True, False]


def test_signs_of_swapped_corners_are_opposite():
    corners = nearly_coplanar(np.random.default_rng(3))[:, :4].swapaxes(0, 1)
    a, b, c, d = corners
    signs = volume_signs(a, b, c, d)
    assert np.array_equal(volume_signs(b, a, c, d), -signs)
    assert np.array_equal(volume_signs(d, b, c, a), -signs)
    assert len(np.unique(signs)) == 3
    seen = corners[:, :, :2]
    assert np.array_equal(turn_signs(seen[0], seen[1], seen[2]), -turn_signs(seen[0], seen[2], seen[1]))


def test_signs_follow_the_right_hand():
    origin, x, y, z = (np.array([point], float) for point in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
    assert volume_signs(x, y, z, origin) == 1
    assert turn_signs(origin[:, :2], x[:, :2], y[:, :2]) == 1


@pytest.mark.parametrize(
    ("scatter", "least_parted"),
    [(lattice, 0.2), (tilted_lattice, 0.2), (coplanar, 0.3), (nearly_coplanar, 0.3), (generic, 0.9), (far_away, 0.9)]
    + [(tiny, 0.0), (huge, 0.2)],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_what_is_surely_parted_never_meets_and_most_pairs_apart_are_parted(scatter, least_parted):
    points = scatter(np.random.default_rng(8))
    points = points[have_area(*points[:, 2:].swapaxes(0, 1))]
    parted = np.array([are_surely_parted(*map(tuple, corners)) for corners in points])
    meets, _ = segments_meet_triangles(*points.swapaxes(0, 1))
    assert not (parted & meets).any()
    assert parted.sum() >= least_parted * (~meets).sum()
