"""Beams of frames bend, vibrate and hang as beam theory says, better the more frames they have."""

import numpy as np
import pytest
from scipy.linalg import eigh, null_space

from stiction.solver.energies.corotated import Corotated
from stiction.solver.energies.tetrahedron import tetrahedron_elements
from stiction.solver.frames import cells as cells_module
from stiction.solver.frames.frame_body import frame_body, frame_laws
from stiction.solver.materials import SOLID_LAWS, SolidMaterial
from stiction.solver.volume.embedding import embed
from stiction.solver.volume.mesh import lumped_masses
from stiction.solver.volume.volume_mesh import volume_mesh_of
from tests.solver.energies.meshes import nodal_hessian, relax
from tests.solver.volume.shapes import box

LENGTH, WIDTH, DENSITY, YOUNG = 1.0, 0.1, 1000.0, 1e6
WEAK_GRAVITY = 0.1  # [m/s²]: a slope of 2 %, so that theory and linear equations agree


@pytest.fixture(scope="module")
def fine():
    surface = box((LENGTH, WIDTH, WIDTH), (60, 6, 6))
    return surface[0], *volume_mesh_of(*surface)[:2]


@pytest.fixture(scope="module")
def coarse():
    surface = box((LENGTH, WIDTH, WIDTH), (30, 3, 3))
    return surface[0], *volume_mesh_of(*surface)[:2]


def material(poisson_ratio=0.3, solid_law="corotated"):
    return SolidMaterial(DENSITY, YOUNG, poisson_ratio, solid_law)


def body_of(beam, frame_count):
    _, mesh, embedding = beam
    return frame_body(mesh, embedding, frame_count, DENSITY)


def clamped_motions(vertices, embedding, node_count):
    """Motions (3 n, m) of nodes in which the end at x = −½ L neither moves nor turns on the whole."""
    end = np.flatnonzero(vertices[:, 0] < -0.5 * LENGTH + 1e-9)
    weights = np.zeros((len(end), node_count))
    np.add.at(weights, (np.arange(len(end))[:, None], embedding.nodes[end]), embedding.weights[end])
    offsets = vertices[end] - vertices[end].mean(axis=0)
    shifts = np.kron(weights.mean(axis=0), np.eye(3))
    turns = np.stack([np.cross(offsets, axis) for axis in np.eye(3)])  # rᵀ u for a turn about each axis
    return null_space(np.vstack([shifts, np.einsum("avx,vn->anx", turns, weights).reshape(3, -1)]))


def tip_displacement(vertices, embedding, displacements):
    tip = vertices[:, 0] > 0.5 * LENGTH - 1e-9
    return -embed(embedding, displacements)[tip, 2].mean()


def deflection(beam, laws, nodes, masses, embedding):
    """Of the tip under weak gravity [m]."""
    motions = clamped_motions(beam[0], embedding, len(nodes))
    stiffness = motions.T @ sum(nodal_hessian(law, nodes) for law in laws) @ motions
    weight = np.column_stack([np.zeros((len(nodes), 2)), -WEAK_GRAVITY * masses])
    moved = motions @ np.linalg.solve(stiffness, motions.T @ weight.ravel())
    return tip_displacement(beam[0], embedding, moved.reshape(-1, 3))


def frame_deflection(beam, frame_count, poisson_ratio=0.3):
    body = body_of(beam, frame_count)
    return deflection(beam, frame_laws(body, material(poisson_ratio)), body.nodes, body.masses, body.embedding)


def timoshenko_deflection(poisson_ratio=0.3):
    """q L⁴/8 E I + q L²/2 κ G A with κ = 5/6 [m]."""
    load = DENSITY * WEAK_GRAVITY * WIDTH**2
    shear = YOUNG / (2.0 * (1.0 + poisson_ratio))
    return load * LENGTH**4 / (8.0 * YOUNG * WIDTH**4 / 12.0) + load * LENGTH**2 / (2.0 * 5.0 / 6.0 * shear * WIDTH**2)


