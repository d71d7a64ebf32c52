"""What Blender shows is what was baked, on frames and between them."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.playback_scenes import (
    FIRST,
    LAST,
    TIMES,
    curve_positions,
    evaluated,
    go_to,
    grid,
    hair,
    link,
    make_bake,
    mesh_positions,
    random_samples,
    rope,
    sample_at,
    straight_strands,
)

ULP = 5e-7  # positions are of size 1 to 4, and Blender interpolates in single precision


@pytest.fixture
def play(module, tmp_path):
    """Bake random numbers for an object, connect it, and return the samples."""

    def connect(obj, rest):
        samples = random_samples(len(rest))
        store = make_bake(module, tmp_path / "cache", {obj.name: samples})
        module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), FIRST, rest)
        return samples

    return connect


def assert_plays(read, samples, times=(*TIMES, FIRST - 2.0, LAST + 2.0)):
    for time in times:
        go_to(time)
        np.testing.assert_allclose(read(), sample_at(samples, time), atol=ULP, rtol=0)


def test_mesh(play):
    obj = grid()
    samples = play(obj, mesh_positions(obj))
    assert_plays(lambda: mesh_positions(obj), samples)


def test_mesh_between_mirror_and_subdivision(module, play):
    obj = grid()
    obj.data.transform(Matrix.Translation((3, 0, 0)))
    obj.modifiers.new("Mirror", "MIRROR")
    mirrored = mesh_positions(obj)
    obj.modifiers.new("Subdivision", "SUBSURF")
    samples = play(obj, mirrored)
    assert len(samples[0]) == 32
    twin = link(bpy.data.objects.new("Twin", bpy.data.meshes.new_from_object(mirror_only(obj))))
    twin.modifiers.new("Subdivision", "SUBSURF")
    for time in TIMES:
        go_to(time)
        wanted = sample_at(samples, time).astype(np.float32)
        twin.data.vertices.foreach_set("co", wanted.ravel())
        twin.data.update()
        np.testing.assert_allclose(mesh_positions(obj), mesh_positions(twin), atol=4 * ULP)


def mirror_only(obj):
    twin = link(obj.copy())
    for modifier in list(twin.modifiers)[1:]:
        twin.modifiers.remove(modifier)
    return evaluated(twin)


def test_hair(play):
    obj = hair((4, 5, 3))
    samples = play(obj, straight_strands((4, 5, 3)))
    assert_plays(lambda: curve_positions(obj), samples)


def test_a_groom_changed_after_the_bake_shows_as_it_is(play):
    obj = hair((4, 5, 3))
    play(obj, straight_strands((4, 5, 3)))
    obj.data.remove_curves(indices=[2])
    obj.data.update_tag()
    np.testing.assert_array_equal(curve_positions(obj), straight_strands((4, 5)))


@pytest.mark.parametrize("kind", ["POLY", "BEZIER", "NURBS"])
def test_rope(module, play, kind):
    obj = rope(kind)
    outline = module("addon.rope_outline").read_rope_outline(obj)
    samples = play(obj, outline.positions)
    assert_plays(lambda: curve_positions(obj), samples)


def test_a_file_that_is_still_growing_plays_what_it_has(module, tmp_path):
    obj = grid()
    pc2 = module("solver.pc2")
    path = tmp_path / "growing.pc2"
    pc2.create_pc2(path, 16, FIRST)
    rest = mesh_positions(obj)
    module("addon.write_playback").connect_playback(obj, path, FIRST, rest)
    go_to(FIRST)
    np.testing.assert_array_equal(mesh_positions(obj), rest)
    samples = random_samples(16)
    writer = pc2.Pc2Writer(path, 0, 16)
    for sample in samples[:2]:
        writer.append(sample)
        writer.publish()
    writer.close()
    assert_plays(lambda: mesh_positions(obj), samples[:2], (FIRST, FIRST + 0.5, FIRST + 1, LAST))


@pytest.mark.parametrize("scale", [(1, 1, 1), (0.2, 3, 1.5), (-2, 1, 0.5)])
def test_world_positions_come_back_from_a_moving_scaled_parented_object(module, tmp_path, scale):
    """The round trip that a bake makes: world positions to local ones, and played on the moving object."""
    obj = grid()
    animate(obj, scale)
    obj.parent = link(bpy.data.objects.new("Parent", None))
    obj.parent.matrix_world = Matrix.Rotation(0.4, 4, "Y") @ Matrix.Translation((1, 2, 3))
    world = np.random.default_rng(1).normal(size=(LAST - FIRST + 1, 16, 3))
    write = module("addon.write_playback")
    local = np.array([write.to_local(world[f - FIRST], world_matrix(obj, f)) for f in range(FIRST, LAST + 1)])
    store = make_bake(module, tmp_path / "cache", {"Cloth": local})
    write.connect_playback(obj, store.path_of("Cloth"), FIRST, local[0])
    for frame in range(FIRST, LAST + 1):
        matrix = world_matrix(obj, frame)
        shown = mesh_positions(obj) @ matrix[:3, :3].T + matrix[:3, 3]
        np.testing.assert_allclose(shown, world[frame - FIRST], atol=1e-5)


def animate(obj, scale):
    obj.scale, obj.rotation_euler = scale, (0.3, 0.2, 0.1)
    for frame, x in ((FIRST, 0.0), (LAST, 5.0)):
        obj.location.x = x
        obj.keyframe_insert("location", frame=frame)


def world_matrix(obj, frame):
    go_to(float(frame))
    return np.array(evaluated(obj).matrix_world, dtype=np.float64)
