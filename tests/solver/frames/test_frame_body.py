"""Frames reproduce affine motion exactly, carry the mass of the body, and measure its strain."""

import numpy as np
import pytest

from stiction.solver.energies.frame_solid import FrameSolid, frame_solid_elements
from stiction.solver.energies.tetrahedron import lame_moduli
from stiction.solver.frames import cells as cells_module
from stiction.solver.frames.blending import node_weights
from stiction.solver.frames.cells import MEAN, frame_cells
from stiction.solver.frames.equimomental import affine_body, equimomental_frames
from stiction.solver.frames.frame_body import frame_body, frame_laws
from stiction.solver.frames.moments import moments_of_weights
from stiction.solver.frames.placement import NODES_PER_FRAME, frame_regions
from stiction.solver.materials import SOLID_LAWS, SolidMaterial
from stiction.solver.volume.embedding import embed
from stiction.solver.volume.lattice import CORNERS, cube_tetrahedra
from stiction.solver.volume.mesh import VolumeMesh
from stiction.solver.volume.volume_mesh import volume_mesh_of
from tests.solver.energies.law_cases import batch
from tests.solver.frames.volume_integrals import inverse_tetrahedron, quadrature
from tests.solver.volume.shapes import box, bumpy, hemisphere, two_spheres

DENSITY = 300.0
SURFACES = {
    "beam": (box((1.0, 0.1, 0.1), (20, 2, 2)), 6),
    "bumpy": (bumpy(2), 12),
    "caged": (hemisphere(2), 5),
    "two parts": (two_spheres(subdivisions=2), 1),
    "one frame": (box((1.0, 0.5, 0.2), (4, 2, 1)), 1),
}


@pytest.fixture(scope="module", params=SURFACES, ids=SURFACES)
def case(request):
    """A surface, its mesh, and its body of frames."""
    surface, count = SURFACES[request.param]
    mesh, embedding, _ = volume_mesh_of(*surface)
    return surface, mesh, frame_body(mesh, embedding, count, DENSITY)


def affine_motion():
    random = np.random.default_rng(3)
    return random.normal(size=(3, 3)), random.normal(size=3)


def test_surface_follows_any_affine_motion(case):
    (positions, _), _, body = case
    assert body.embedding.nodes.shape == (len(positions), 16) == body.embedding.weights.shape
    assert body.embedding.nodes.dtype == np.int32 and body.embedding.nodes.flags.c_contiguous
    np.testing.assert_allclose(body.embedding.weights.sum(axis=1), 1.0, rtol=0, atol=1e-13)
    matrix, shift = affine_motion()
    moved = embed(body.embedding, body.nodes @ matrix + shift)
    np.testing.assert_allclose(moved, positions @ matrix + shift, rtol=0, atol=1e-12)


def test_nodes_have_the_energy_and_momenta_of_any_affine_motion(case):
    """½ ∫ ρ |v|², ∫ ρ v and ∫ ρ x × v with v = A x + t, integrated over the mesh."""
    _, mesh, body = case
    matrix, shift = affine_motion()
    points, volumes = quadrature(mesh)
    for function in (
        lambda x, v: 0.5 * (v**2).sum(axis=1, keepdims=True),
        lambda x, v: v,
        np.cross,
    ):
        of_nodes = body.masses @ function(body.nodes, body.nodes @ matrix + shift)
        of_mesh = DENSITY * volumes @ function(points, points @ matrix + shift)
        np.testing.assert_allclose(of_nodes, of_mesh, rtol=0, atol=1e-11 * DENSITY * volumes.sum())


def test_cells_have_no_strain_in_rigid_motion_and_the_same_in_affine_motion(case):
    _, mesh, body = case
    matrix, shift = affine_motion()
    for cells in body.cells:
        scale = np.abs(cells.gradients).max()
        np.testing.assert_allclose(cells.gradients.sum(axis=1), 0.0, atol=1e-12 * scale)
        moved = (body.nodes @ matrix.T + shift)[cells.nodes]
        deformation = np.einsum("eki,ekj->eij", moved, cells.gradients)
        np.testing.assert_allclose(deformation, np.broadcast_to(matrix, deformation.shape), rtol=0, atol=1e-10)
    volume = sum(cells.volumes[cells.roles != MEAN].sum() for cells in body.cells)
    assert volume == pytest.approx(quadrature(mesh)[1].sum(), rel=1e-12)


