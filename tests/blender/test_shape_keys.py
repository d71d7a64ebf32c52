"""A bake as shape keys shows the same, on frames and between them, without any cache."""

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
)

TOLERANCE = 2e-6  # a key is stored as it is, but added to the basis as a difference, in single precision


@pytest.fixture
def bake(module, tmp_path):
    """Bake random numbers for an object and connect it; returns the samples and the store."""

    def connect(obj, point_count):
        samples = random_samples(point_count)
        store = make_bake(module, tmp_path / "cache", {obj.name: samples})
        module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), FIRST, samples[0])
        return samples, store

    return connect


@pytest.fixture
def to_shape_keys(module):
    return module("addon.write_shape_keys").to_shape_keys


def assert_plays(read, samples):
    for time in (*TIMES, FIRST - 2.0, LAST + 2.0):
        go_to(time)
        np.testing.assert_allclose(read(), sample_at(samples, time), atol=TOLERANCE, rtol=0)


def test_mesh(bake, to_shape_keys):
    obj = grid()
    samples, store = bake(obj, 16)
    keyed = to_shape_keys(obj, store)
    assert keyed.name == "Cloth Shape Keys"
    assert_plays(lambda: mesh_positions(keyed), samples)
    assert (obj.hide_viewport, obj.hide_render) == (True, True)
    assert obj.data.shape_keys is None
    assert not keyed.modifiers


@pytest.mark.parametrize(("make", "points"), [(hair, 12), (rope, 8)])
def test_hair_and_ropes_no_longer_need_the_cache(bake, to_shape_keys, make, points):
    obj = make()
    samples, store = bake(obj, points)
    assert to_shape_keys(obj, store) == obj
    store.path_of(obj.name).unlink()
    assert_plays(lambda: curve_positions(obj), samples)


def test_hair_goes_back_to_its_cache(module, bake, to_shape_keys):
    obj = hair()
    samples, store = bake(obj, 12)
    to_shape_keys(obj, store)
    module("addon.write_playback").connect_playback(obj, store.path_of("Hair"), FIRST, samples[0])
    carrier = module("addon.playback_modifier").find_carrier(obj)
    assert carrier.data.shape_keys is None
    assert_plays(lambda: curve_positions(obj), samples)


def test_what_lies_on_the_mesh_is_kept(bake, to_shape_keys):
    obj = grid()
    obj.data.transform(Matrix.Translation((3, 0, 0)))
    obj.data.materials.append(bpy.data.materials.new("Silk"))
    obj.vertex_groups.new(name="Hem").add([1, 2], 0.5, "REPLACE")
    obj.modifiers.new("Mirror", "MIRROR")
    obj.modifiers.new("Subdivision", "SUBSURF")
    samples, store = bake(obj, 32)
    keyed = to_shape_keys(obj, store)
    assert [modifier.name for modifier in keyed.modifiers] == ["Subdivision"]
    assert [modifier.show_viewport for modifier in obj.modifiers] == [True, True, True]
    assert [slot.material.name for slot in keyed.material_slots] == ["Silk"]
    assert [layer.name for layer in keyed.data.uv_layers] == [layer.name for layer in obj.data.uv_layers]
    assert keyed.vertex_groups["Hem"].weight(1) == 0.5
    keyed.modifiers["Subdivision"].show_viewport = False
    assert_plays(lambda: mesh_positions(keyed), samples)


def test_the_new_object_moves_with_the_original(bake, to_shape_keys):
    obj = grid()
    obj.parent = link(bpy.data.objects.new("Parent", None))
    obj.parent.scale = (-1, 2, 0.5)
    for frame in (FIRST, LAST):
        obj.location.x = float(frame)
        obj.keyframe_insert("location", frame=frame)
    _, store = bake(obj, 16)
    obj.stiction.kind = "CLOTH"
    keyed = to_shape_keys(obj, store)
    obj.hide_viewport = False  # else Blender does not animate it
    go_to(4.5)
    assert evaluated(keyed).matrix_world == evaluated(obj).matrix_world
    assert -7.0 < evaluated(keyed).matrix_world.translation.x < -3.0
    assert keyed.users_collection == obj.users_collection
    assert (keyed.stiction.kind, obj.stiction.kind) == ("NONE", "CLOTH")


def test_a_mesh_changed_after_the_bake_is_refused(module, bake, to_shape_keys):
    obj = grid()
    _, store = bake(obj, 16)
    obj.data.vertices.add(1)
    with pytest.raises(module("solver.errors").StictionError, match="16 vertices"):
        to_shape_keys(obj, store)
    assert len(bpy.data.meshes) == 1
    assert not obj.hide_render


def test_hair_without_a_bake_is_refused(module, bake, to_shape_keys):
    _, store = bake(hair(), 12)
    other = hair(name="Other")
    with pytest.raises(module("solver.errors").StictionError, match="does not play a bake"):
        to_shape_keys(other, store, "Hair")


def test_the_size_is_what_the_file_grows_by(module, bake, to_shape_keys, tmp_path):
    obj = hair((4,) * 5000)
    _, store = bake(obj, 20000)
    before = saved_size(tmp_path)
    to_shape_keys(obj, store)
    needed = module("addon.write_shape_keys").bytes_needed_for_shape_keys(20000, LAST - FIRST + 1)
    assert saved_size(tmp_path) - before == pytest.approx(needed, rel=0.05)


def saved_size(folder):
    path = folder / "size.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return path.stat().st_size
