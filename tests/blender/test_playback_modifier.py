"""The modifier's place in the stack, and that nothing of it stays behind."""

import bpy
import numpy as np
import pytest

from tests.blender.playback_scenes import FIRST, grid, hair, link, make_bake, mesh_positions, random_samples, rope


@pytest.fixture
def playback(module):
    return module("addon.playback_modifier")


@pytest.fixture
def play_hair(module, tmp_path):
    def play(obj, points=12):
        samples = random_samples(points)
        store = make_bake(module, tmp_path / obj.name, {obj.name: samples})
        module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), FIRST, samples[0])

    return play


def types(obj):
    return [modifier.type for modifier in obj.modifiers]


def test_it_stands_above_the_finishing_modifiers_at_the_end(playback):
    obj = grid()
    for kind in ("MIRROR", "SUBSURF", "ARRAY", "SOLIDIFY", "SUBSURF"):
        obj.modifiers.new(kind, kind)
    playback.add_playback_modifier(obj)
    assert types(obj) == ["MIRROR", "SUBSURF", "ARRAY", "MESH_CACHE", "SOLIDIFY", "SUBSURF"]


def test_it_stands_above_a_pinned_modifier(playback):
    obj = grid()
    obj.modifiers.new("Smooth by Angle", "NODES").use_pin_to_last = True
    obj.modifiers.new("Subdivision", "SUBSURF")
    playback.add_playback_modifier(obj)
    assert types(obj) == ["MESH_CACHE", "SUBSURF", "NODES"]


def test_adding_it_twice_gives_the_same_one(playback):
    obj = grid()
    assert playback.add_playback_modifier(obj) == playback.add_playback_modifier(obj)
    assert types(obj) == ["MESH_CACHE"]


@pytest.mark.parametrize(("make", "kind"), [(grid, "MESH_CACHE"), (hair, "NODES"), (rope, "NODES")])
def test_before_a_bake_it_is_off(playback, make, kind):
    modifier = playback.add_playback_modifier(make())
    assert (modifier.type, modifier.show_viewport, modifier.show_render) == (kind, False, False)


def test_a_modifier_of_the_same_name_but_another_type_is_not_taken_for_it(playback):
    obj = grid()
    obj.modifiers.new(playback.PLAYBACK_NAME, "SUBSURF")
    assert playback.find_playback_modifier(obj) is None


def test_other_types_of_object_are_refused(playback, module):
    with pytest.raises(module("solver.errors").StictionError, match="neither a mesh nor a curve"):
        playback.add_playback_modifier(link(bpy.data.objects.new("Empty", None)))


@pytest.mark.parametrize(("make", "points"), [(hair, 12), (rope, 8)])
def test_removing_it_leaves_nothing_behind(playback, play_hair, make, points):
    obj = make()
    before = [len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.node_groups)]
    play_hair(obj, points)
    assert playback.find_carrier(obj) is not None
    playback.remove_playback_modifier(obj)
    assert [len(bpy.data.objects), len(bpy.data.meshes), len(bpy.data.node_groups)] == before
    assert types(obj) == []


def test_a_duplicate_keeps_its_carrier_when_the_original_is_removed(playback, play_hair):
    obj = hair()
    play_hair(obj)
    duplicate = link(obj.copy())
    playback.remove_playback_modifier(obj)
    assert len(playback.find_carrier(duplicate).data.vertices) == 12


def test_two_grooms_share_one_node_group(playback, play_hair):
    for name in ("Fringe", "Beard"):
        play_hair(hair(name=name))
    assert [group.name for group in bpy.data.node_groups] == ["Stiction Playback"]


def test_connecting_again_replaces_the_carrier(playback, play_hair, module, tmp_path):
    obj = hair()
    play_hair(obj)
    write = module("addon.write_playback")
    write.connect_playback(obj, tmp_path / "Hair" / "Hair.pc2", FIRST, np.zeros((12, 3)))
    assert len(bpy.data.objects) == 2
    write.disconnect_playback(obj)
    assert len(bpy.data.objects) == 1
    assert not playback.find_playback_modifier(obj).show_viewport


def test_disconnecting_shows_the_mesh_as_before(module, tmp_path):
    obj = grid()
    before = mesh_positions(obj)
    samples = random_samples(16)
    store = make_bake(module, tmp_path / "cache", {"Cloth": samples})
    write = module("addon.write_playback")
    write.connect_playback(obj, store.path_of("Cloth"), FIRST, samples[0])
    assert not np.allclose(mesh_positions(obj), before)
    write.disconnect_playback(obj)
    np.testing.assert_array_equal(mesh_positions(obj), before)
