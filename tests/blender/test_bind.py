"""Denser meshes and hair follow what is simulated, by Blender's own modifiers."""

import os
import subprocess
import sys

import bpy
import numpy as np
import pytest

from .playback_scenes import hair, link, make_bake
from .shots import evaluated_world, select
from .test_playback_files import SCRIPT

FRAMES = 4


def lattice_points(size, width=2.0):
    across, along = np.meshgrid(np.linspace(0, width, size), np.linspace(0, width, size))
    return np.column_stack((across.ravel(), along.ravel(), np.zeros(size * size)))


def lattice(name, size):
    """A flat square of quads."""
    corners = [row * size + column for row in range(size - 1) for column in range(size - 1)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(lattice_points(size).tolist(), [], [(c, c + 1, c + size + 1, c + size) for c in corners])
    return link(bpy.data.objects.new(name, mesh))


@pytest.fixture
def play(module, tmp_path):
    """Let an object play positions (frames, n, 3), as a bake would."""

    def connect(obj, samples):
        samples = np.asarray(samples, np.float32)
        store = make_bake(module, tmp_path / "cache", {obj.name: samples}, first_frame=1)
        module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), 1, samples[0])

    return connect


def turned(points, angle):
    """About the line x = 1, z = 0, as cloth bends on it."""
    sine, cosine = np.sin(angle), np.cos(angle)
    rotated = (points - [1, 0, 0]) @ np.array([[cosine, 0, -sine], [0, 1, 0], [sine, 0, cosine]]) + [1, 0, 0]
    return np.where(points[:, :1] > 1, rotated, points)


def bind(active, *others):
    select(active)
    for obj in others:
        obj.select_set(True)
    return bpy.ops.stiction.bind()


def simulated(obj, kind):
    select(obj)
    bpy.ops.stiction.add(kind=kind)
    return obj


def test_a_denser_mesh_follows_the_simulated_one(play):
    cloth, dense = simulated(lattice("Cloth", 3), "CLOTH"), lattice("Dense", 9)
    dense.modifiers.new("Subdivision", "SUBSURF").levels = 0
    play(cloth, [turned(lattice_points(3), 0.4 * frame) for frame in range(FRAMES)])
    bpy.context.scene.frame_set(3)  # binding does not depend on the frame that is shown
    assert bind(cloth, dense) == {"FINISHED"}
    assert [item.type for item in dense.modifiers] == ["SURFACE_DEFORM", "SUBSURF"]
    assert bpy.context.scene.frame_current == 3
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame + 1)
        apart = np.linalg.norm(evaluated_world(dense) - turned(lattice_points(9), 0.4 * frame), axis=1).reshape(9, 9)
        assert apart[:, [0, -1]].max() < 1e-5 and apart.max() < 2e-3  # it rounds the fold


def test_a_rigid_motion_of_the_simulated_mesh_is_followed_exactly(play):
    cloth, dense = simulated(lattice("Cloth", 3), "CLOTH"), lattice("Dense", 9)
    play(cloth, [lattice_points(3) @ rotation(0.7 * frame).T + [0, 0, frame] for frame in range(FRAMES)])
    bind(cloth, dense)
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame + 1)
        expected = lattice_points(9) @ rotation(0.7 * frame).T + [0, 0, frame]
        assert np.allclose(evaluated_world(dense), expected, atol=1e-5)


def test_binding_again_replaces_the_binding(play):
    cloth, dense = simulated(lattice("Cloth", 3), "CLOTH"), lattice("Dense", 5)
    bind(cloth, dense)
    bind(cloth, dense)
    assert [item.name for item in dense.modifiers] == ["Stiction Bind"]


def test_what_surface_deform_cannot_follow_is_refused_in_words():
    cloth, dense = simulated(lattice("Cloth", 3), "CLOTH"), lattice("Dense", 5)
    subdivision = cloth.modifiers.new("Subdivision", "SUBSURF")
    subdivision.levels, subdivision.render_levels = 1, 2
    with pytest.raises(RuntimeError, match="other vertices in renders than in the viewport"):
        bind(cloth, dense)
    cloth.modifiers.remove(subdivision)
    mesh = bpy.data.meshes.new("Fan")
    mesh.from_pydata([(0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1), (-1, 0, 0)], [], [(0, 1, 2), (0, 1, 3), (0, 1, 4)])
    fan = simulated(link(bpy.data.objects.new("Fan", mesh)), "CLOTH")
    with pytest.raises(RuntimeError, match="edges with more than two faces"):
        bind(fan, dense)
    other = simulated(lattice("Other", 3), "CLOTH")
    with pytest.raises(RuntimeError, match="is simulated itself"):
        bind(cloth, other)
    assert not dense.modifiers


