"""A cage holds any surface, moves it exactly, and weighs what it encloses."""

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from stiction.solver.reference.voxels import touched_voxels as plain_touched_voxels
from stiction.solver.volume.cage import cage
from stiction.solver.volume.embedding import embed
from stiction.solver.volume.mesh import enclosed_volume, lumped_masses, node_volumes, tetrahedron_volumes
from stiction.solver.volume.voxels import touched_voxels

from .shapes import (
    box,
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
    shuffled,
    torus,
    two_spheres,
)

ONE_FACE = np.array([[0, 1, 2]], np.int32)
SURFACES = {
    "cube": cube(),
    "thin plate": box((1.0, 1.0, 0.001), (4, 4, 1)),
    "sphere": icosphere(3),
    "torus": torus(),
    "bumpy": bumpy(4),
    "worm": capsule(),
    "hollow sphere": hollow_sphere(),
    "two spheres": two_spheres(),
    "hemisphere": hemisphere(),
    "Möbius strip": moebius(),
    "cubes sharing an edge": cubes_sharing_an_edge(),
    "crossing spheres": crossing_spheres(),
    "inverted": flipped(icosphere(2)),
    "tiny": icosphere(2, 1e-4),
    "huge": icosphere(2, 1e3),
    "far": icosphere(2, 1e-2, (1e3, -1e3, 1e3)),
    "one triangle": (np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]), ONE_FACE),
    "one point": (np.ones((3, 3)), ONE_FACE),
    "no faces": (np.array([[0, 0, 0], [1, 2, 3.0]]), np.zeros((0, 3), np.int32)),
}


def pieces(mesh):
    first, others = np.repeat(mesh.tetrahedra[:, 0], 3), mesh.tetrahedra[:, 1:].ravel()
    graph = coo_matrix((np.ones(len(first)), (first, others)), shape=(len(mesh.nodes),) * 2)
    return connected_components(graph, directed=False)[0]


@pytest.mark.parametrize("name", SURFACES)
def test_cage_holds_every_vertex_exactly(name):
    positions, triangles = SURFACES[name]
    mesh, embedding = cage(positions, triangles)
    assert tetrahedron_volumes(mesh.nodes, mesh.tetrahedra).min() > 0.0
    assert embedding.weights.min() >= 0.0
    assert np.allclose(embedding.weights.sum(axis=1), 1.0, rtol=0, atol=1e-15)
    tolerance = 1e-12 * max(np.abs(positions).max(), 1e-12)
    assert np.abs(embed(embedding, mesh.nodes) - positions).max() <= tolerance
    assert (node_volumes(mesh) > 0.0).all()
    assert mesh.tetrahedra.dtype == np.int32 and embedding.nodes.dtype == np.int32


@pytest.mark.parametrize("name", SURFACES)
def test_vertices_share_the_nodes_of_one_tetrahedron(name):
    mesh, embedding = cage(*SURFACES[name])
    known = {tuple(row) for row in np.sort(mesh.tetrahedra, axis=1)}
    assert {tuple(row) for row in np.sort(embedding.nodes, axis=1)} <= known


def test_linear_fields_are_reproduced():
    positions, triangles = bumpy(3)
    mesh, embedding = cage(positions, triangles)
    matrix, shift = np.random.default_rng(0).normal(size=(3, 3)), np.array([3.0, -2.0, 1.0])
    assert np.allclose(embed(embedding, mesh.nodes @ matrix + shift), positions @ matrix + shift, rtol=0, atol=1e-13)


