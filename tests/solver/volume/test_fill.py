"""A filled surface is the boundary of its tetrahedra, exactly."""

import numpy as np
import pytest

from stiction.solver.volume.fill import LEAST_QUALITY, fill
from stiction.solver.volume.mesh import (
    enclosed_volume,
    lumped_masses,
    outward_faces,
    tetrahedron_qualities,
    tetrahedron_volumes,
)

from .shapes import (
    box,
    bumpy,
    capsule,
    crumpled,
    cube,
    hollow_sphere,
    icosphere,
    scanned,
    shuffled,
    torus,
    two_spheres,
)

SURFACES = {
    "cube": cube(),
    "divided cube": box((1.0, 1.0, 1.0), (4, 4, 4)),
    "bar": box((4.0, 1.0, 1.0), (16, 4, 4)),
    "thin plate": box((1.0, 1.0, 0.05), (20, 20, 1)),
    "very thin plate": box((1.0, 1.0, 0.02), (4, 4, 1)),
    **{f"sphere {level}": icosphere(level) for level in range(5)},
    "torus": torus(),
    "ring": torus(1.0, 0.08, 80, 8),
    "bumpy": bumpy(4),
    "scanned": scanned(1000),
    "crumpled": crumpled(),
    "worm": capsule(),
    "hollow sphere": hollow_sphere(),
    "two spheres": two_spheres(),
    "spheres nearly touching": two_spheres(0.01),
    "tiny": icosphere(2, 1e-4),
    "huge": icosphere(2, 1e3),
    "far": icosphere(2, 1e-2, (100.0, -100.0, 100.0)),
}
NEEDLES = {"very thin plate", "scanned", "crumpled"}  # their own triangles are far from regular, so the tetrahedra are
SPHERE_LIKE_QUALITY = 0.1  # what a surface of even triangles allows


def oriented_set(faces):
    turned = np.argmin(faces, axis=1)[:, None]
    return {tuple(row) for row in np.take_along_axis(faces, (turned + np.arange(3)) % 3, axis=1)}


@pytest.fixture(scope="module", params=SURFACES)
def filled(request):
    positions, triangles = SURFACES[request.param]
    return request.param, positions, triangles, fill(positions, triangles)


def test_surface_vertices_are_the_first_nodes(filled):
    _, positions, _, mesh = filled
    assert np.array_equal(mesh.nodes[: len(positions)], positions)


def test_every_surface_triangle_is_a_face_and_there_is_no_other_boundary(filled):
    _, _, triangles, mesh = filled
    faces = oriented_set(outward_faces(mesh.tetrahedra).reshape(-1, 3))
    assert len(faces) == 4 * len(mesh.tetrahedra)
    boundary = {face for face in faces if (face[0], face[2], face[1]) not in faces}
    assert boundary == oriented_set(triangles)


def test_volume_is_that_of_the_surface(filled):
    _, positions, triangles, mesh = filled
    volumes = tetrahedron_volumes(mesh.nodes, mesh.tetrahedra)
    assert volumes.min() > 0.0
    expected = enclosed_volume(positions, triangles)
    assert volumes.sum() == pytest.approx(expected, rel=1e-9)
    assert lumped_masses(mesh, 1000.0).sum() == pytest.approx(1000.0 * expected, rel=1e-9)


def test_every_node_is_used(filled):
    _, _, _, mesh = filled
    assert np.array_equal(np.unique(mesh.tetrahedra), np.arange(len(mesh.nodes)))


def test_shapes_are_good(filled):
    name, _, _, mesh = filled
    least = LEAST_QUALITY if name in NEEDLES else SPHERE_LIKE_QUALITY
    assert tetrahedron_qualities(mesh.nodes, mesh.tetrahedra).min() >= least


def test_vertex_order_does_not_change_the_volume():
    surface = bumpy(3)
    one, other = fill(*surface), fill(*shuffled(surface))
    volumes = [tetrahedron_volumes(mesh.nodes, mesh.tetrahedra).sum() for mesh in (one, other)]
    assert volumes[0] == pytest.approx(volumes[1], rel=1e-12)


def test_same_input_gives_the_same_bits():
    one, other = fill(*bumpy(3)), fill(*bumpy(3))
    assert np.array_equal(one.nodes, other.nodes) and np.array_equal(one.tetrahedra, other.tetrahedra)


def test_resolution_refines_the_inside():
    coarse, fine = fill(*icosphere(3), resolution=4), fill(*icosphere(3), resolution=24)
    assert len(fine.nodes) > 1.2 * len(coarse.nodes)


def test_unit_scale_does_not_change_the_mesh():
    positions, triangles = bumpy(3)
    one, other = fill(positions, triangles), fill(positions * 2.0**-10, triangles)
    assert np.array_equal(one.tetrahedra, other.tetrahedra)
    assert np.array_equal(one.nodes * 2.0**-10, other.nodes)


def test_flat_surface_has_no_inside():
    positions, triangles = box((1.0, 1.0, 0.0), (3, 3, 1))
    assert fill(positions, triangles) is None
