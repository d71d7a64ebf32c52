"""Four masses move as a body does, whatever its shape."""

import numpy as np
import pytest

from stiction.solver.frames.equimomental import RIGID_RATE, affine_body, affine_laws
from stiction.solver.frames.moments import THINNEST_SHELL, moments_of_surface
from stiction.solver.volume.embedding import embed
from stiction.solver.volume.volume_mesh import volume_mesh_of
from tests.solver.energies.meshes import nodal_hessian
from tests.solver.frames.volume_integrals import inverse_tetrahedron, quadrature
from tests.solver.volume.shapes import box, bumpy, cube, flipped, hemisphere, hollow_sphere, icosphere, join, torus

SIZE = np.array([1.0, 2.0, 3.0])
SHAPES = {"cube": cube(), "torus": torus(), "bumpy": bumpy(3), "hollow": hollow_sphere(2)}

every_shape = pytest.mark.parametrize("surface", SHAPES.values(), ids=SHAPES)


@pytest.mark.parametrize("center", [(0, 0, 0), (3, -2, 1), (1e5, -1e5, 1e5)])
def test_moments_of_a_box_are_those_of_the_formula(center):
    """V = abc and ∫ x² = V a²/12, to the digits that the coordinates have left."""
    volume, middle, second = moments_of_surface(*box(SIZE, (3, 2, 4), center))
    error = 1e-13 + 1e-15 * np.abs(center).max()
    assert volume == pytest.approx(6.0, rel=10 * error)
    np.testing.assert_allclose(middle, center, rtol=0, atol=10 * error)
    np.testing.assert_allclose(second, np.diag(6.0 * SIZE**2 / 12.0), rtol=0, atol=100 * error)


def test_normals_do_not_matter():
    wanted = moments_of_surface(*bumpy(3))
    positions, triangles = bumpy(3)
    is_turned = np.random.default_rng(1).random(len(triangles)) < 0.3
    mixed = np.where(is_turned[:, None], triangles[:, ::-1], triangles)
    for surface in (flipped((positions, triangles)), (positions, mixed)):
        for value, right in zip(moments_of_surface(*surface), wanted):
            np.testing.assert_allclose(value, right, rtol=0, atol=1e-12)


def test_parts_add_up_whichever_way_they_are_turned():
    volume, center, _ = moments_of_surface(*join(cube(), flipped(cube(2.0, (10, 0, 0)))))
    assert volume == pytest.approx(9.0)
    np.testing.assert_allclose(center, [80.0 / 9.0, 0, 0], rtol=0, atol=1e-12)


@every_shape
def test_moments_are_those_of_the_filled_volume(surface):
    mesh, _, warnings = volume_mesh_of(*surface)
    points, volumes = quadrature(mesh)
    volume, center, second = moments_of_surface(*surface)
    assert not warnings and volume == pytest.approx(volumes.sum(), rel=1e-9)
    np.testing.assert_allclose(center, volumes @ points / volume, rtol=0, atol=1e-9)
    offsets = points - center
    np.testing.assert_allclose(second, np.einsum("q,qi,qj->ij", volumes, offsets, offsets), rtol=0, atol=1e-9)


@pytest.mark.parametrize("surface", [hemisphere(), box((1.0, 2.0, 0.0), (2, 2, 1))], ids=["open", "flat"])
def test_surfaces_that_enclose_nothing_are_shells(surface):
    positions, triangles = surface
    a, b, c = positions[triangles].swapaxes(0, 1)
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    volume, center, second = moments_of_surface(positions, triangles)
    assert volume == pytest.approx(THINNEST_SHELL * area, rel=1e-6)
    if np.ptp(positions[:, 2]) == 0.0:
        np.testing.assert_allclose(center, 0.0, atol=1e-12)
        np.testing.assert_allclose(second / volume, np.diag([1.0 / 12.0, 4.0 / 12.0, 0.0]), rtol=0, atol=1e-6)