def test_neighbouring_tetrahedra_fit_together():
    mesh, _ = cage(*icosphere(2), resolution=7)
    faces = np.sort(mesh.tetrahedra[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3), axis=1)
    unique, counts = np.unique(faces, axis=0, return_counts=True)
    assert counts.max() == 2
    # What is left is the outside of the cubes: every coordinate plane of it is closed.
    rim = unique[counts == 1]
    edges = np.sort(rim[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all()


@pytest.mark.parametrize("name", ["cube", "thin plate", "sphere", "torus", "bumpy", "hollow sphere", "tiny", "far"])
def test_caged_solid_has_the_mass_of_its_volume(name):
    positions, triangles = SURFACES[name]
    mesh, _ = cage(positions, triangles)
    assert lumped_masses(mesh, 1000.0).sum() == pytest.approx(1000.0 * enclosed_volume(positions, triangles), rel=1e-6)


def test_crossing_parts_weigh_once():
    positions, triangles = crossing_spheres()
    mesh, _ = cage(positions, triangles, resolution=20)
    height = 0.25  # of the two caps that both spheres contain
    overlap = 2.0 * np.pi * height**2 * (3.0 - height) / 3.0
    whole = 2.0 * 4.0 / 3.0 * np.pi - overlap
    # The facets of the spheres lack a per cent; a layer of voxels is sampled once each.
    assert node_volumes(mesh).sum() == pytest.approx(whole, rel=0.02)


def test_center_of_mass_is_that_of_the_solid():
    positions, triangles = icosphere(3, 1.0, (5.0, 0.0, 0.0))
    mesh, _ = cage(positions, triangles)
    masses = node_volumes(mesh)
    cell = 2.0 / 12.0
    assert np.abs(masses @ mesh.nodes / masses.sum() - (5.0, 0.0, 0.0)).max() < 0.1 * cell


@pytest.mark.parametrize("resolution", [1, 3, 12, 40, 100])
def test_resolution_is_the_number_of_cells_along_the_longest_side(resolution):
    mesh, _ = cage(*box((2.0, 1.0, 0.5), (1, 1, 1)), resolution=resolution)
    assert len(np.unique(mesh.nodes[:, 0])) == resolution + 1


def test_near_parts_are_not_fused():
    gap = 0.15  # half a cell or more, at 20 cells along 4.15 m
    mesh, _ = cage(*two_spheres(gap), resolution=20)
    assert pieces(mesh) == 2
    halves = join(box((1, 0.4, 0.4), (4, 1, 1)), box((1, 0.4, 0.4), (4, 1, 1), (0, 0, 0.45)))
    assert pieces(cage(*halves, resolution=12)[0]) == 2  # both lie in the same layer of cells


def test_thin_wall_is_one_piece():
    assert pieces(cage(*SURFACES["thin plate"])[0]) == 1
    assert pieces(cage(*moebius())[0]) == 1


def test_hollow_is_not_filled():
    mesh, _ = cage(*hollow_sphere(), resolution=16)
    middles = mesh.nodes[mesh.tetrahedra].mean(axis=1)
    assert np.linalg.norm(middles, axis=1).min() > 0.6 - 2.0 / 16.0 * np.sqrt(3.0)


def test_open_surface_gets_only_the_cells_it_touches():
    mesh, _ = cage(*hemisphere(), resolution=16)
    assert np.linalg.norm(mesh.nodes, axis=1).min() > 1.0 - 2.0 * 2.0 / 16.0 * np.sqrt(3.0)


def test_same_input_gives_the_same_bits_and_order_does_not_matter():
    surface = bumpy(3)
    one, again, other = cage(*surface), cage(*surface), cage(*shuffled(surface))
    for first, second in zip(one[0] + one[1], again[0] + again[1]):
        assert np.array_equal(first, second)
    assert len(one[0].nodes) == len(other[0].nodes)
    assert node_volumes(one[0]).sum() == pytest.approx(node_volumes(other[0]).sum(), rel=1e-12)


def test_touched_voxels_match_clipping():
    corners = np.random.default_rng(0).uniform(-0.5, 5.5, (12, 3, 3))
    corners[:3, :, 2] = 2.5  # flat ones as well
    assert np.array_equal(touched_voxels(corners, (5, 5, 5)), plain_touched_voxels(corners, (5, 5, 5)))
