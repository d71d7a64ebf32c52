"""Whatever the surface, there is a volume mesh, and a sentence where it is not the obvious one."""

import re
from collections import Counter

import numpy as np
import pytest

from stiction.solver.volume.embedding import embed
from stiction.solver.volume.mesh import node_volumes, tetrahedron_volumes
from stiction.solver.volume.volume_mesh import surface_remarks, volume_mesh_of

from .shapes import (
    box,
    crossing_spheres,
    cube,
    cubes_sharing_an_edge,
    flipped,
    hemisphere,
    icosphere,
    join,
    moebius,
    torus,
)


@pytest.mark.parametrize("surface", [cube(), torus(), flipped(icosphere(2))], ids=["cube", "torus", "inverted"])
def test_sound_surfaces_are_filled_without_a_word(surface):
    mesh, embedding, warnings = volume_mesh_of(*surface)
    assert warnings == []
    assert np.array_equal(embed(embedding, mesh.nodes), surface[0])
    assert embedding.weights[:, 0].min() == 1.0


@pytest.mark.parametrize(
    "surface, words",
    [
        (hemisphere(), r"its surface is open \(48 edges with one face, first: between vertices \d+ and \d+\)"),
        (moebius(), r"its surface is open"),
        (cubes_sharing_an_edge(), r"its surface branches \(1 edge with more than two faces"),
        (crossing_spheres(), r"its surface cuts or touches itself \(120 edges meet other faces"),
        (join(cube(), cube(center=(1.0, 0.2, 0.3))), r"its surface cuts or touches itself"),
        (box((1.0, 1.0, 0.0), (2, 2, 1)), r"its surface cuts or touches itself"),
    ],
    ids=["open", "one-sided", "branching", "crossing", "touching", "flat"],
)
def test_other_surfaces_are_caged_with_the_reason(surface, words):
    mesh, embedding, warnings = volume_mesh_of(*surface)
    assert len(warnings) == 1 and re.search(words, warnings[0]) and "simulated in a cage" in warnings[0]
    assert np.allclose(embed(embedding, mesh.nodes), surface[0], rtol=0, atol=1e-12)
    assert tetrahedron_volumes(mesh.nodes, mesh.tetrahedra).min() > 0.0
    (remark,) = surface_remarks(*surface)
    assert remark.sentence == warnings[0], "a look tells the same"


def test_remarks_name_the_vertices():
    positions, triangles = hemisphere()
    sides = Counter(frozenset(pair) for a, b, c in triangles.tolist() for pair in ((a, b), (b, c), (c, a)))
    (remark,) = surface_remarks(positions, triangles)
    assert set(remark.vertices) == {vertex for side, count in sides.items() if count == 1 for vertex in side}


def test_turned_faces_are_filled_with_a_remark():
    positions, triangles = icosphere(2)
    triangles[7] = triangles[7][::-1].copy()
    mesh, _, warnings = volume_mesh_of(positions, triangles)
    assert len(warnings) == 1 and "normals" in warnings[0]
    (remark,) = surface_remarks(positions, triangles)
    assert remark.sentence == warnings[0] and set(triangles[7]) == set(remark.vertices)
    assert np.array_equal(mesh.nodes[: len(positions)], positions)


@pytest.mark.parametrize("seed", range(12))
def test_random_geometry_always_gets_an_answer(seed):
    random = np.random.default_rng(seed)
    positions = random.normal(size=(8, 3)) * 10.0 ** random.integers(-5, 4) + random.normal(size=3) * 10.0
    positions[:, seed % 3] *= random.integers(0, 2)  # sometimes flat
    triangles = random.integers(0, 8, (random.integers(0, 16), 3)).astype(np.int32)
    mesh, embedding, _ = volume_mesh_of(positions, triangles)
    assert np.allclose(embed(embedding, mesh.nodes), positions, rtol=0, atol=1e-12 * np.abs(positions).max())
    assert tetrahedron_volumes(mesh.nodes, mesh.tetrahedra).min() > 0.0
    assert np.isfinite(mesh.nodes).all() and (node_volumes(mesh) > 0.0).all()


@pytest.mark.parametrize("seed", range(6))
def test_noisy_spheres_are_filled_or_caged_but_right(seed):
    random = np.random.default_rng(seed)
    positions, triangles = icosphere(2)
    positions = positions + random.normal(size=positions.shape) * 0.02 * seed
    mesh, embedding, warnings = volume_mesh_of(positions, triangles)
    assert np.allclose(embed(embedding, mesh.nodes), positions, rtol=0, atol=1e-12)
    assert warnings or len(mesh.nodes) >= len(positions)