@pytest.mark.parametrize("solid_law", SOLID_LAWS)
def test_uniform_strain_has_the_energy_density_of_the_law(case, solid_law):
    """Also where the roles of the cells share Lamé's λ, and where the law is continued below its threshold."""
    _, mesh, body = case
    material = SolidMaterial(youngs_modulus=1e4, poisson_ratio=0.4, solid_law=solid_law)
    for stretches in ([1.2, 0.9, 1.05], [1.1, 0.3, -0.2]):
        one = one_cell(material)
        wanted = batch(one, np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]) * stretches)[0][0]
        energy = sum(batch(law, body.nodes * stretches)[0].sum() for law in frame_laws(body, material))
        assert energy == pytest.approx(wanted * quadrature(mesh)[1].sum(), rel=1e-10)


def one_cell(material):
    """A cubic meter of a material."""
    gradients = np.concatenate([-np.ones((1, 3)), np.eye(3)])[None]
    moduli = lame_moduli(material.youngs_modulus, material.poisson_ratio)
    return FrameSolid(frame_solid_elements([[0, 1, 2, 3]], gradients, 1.0, *moduli, material.solid_law))


def test_one_frame_is_an_affine_body():
    surface, _ = SURFACES["one frame"]
    mesh, embedding, _ = volume_mesh_of(*surface)
    framed, affine = frame_body(mesh, embedding, 1, DENSITY), affine_body(*surface, DENSITY)
    np.testing.assert_allclose(framed.masses, affine.masses, rtol=1e-12)
    assert [len(cells.nodes) for cells in framed.cells] == [1]
    for body in (framed, affine):
        offsets = body.nodes - body.nodes.mean(axis=0)
        np.testing.assert_allclose(0.25 * offsets.T @ offsets, np.diag([1.0, 0.25, 0.04]) / 12.0, rtol=0, atol=1e-12)


def test_same_input_gives_the_same_bits():
    mesh, embedding, _ = volume_mesh_of(*SURFACES["bumpy"][0])
    first, second = (frame_body(mesh, embedding, 12, DENSITY) for _ in range(2))
    assert np.array_equal(first.nodes, second.nodes) and np.array_equal(first.masses, second.masses)
    for ours, theirs in zip(first.cells, second.cells):
        assert all(np.array_equal(a, b) for a, b in zip(ours, theirs))


def test_place_of_the_body_does_not_matter():
    """A kilometer away: the same frames, but for the digits that the coordinates lose."""
    (positions, triangles), _ = SURFACES["beam"]
    bodies = []
    for shift in (0.0, 1000.0):
        mesh, embedding, _ = volume_mesh_of(positions, triangles)
        bodies.append(frame_body(mesh._replace(nodes=mesh.nodes + shift), embedding, 6, DENSITY))
    np.testing.assert_allclose(bodies[1].masses, bodies[0].masses, rtol=1e-6)
    np.testing.assert_allclose(bodies[1].nodes - 1000.0, bodies[0].nodes, rtol=0, atol=1e-6)


def test_more_frames_than_the_mesh_can_use_are_fewer():
    mesh, embedding, _ = volume_mesh_of(*SURFACES["beam"][0])
    body = frame_body(mesh, embedding, 10_000, DENSITY)
    most = len(mesh.nodes) // NODES_PER_FRAME
    assert 2 * most < len(body.nodes) <= 4 * most
    assert body.masses.min() > 0.01 * body.masses.mean() and np.isfinite(body.nodes).all()
    assert set(np.concatenate([cells.nodes.ravel() for cells in body.cells])) == set(range(len(body.nodes)))


