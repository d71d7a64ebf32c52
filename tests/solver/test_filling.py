"""Soft bodies may bring their tetrahedra along."""

import numpy as np
import pytest

from stiction.solver import Filling, Scene, SceneRefused, Simulation, SoftBody
from stiction.solver.volume.fill import fill

from .conftest import cube


@pytest.fixture(scope="module")
def mesh():
    return fill(*cube())


def body(mesh, **changes):
    """A falling cube with these tetrahedra, changed in some way."""
    positions, triangles = cube()
    parts = {"tetrahedra": mesh.tetrahedra, "inner_points": mesh.nodes[len(positions) :], **changes}
    return SoftBody("jelly", positions, triangles, filling=Filling(**parts), pinned=[0])


def scene_of(*items):
    scene = Scene()
    for item in items:
        scene.add(item)
    return scene


def last_positions(scene):
    *_, frame = Simulation(scene).frames(1, 3)
    return frame.positions["jelly"]


def test_own_tetrahedra_move_like_those_that_would_be_made(mesh):
    positions, triangles = cube()
    made = last_positions(scene_of(SoftBody("jelly", positions, triangles, pinned=[0])))
    assert np.array_equal(last_positions(scene_of(body(mesh))), made)
    assert not np.array_equal(made, positions)


def test_tetrahedra_survive_a_file(mesh, tmp_path):
    scene = scene_of(body(mesh))
    scene.save(tmp_path / "s")
    filling = Scene.load(tmp_path / "s").objects["jelly"].filling
    assert np.array_equal(filling.tetrahedra, mesh.tetrahedra)
    assert np.array_equal(filling.inner_points, mesh.nodes[8:])


def refusal(mesh, **changes):
    with pytest.raises(SceneRefused) as caught:
        Simulation(scene_of(body(mesh, **changes)))
    return str(caught.value)


def test_rows_of_three_are_no_tetrahedra(mesh):
    assert "rows of four nodes, not an array of shape" in refusal(mesh, tetrahedra=mesh.tetrahedra[:, :3])


def test_points_inside_that_are_not_finite(mesh):
    points = mesh.nodes[8:].copy()
    points[0, 0] = np.nan
    assert "its points inside are not finite" in refusal(mesh, inner_points=points)


def test_tetrahedra_beyond_the_nodes(mesh):
    points = mesh.nodes[8:-1]
    assert f"names node {len(mesh.nodes) - 1}, but there are only" in refusal(mesh, inner_points=points)


def test_points_in_no_tetrahedron(mesh):
    points = np.concatenate([mesh.nodes[8:], [[0.0, 0.0, 0.0]]])
    assert f"1 of its nodes are in no tetrahedron (first: {len(mesh.nodes)})" in refusal(mesh, inner_points=points)


def test_tetrahedra_turned_inside_out(mesh):
    tetrahedra = mesh.tetrahedra.copy()
    tetrahedra[5] = tetrahedra[5, [1, 0, 2, 3]]
    assert "1 of its tetrahedra are flat or turned inside out (first: 5)" in refusal(mesh, tetrahedra=tetrahedra)


def test_tetrahedra_that_do_not_fill_the_surface(mesh):
    is_kept = np.ones(len(mesh.tetrahedra), bool)
    is_kept[_with_common_nodes(mesh.tetrahedra)] = False
    assert "the boundary of its tetrahedra is not its surface" in refusal(mesh, tetrahedra=mesh.tetrahedra[is_kept])


def _with_common_nodes(tetrahedra):
    """One whose nodes all belong to others, too."""
    counts = np.bincount(tetrahedra.ravel())
    return int(np.flatnonzero((counts[tetrahedra] > 1).all(axis=1))[0])
