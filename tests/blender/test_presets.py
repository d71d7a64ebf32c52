"""Presets set the material of all selected objects of one kind, in the scene's units."""

from dataclasses import fields

import bpy
import pytest

from .shots import make_hair, make_sheet, select


@pytest.fixture
def presets(module):
    return module("addon.material_presets").material_presets()


def make_solid():
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.stiction.add(kind="SOFT")
    return bpy.context.object


def settings(obj, material):
    return {item.name: getattr(obj.stiction, item.name) for item in fields(material)}


def assert_has(obj, preset, **other):
    wanted = {item.name: getattr(preset.material, item.name) for item in fields(preset.material)} | other
    for name, value in settings(obj, preset.material).items():
        assert value == (wanted[name] if isinstance(value, str) else pytest.approx(wanted[name], rel=1e-6)), name


@pytest.mark.parametrize(("make", "kind"), [(make_hair, "HAIR"), (make_sheet, "CLOTH"), (make_solid, "SOFT")])
def test_every_preset_of_a_kind_can_be_applied(presets, make, kind):
    obj = make()
    select(obj)
    for preset in (preset for preset in presets.values() if preset.kind == kind):
        assert bpy.ops.stiction.apply_preset(preset=preset.name) == {"FINISHED"}
        assert_has(obj, preset)


def test_presets_of_other_kinds_are_not_offered(presets):
    select(make_sheet())
    with pytest.raises(TypeError, match="curly_hair"):
        bpy.ops.stiction.apply_preset(preset="curly_hair")


def test_all_selected_objects_of_the_kind_get_it_and_no_others(presets):
    first, second, unselected, hair = make_sheet("First"), make_sheet("Second"), make_sheet("Third"), make_hair()
    select(first)
    for obj in (second, hair):
        obj.select_set(True)
    before = settings(hair, presets["fur"].material), settings(unselected, presets["silk"].material)
    bpy.ops.stiction.apply_preset(preset="leather")
    assert_has(first, presets["leather"])
    assert_has(second, presets["leather"])
    assert (settings(hair, presets["fur"].material), settings(unselected, presets["silk"].material)) == before


def test_radius_is_in_the_scenes_units(presets):
    bpy.context.scene.unit_settings.scale_length = 0.01
    hair = make_hair()
    select(hair)
    bpy.ops.stiction.apply_preset(preset="curly_hair")
    assert_has(hair, presets["curly_hair"], radius=presets["curly_hair"].material.radius / 0.01)


def test_ropes_and_unmarked_objects_have_no_presets():
    bpy.ops.mesh.primitive_plane_add()
    assert not bpy.ops.stiction.apply_preset.poll()
    bpy.ops.curve.primitive_bezier_curve_add()
    bpy.ops.stiction.add(kind="HAIR")
    assert not bpy.ops.stiction.apply_preset.poll()


def test_a_rope_selected_with_hair_stays_a_rope(presets):
    bpy.ops.curve.primitive_bezier_curve_add()
    bpy.ops.stiction.add(kind="HAIR")
    rope, hair = bpy.context.object, make_hair()
    select(hair)
    rope.select_set(True)
    before = settings(rope, presets["fur"].material)
    bpy.ops.stiction.apply_preset(preset="fur")
    assert_has(hair, presets["fur"])
    assert settings(rope, presets["fur"].material) == before


def test_a_fresh_mark_has_the_material_of_its_preset(presets):
    assert_has(make_hair(), presets["straight_hair"])
    assert_has(make_solid(), presets["soft_rubber"])
    bpy.ops.mesh.primitive_plane_add()
    bpy.ops.stiction.add(kind="CLOTH")
    assert_has(bpy.context.object, presets["cotton"])
