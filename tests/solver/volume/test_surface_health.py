"""Every defect of a surface is found, counted and named."""

import numpy as np
import pytest

from stiction.solver.volume.crossings import segment_meets_triangle
from stiction.solver.volume.mesh import enclosed_volume
from stiction.solver.volume.surface_health import surface_health

from .shapes import (
    bumpy,
    capsule,
    crossing_spheres,
    cube,
    cubes_sharing_an_edge,
    flipped,
    hemisphere,
    hollow_sphere,
    icosphere,
    join,
    moebius,
    scanned,
    shuffled,
    torus,
    two_spheres,
)

SOUND = [cube, icosphere, torus, bumpy, scanned, capsule, hollow_sphere, two_spheres]


@pytest.mark.parametrize("shape", SOUND, ids=lambda shape: shape.__name__)
def test_sound_surfaces_are_fillable(shape):
    health = surface_health(*shape())
    assert health.is_fillable and health.is_closed and not health.is_inverted


def test_open_edges_are_the_rim():
    positions, triangles = hemisphere()
    health = surface_health(positions, triangles)
    assert len(health.open_edges) > 0 and not health.is_watertight
    faces_at = [np.isin(triangles, edge).sum(axis=1).tolist().count(2) for edge in health.open_edges]
    assert faces_at == [1] * len(faces_at)


def test_shared_edge_is_crowded_yet_watertight():
    positions, triangles = cubes_sharing_an_edge()
    health = surface_health(positions, triangles)
    assert len(health.crowded_edges) == 1 and health.is_watertight and not health.is_fillable
    assert np.allclose(positions[health.crowded_edges[0]][:, :2], 0.5)


def test_moebius_strip_has_one_side():
    assert surface_health(*moebius()).is_one_sided
    assert not surface_health(*hemisphere()).is_one_sided


def test_inverted_surface_is_turned():
    positions, triangles = flipped(torus())
    health = surface_health(positions, triangles)
    assert health.is_inverted and health.is_fillable
    assert enclosed_volume(positions, health.triangles) == pytest.approx(-enclosed_volume(positions, triangles))


def test_single_turned_faces_are_found_and_turned():
    positions, triangles = icosphere(2)
    spoilt = triangles.copy()
    spoilt[[3, 40]] = spoilt[[3, 40]][:, ::-1]
    health = surface_health(positions, spoilt)
    assert len(health.disagreeing_edges) == 6 and not health.is_closed and health.is_fillable
    assert enclosed_volume(positions, health.triangles) == pytest.approx(enclosed_volume(positions, triangles))


@pytest.mark.parametrize("turned", range(8))
def test_nested_spheres_are_hollow_whatever_their_normals(turned):
    shells = [icosphere(2, radius) for radius in (1.0, 0.7, 0.4)]
    shells = [flipped(shell) if turned >> index & 1 else shell for index, shell in enumerate(shells)]
    health = surface_health(*join(*shells))
    volumes = [abs(enclosed_volume(*shell)) for shell in shells]
    volume = enclosed_volume(join(*shells)[0], health.triangles)
    assert volume == pytest.approx(volumes[0] - volumes[1] + volumes[2])


def test_crossings_are_those_of_brute_force():
    positions, triangles = join(icosphere(3), icosphere(3, 1.0, (1.4, 0.13, 0.21)))
    health = surface_health(positions, triangles)
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    expected = set()
    corners = positions[triangles]
    for edge in edges:
        p, q = positions[edge]
        near = ((corners.min(axis=1) <= np.maximum(p, q)) & (corners.max(axis=1) >= np.minimum(p, q))).all(axis=1)
        for triangle in np.flatnonzero(near & ~np.isin(triangles, edge).any(axis=1)):
            normal = np.cross(corners[triangle, 1] - corners[triangle, 0], corners[triangle, 2] - corners[triangle, 0])
            slope = np.dot(q - p, normal)
            if slope == 0.0:
                continue
            t = np.dot(corners[triangle, 0] - p, normal) / slope
            weights = np.linalg.solve(corners[triangle].T, p + t * (q - p))
            if 0 <= t <= 1 and (weights >= 0).all():
                expected.add(tuple(edge))
    assert expected and {tuple(edge) for edge in health.crossing_edges} == expected
    assert len(health.crossed_triangles) == len(expected)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(
    "segment, meets",
    [
        (((0.2, 0.2, -1), (0.2, 0.2, 1)), True),  # through the middle
        (((0.2, 0.2, 0.1), (0.2, 0.2, 1)), False),  # above
        (((0.2, 0.2, 0), (0.2, 0.2, 1)), True),  # standing on it
        (((2, 2, 0), (0.9, 0.9, 1)), False),  # its end in the plane, beside it
        (((0.5, 0, -1), (0.5, 0, 1)), True),  # through an edge
        (((-1, 0.2, 0), (2, 0.2, 0)), True),  # lying across it
        (((0.1, 0.1, 0), (0.2, 0.1, 0)), True),  # lying in it
        (((2, 0, 0), (3, 0, 0)), False),  # in line with an edge
        (((2, -1, 0), (3, 5, 0)), False),  # in the plane, beside it
    ],
)
def test_segment_meets_triangle_in_every_special_position(segment, meets, scale):
    corners = [tuple(scale * c for c in corner) for corner in ((0, 0, 0), (1, 0, 0), (0, 1, 0))]
    p, q = (tuple(scale * float(c) for c in end) for end in segment)
    for turn in range(3):
        assert segment_meets_triangle(p, q, *(corners[turn:] + corners[:turn])) == meets
        assert segment_meets_triangle(q, p, *(corners[turn:] + corners[:turn])) == meets


def test_degenerate_faces_and_loose_vertices_are_named():
    positions, triangles = cube()
    positions = np.concatenate([positions, [[3.0, 0.0, 0.0]]])
    triangles = np.concatenate([triangles, [[1, 1, 2]]]).astype(np.int32)
    health = surface_health(positions, triangles)
    assert health.degenerate_triangles.tolist() == [12] and health.loose_vertices.tolist() == [8]
    assert health.is_closed and not health.is_fillable and len(health.triangles) == 12


def test_vertex_order_does_not_matter():
    for shape in (crossing_spheres(), hemisphere()):
        one, other = surface_health(*shape), surface_health(*shuffled(shape))
        assert [len(found) for found in one[:7]] == [len(found) for found in other[:7]]


def test_no_faces_are_no_surface():
    health = surface_health(np.zeros((2, 3)), np.zeros((0, 3), np.int32))
    assert not health.is_fillable and health.loose_vertices.tolist() == [0, 1]