@every_shape
def test_four_nodes_have_the_moments_of_the_body(surface):
    body = affine_body(*surface, 700.0)
    volume, center, second = moments_of_surface(*surface)
    offsets = body.nodes - center
    assert body.masses.sum() == pytest.approx(700.0 * volume)
    np.testing.assert_allclose(offsets.sum(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(0.25 * volume * offsets.T @ offsets, second, rtol=0, atol=1e-12)


@every_shape
def test_consistent_mass_matrix_is_diagonal(surface):
    """∫ ρ bᵢ bⱼ = m/4 δᵢⱼ, integrated over the filled volume."""
    body = affine_body(*surface, 700.0)
    points, volumes = quadrature(volume_mesh_of(*surface)[0])
    weights = inverse_tetrahedron(body.nodes) @ np.vstack([points.T, np.ones(len(points))])
    mass_matrix = 700.0 * (volumes * weights) @ weights.T
    np.testing.assert_allclose(mass_matrix, np.diag(body.masses), rtol=0, atol=1e-8 * body.masses[0])


@every_shape
def test_vertices_follow_any_affine_motion(surface):
    body = affine_body(*surface, 700.0)
    np.testing.assert_allclose(body.embedding.weights.sum(axis=1), 1.0, rtol=0, atol=1e-14)
    random = np.random.default_rng(2)
    matrix, shift = random.normal(size=(3, 3)), random.normal(size=3)
    moved = embed(body.embedding, body.nodes @ matrix + shift)
    np.testing.assert_allclose(moved, surface[0] @ matrix + shift, rtol=0, atol=1e-12)


DEGENERATE = {
    "flat": box((1.0, 1.0, 0.0), (2, 2, 1)),
    "line": (np.linspace(0, 1, 4)[:, None] * [1.0, 0.5, 0.0], np.array([[0, 1, 2], [1, 2, 3]])),
    "point": (np.ones((3, 3)), np.array([[0, 1, 2]])),
    "no faces": (np.eye(3), np.zeros((0, 3), int)),
    "collapsed faces": (np.eye(3), np.array([[0, 1, 1]])),
    "needle": box((1.0, 1e-5, 1e-5), (1, 1, 1)),
}


@pytest.mark.parametrize("surface", DEGENERATE.values(), ids=DEGENERATE)
def test_bodies_without_volume_keep_a_tetrahedron_that_carries_them(surface):
    body = affine_body(*surface, 1000.0)
    assert (body.masses > 0.0).all()
    spans = np.linalg.svd(body.nodes[1:] - body.nodes[0])[1]
    assert spans[-1] > 1e-6 and spans[-1] > 1e-4 * spans[0]
    np.testing.assert_allclose(embed(body.embedding, body.nodes), surface[0], rtol=0, atol=1e-9)
    assert affine_laws(body, 1000.0)[0].elements.stiffness[0] > 0.0


def vibration_rates(surface, density):
    """Rates [rad/s] of all motions of an affine body around rest, slowest first."""
    body = affine_body(*surface, density)
    (law,) = affine_laws(body, density)
    root = np.repeat(np.sqrt(body.masses), 3)
    return np.sqrt(np.maximum(np.linalg.eigvalsh(nodal_hessian(law, body.nodes) / np.outer(root, root)), 0.0))


@pytest.mark.parametrize("density", [10.0, 8000.0])
@pytest.mark.parametrize("size", [1e-3, 1.0, 100.0])
def test_bodies_of_any_size_and_mass_are_equally_rigid(size, density):
    rates = vibration_rates(icosphere(2, size), density)
    assert rates[5] < 1e-4 * RIGID_RATE  # six rigid motions
    np.testing.assert_allclose(rates[6:] / rates[6], vibration_rates(icosphere(2), 1000.0)[6:] / rates[6], rtol=1e-6)
    assert RIGID_RATE <= rates[6] <= 2.0 * RIGID_RATE


@pytest.mark.parametrize("size", [(1, 1, 1), (1, 0.1, 0.1), (1, 1, 0.05)], ids=["cube", "rod", "plate"])
def test_no_vibration_is_slower_than_promised(size):
    assert vibration_rates(box(size, (2, 2, 2)), 1000.0)[6] >= RIGID_RATE