def test_separate_parts_have_frames_of_their_own():
    surface = two_spheres(subdivisions=2)
    mesh, embedding, _ = volume_mesh_of(*surface)
    body = frame_body(mesh, embedding, 1, DENSITY)
    assert len(body.nodes) == 8
    is_used = np.where(body.embedding.weights != 0.0, body.embedding.nodes // 4, -1)
    left = surface[0][:, 0] < 1.25
    assert set(is_used[left].ravel()).isdisjoint(set(is_used[~left].ravel()) - {-1})


def hairpin(length=24, gap=1):
    """Two bars of one cell's thickness, a gap apart, joined at one end."""
    bars = [(x, y, 0) for x in range(length) for y in (0, gap + 1)]
    cells = np.array([*bars, *((0, y, 0) for y in range(1, gap + 1))])
    keys, inverse = np.unique((cells[:, None] + CORNERS).reshape(-1, 3), axis=0, return_inverse=True)
    corner_nodes = inverse.reshape(-1, 8)
    tetrahedra = np.take_along_axis(corner_nodes[:, None, :], cube_tetrahedra(cells), axis=2).reshape(-1, 4)
    return VolumeMesh(keys.astype(float), tetrahedra.astype(np.int32), np.ones(len(tetrahedra)))


def test_parts_that_are_only_near_do_not_share_frames():
    """The tips of a hairpin are a cell apart in space, and two lengths along the inside."""
    mesh = hairpin()
    weights = node_weights(mesh, frame_regions(mesh, 8))
    assert weights.min() >= 0.0
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=0, atol=1e-13)
    is_tip = mesh.nodes[:, 0] > 12
    sides = [weights[is_tip & (mesh.nodes[:, 1] < 1.5)], weights[is_tip & (mesh.nodes[:, 1] > 1.5)]]
    lower, upper = (np.asarray(side.max(axis=0).todense()).ravel() for side in sides)
    assert np.minimum(lower, upper).max() < 1e-3


def test_regions_are_even():
    mesh = hairpin(length=40)
    regions = frame_regions(mesh, 10)
    sizes = np.bincount(regions.of_node)
    assert len(sizes) == 10 and sizes.max() < 2.0 * sizes.min()


def plain_deformation(mesh, frames, weights, displaced):
    """F (q, 3, 3) at four places of each tetrahedron: the derivative of Σ w (A x + t) by differences."""
    dense, step = weights.toarray(), 1e-6
    maps = [np.vstack([x.T, np.zeros(4)]) @ inverse_tetrahedron(n) for n, x in zip(frames, displaced)]
    result = []
    for tetrahedron in mesh.tetrahedra:
        corners = mesh.nodes[tetrahedron]
        to_corners = inverse_tetrahedron(corners)

        def moved(point, corners_of=tetrahedron, to_corners=to_corners):
            of_corners = to_corners @ [*point, 1.0]
            return sum(
                (of_corners @ dense[corners_of, frame]) * (maps[frame] @ [*point, 1.0])[:3]
                for frame in range(len(maps))
            )

        middle = corners.mean(axis=0)
        for place in middle + (corners - middle) / np.sqrt(5.0):
            columns = [(moved(place + step * axis) - moved(place - step * axis)) / (2.0 * step) for axis in np.eye(3)]
            result.append(np.column_stack(columns))
    return np.array(result)


def test_cells_integrate_quadratic_energies_exactly(monkeypatch):
    """∫ ‖F‖² and ∫ F over the mesh, where no weight is left out."""
    monkeypatch.setattr(cells_module, "SLIGHT", 0.0)
    mesh = hairpin(length=6)
    weights = node_weights(mesh, frame_regions(mesh, 2))
    frames = equimomental_frames(moments_of_weights(mesh, weights))
    displaced = frames.nodes + 0.3 * np.random.default_rng(4).normal(size=frames.nodes.shape)
    shape = (-1, 4, 3)
    deformation = plain_deformation(mesh, frames.nodes.reshape(shape), weights, displaced.reshape(shape))
    volumes = quadrature(mesh)[1]
    energy, mean = 0.0, np.zeros((3, 3))
    for cells in frame_cells(mesh, frames, weights):
        is_part = cells.roles != MEAN
        strain = np.einsum("eki,ekj->eij", displaced[cells.nodes[is_part]], cells.gradients[is_part])
        energy += cells.volumes[is_part] @ (strain**2).sum(axis=(1, 2))
        mean += np.einsum("e,eij->ij", cells.volumes[is_part], strain)
    np.testing.assert_allclose(mean, np.einsum("q,qij->ij", volumes, deformation), rtol=0, atol=1e-7)
    assert energy == pytest.approx(volumes @ (deformation**2).sum(axis=(1, 2)), rel=1e-7)