def test_without_a_simulated_object_the_button_says_what_to_select():
    with pytest.raises(RuntimeError, match="Select what is to follow"):
        bind(lattice("One", 3), lattice("Two", 3))


def strand(root, count=5):
    return np.array([[*root, 0.2 * i] for i in range(count)])


def hair_of(name, strands):
    data = bpy.data.hair_curves.new(name)
    data.add_curves([len(points) for points in strands])
    data.position_data.foreach_set("vector", np.concatenate(strands).astype(np.float32).ravel())
    return link(bpy.data.objects.new(name, data))


def rotation(angle):
    sine, cosine = np.sin(angle), np.cos(angle)
    return np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, cosine, -sine], [0, sine, cosine]]
    )


GUIDE_ROOTS = [(0, 0), (1, 0), (0, 1), (1, 1.1)]
CHILD_ROOTS = [(0.2, 0.1), (0.6, 0.7), (0, 0)]


def groom():
    guides = simulated(
        hair_of("Guides", [strand(root, count) for root, count in zip(GUIDE_ROOTS, (5, 4, 6, 5))]), "HAIR"
    )
    children = [strand(root, 4) + [0.0, 0.05 * number, 0.0] for number, root in enumerate(CHILD_ROOTS)]
    return guides, hair_of("Children", children), np.concatenate(children)


def test_children_follow_any_rigid_motion_of_their_guides(play):
    guides, children, at_rest = groom()
    rest = np.concatenate([strand(root, count) for root, count in zip(GUIDE_ROOTS, (5, 4, 6, 5))])
    play(guides, [rest @ rotation(0.7 * frame).T + [frame, 0, 0] for frame in range(FRAMES)])
    assert bind(guides, children) == {"FINISHED"}
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame + 1)
        assert np.allclose(evaluated_world(children), at_rest @ rotation(0.7 * frame).T + [frame, 0, 0], atol=1e-5)


def test_a_child_on_a_guides_root_goes_with_that_guide(play):
    guides, children, at_rest = groom()
    rest = np.concatenate([strand(root, count) for root, count in zip(GUIDE_ROOTS, (5, 4, 6, 5))])
    bent = rest.copy()
    bent[:5, 0] += rest[:5, 2] ** 2  # the first guide alone, but for its root
    play(guides, [rest, bent])
    children.location = (5, 0, 0)  # wherever it is, and whatever its scale
    children.scale = (2, 2, 2)
    bpy.context.view_layer.update()
    bind(guides, children)
    bpy.context.scene.frame_set(1)
    assert np.allclose(evaluated_world(children), 2 * at_rest + [5, 0, 0], atol=1e-5)
    children.location, children.scale = (0, 0, 0), (1, 1, 1)
    bpy.context.view_layer.update()
    bind(guides, children)
    bpy.context.scene.frame_set(2)
    moved = (evaluated_world(children) - at_rest)[:, 0].reshape(3, 4)
    assert moved[2, -1] > 0.9 * 0.8**2 and (np.diff(moved[2]) > 0).all()
    assert 0 < moved[1, -1] < 0.5 * moved[2, -1]


@pytest.mark.parametrize("kind", ["mesh", "hair"])
def test_what_is_bound_plays_in_a_blender_without_the_extension(play, tmp_path, kind):
    if kind == "mesh":
        leading, following, rest = simulated(lattice("Cloth", 3), "CLOTH"), lattice("Dense", 9), lattice_points(9)
        play(leading, [lattice_points(3) + [0, 0, frame] for frame in range(FRAMES)])
    else:
        leading, following, rest = groom()
        guides = np.concatenate([strand(root, count) for root, count in zip(GUIDE_ROOTS, (5, 4, 6, 5))])
        play(leading, [guides + [0, 0, frame] for frame in range(FRAMES)])
    bind(leading, following)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path / "empty")}
    environment.pop("PYTHONPATH", None)
    words = [sys.executable, SCRIPT, tmp_path / "shot.blend", tmp_path / "shown.npz", "1,4", following.name]
    subprocess.run(list(map(str, words)), env=environment, cwd=tmp_path, timeout=60, check=True)
    first, last = np.load(tmp_path / "shown.npz")[following.name]
    assert np.allclose(first, rest, atol=1e-5) and np.allclose(last, rest + [0, 0, 3], atol=1e-5)


def test_too_few_guides_are_refused():
    guides = simulated(hair_of("Guides", [strand((x, 0)) for x in range(4)]), "HAIR")  # in a line
    with pytest.raises(RuntimeError, match="three strands whose roots are not in a line"):
        bind(guides, hair((3, 3), "Children"))
    with pytest.raises(RuntimeError, match="is no hair with strands"):
        bind(guides, lattice("Mesh", 3))
