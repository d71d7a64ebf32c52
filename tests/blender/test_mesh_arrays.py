"""Triangles are those that Blender itself splits faces into, corner by corner."""

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import mesh_object

SHAPES = ("grid", "monkey", "uv_sphere", "cylinder", "ico_sphere")  # quads, both, triangles, many corners


def blenders_own(mesh):
    mesh.calc_loop_triangles()
    return np.array([triangle.vertices[:] for triangle in mesh.loop_triangles]).reshape(-1, 3)


def move_at_random(mesh, way):
    """So far that quads fold, and some of them become concave."""
    moves = np.random.default_rng(1).normal(scale=way, size=(len(mesh.vertices), 3))
    for vertex, move in zip(mesh.vertices, moves, strict=True):
        vertex.co = np.array(vertex.co) + move
    mesh.update()


@pytest.fixture
def read_triangles(module):
    return module("addon.mesh_arrays").read_triangles


@pytest.mark.parametrize("way", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("shape", SHAPES)
def test_triangles_are_those_of_blender(read_triangles, shape, way):
    getattr(bpy.ops.mesh, f"primitive_{shape}_add")()
    mesh = bpy.context.object.data
    move_at_random(mesh, way)
    assert np.array_equal(read_triangles(mesh), blenders_own(mesh))


def test_a_dart_among_many_quads_is_split_by_its_other_diagonal(read_triangles):
    """So few doubtful ones are asked for one by one."""
    squares = [[(x, 0, 0), (x + 1, 0, 0), (x + 1, 1, 0), (x, 1, 0)] for x in range(0, 100, 2)]
    dart = [(0, 5, 0), (1, 5.5, 0), (2, 5, 0), (1, 8, 0)]  # its second corner points inwards
    faces = np.arange(4 * 51).reshape(51, 4)
    mesh = mesh_object("Quads", np.concatenate([*squares, dart]), faces.tolist(), "COLLIDER").data
    triangles = read_triangles(mesh)
    assert {frozenset(row) for row in triangles[-2:].tolist()} == {
        frozenset((200, 201, 203)),
        frozenset((201, 202, 203)),
    }
    assert np.array_equal(triangles, blenders_own(mesh))


def test_no_mesh_and_no_faces_have_no_triangles(read_triangles):
    assert read_triangles(None).shape == (0, 3)
    wire = mesh_object("Wire", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], "COLLIDER")
    assert read_triangles(wire.data).shape == (0, 3)