def test_cantilever_approaches_beam_theory_as_frames_are_added(fine):
    """Measured: 0.16, 0.54, 0.79 and 0.92 of the theory. A frame moves its end of the beam as one affine piece, so
    that few frames lose the curvature at the clamp."""
    ratios = [frame_deflection(fine, count) / timoshenko_deflection() for count in (2, 4, 8, 12)]
    assert (np.diff(ratios) > 0.1).all()
    assert ratios[-1] == pytest.approx(0.92, abs=0.03)


@pytest.mark.parametrize("frame_count", [4, 8, 12])
def test_bending_does_not_stiffen_with_poissons_ratio(fine, frame_count):
    """Frames along a beam cannot thin out the stretched side: with all of λ, bending would be 3.8 times too stiff at
    ν = 0.45. Measured: within 6 % of ν = 0."""
    ratios = [frame_deflection(fine, frame_count, nu) / timoshenko_deflection(nu) for nu in (0.0, 0.3, 0.45, 0.49)]
    np.testing.assert_allclose(ratios, ratios[0], rtol=0.1)


def test_few_frames_bend_more_truly_than_the_tetrahedra_they_replace(coarse):
    """96 unknowns against 1578: linear tetrahedra are too stiff in bending, three across the beam by 30 %."""
    _, mesh, embedding = coarse
    law = Corotated(tetrahedron_elements(mesh.tetrahedra, mesh.nodes, YOUNG, 0.3))
    of_mesh = deflection(coarse, [law], mesh.nodes, lumped_masses(mesh, DENSITY), embedding)
    assert 1.05 * of_mesh < frame_deflection(coarse, 8) < timoshenko_deflection()


@pytest.mark.parametrize("frame_count", [8, 12])
def test_free_beam_vibrates_at_the_rate_of_theory(fine, frame_count):
    """Lowest bending rate of a free beam, 4.73² √(E I/ρ A L⁴); the mesh itself has 1.01 of it."""
    body = body_of(fine, frame_count)
    stiffness = sum(nodal_hessian(law, body.nodes) for law in frame_laws(body, material()))
    squares = eigh(stiffness, np.diag(np.repeat(body.masses, 3)), eigvals_only=True)
    assert abs(squares[5]) < 1e-6 * squares[6]  # six rigid motions, and no other without stiffness
    theory = 4.730041**2 * np.sqrt(YOUNG * WIDTH**2 / 12.0 / DENSITY) / LENGTH**2
    np.testing.assert_allclose(np.sqrt(squares[6:8]), theory, rtol=0.05)


def test_weights_that_cells_leave_out_soften_little(fine, monkeypatch):
    """Fewer frames a cell make it cheaper, and the frames less tied to each other. Measured: 14 %."""
    economical, cells = frame_deflection(fine, 12), body_of(fine, 12).cells
    monkeypatch.setattr(cells_module, "SLIGHT", 1e-3)
    monkeypatch.setattr(cells_module, "GROUPS_PER_FRAME", 1000)
    assert sum(part.nodes.size for part in cells) < 0.8 * sum(part.nodes.size for part in body_of(fine, 12).cells)
    assert 1.0 < economical / frame_deflection(fine, 12) < 1.15


@pytest.mark.parametrize("solid_law", SOLID_LAWS)
def test_beam_that_hangs_down_keeps_its_length(coarse, solid_law):
    """Under a load of eight times its bending stiffness the tip hangs far below; the middle line stays as long."""
    vertices, _, _ = coarse
    body = body_of(coarse, 8)
    stiffness = YOUNG * WIDTH**4 / 12.0
    gravity = 8.0 * stiffness / (DENSITY * WIDTH**2 * LENGTH**3)
    load = np.column_stack([np.zeros((len(body.nodes), 2)), -gravity * body.masses])
    motions = clamped_motions(vertices, body.embedding, len(body.nodes))
    hanging = relax(frame_laws(body, material(0.3, solid_law)), body.nodes, motions, load)
    moved = embed(body.embedding, hanging)
    sections = np.unique(vertices[:, 0].round(9))
    line = np.array([moved[np.abs(vertices[:, 0] - x) < 1e-6].mean(axis=0) for x in sections])
    assert -0.7 < line[-1, 2] < -0.3
    assert np.linalg.norm(np.diff(line, axis=0), axis=1).sum() == pytest.approx(LENGTH, rel=0.02)
