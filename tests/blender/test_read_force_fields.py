"""Blender's force fields act on a bake, animated as they are."""

import math

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import animate, inputs_of, refusal_of, set_range, sheet, start_of
from tests.blender.shots import evaluated_world


def field(kind, name=None, **settings):
    bpy.ops.object.effector_add(type=kind)
    obj = bpy.context.object
    obj.name = name or kind.title()
    for setting, value in settings.items():
        setattr(obj.field, setting, value)
    return obj


def read_field(module):
    (found,) = start_of(module).force_fields
    return found


def rows_at(module, folder, time):
    (found,) = inputs_of(module, folder).scene.force_fields
    return found.rows_at(time)


def test_place_axis_and_settings_carry_over(module):
    obj = field("FORCE", "Push", strength=-3.0, flow=0.5, shape="LINE", falloff_power=2.0, z_direction="POSITIVE",
                use_min_distance=True, distance_min=0.25, use_max_distance=True, distance_max=8.0)  # fmt: skip
    obj.location, obj.rotation_euler, obj.scale = (1, 2, 3), (math.radians(90), 0, 0), (2, 2, 2)
    found = read_field(module)
    assert (found.name, found.kind, found.shape, found.side) == ("Push", "force", "line", 1)
    assert (found.strength, found.flow) == (-3.0, 0.5)
    assert found.location == pytest.approx([1, 2, 3])
    assert found.axis == pytest.approx([0, -1, 0], abs=1e-6)
    falloff = found.falloff
    assert (falloff.power, falloff.least, falloff.greatest, found.falloff_unit) == (2.0, 0.25, 8.0, 1.0)
    assert found.radial_falloff == module("solver.force_fields").Falloff()


def test_a_new_wind_is_blenders_own(module):
    """Blender gives wind a flow of one: things take on its speed at that rate."""
    field("WIND", strength=4.0)
    found = read_field(module)
    assert (found.kind, found.shape, found.strength, found.flow, found.side) == ("wind", "plane", 4.0, 1.0, 0)


def test_drag_damping_and_gusts_come_in_units_of_time_and_length(module):
    field("DRAG", linear_drag=0.5, quadratic_drag=0.25)
    field("HARMONIC", strength=9.0, harmonic_damping=0.5, rest_length=2.0)
    field("TURBULENCE", strength=3.0, size=0.0, seed=7, use_global_coords=True)
    drag, harmonic, turbulence = start_of(module).force_fields
    assert (drag.flow, drag.strength) == (0.5, 0.25)
    assert (harmonic.strength, harmonic.flow, harmonic.size) == pytest.approx((9.0, 3.0, 2.0))
    assert (turbulence.strength, turbulence.size, turbulence.seed, turbulence.is_global) == (3.0, 1.0, 7, True)


def test_unit_scale_is_respected(module):
    bpy.context.scene.unit_settings.scale_length = 0.01
    field("WIND", strength=500.0, use_max_distance=True, distance_max=200.0).location = (100, 0, 0)
    field("VORTEX", strength=2.0)
    field("DRAG", quadratic_drag=0.02)
    field("FORCE", strength=1e6, use_gravity_falloff=True)
    wind, vortex, drag, sun = start_of(module).force_fields
    assert (wind.strength, wind.falloff.greatest, wind.falloff_unit) == pytest.approx((5.0, 2.0, 0.01))
    assert wind.location == pytest.approx([1, 0, 0])
    assert (vortex.strength, drag.strength, sun.strength) == pytest.approx((2.0, 2.0, 1.0))
    assert sun.gravitates


def test_cone_falls_off_by_angle_whatever_the_unit(module):
    bpy.context.scene.unit_settings.scale_length = 0.01
    field("FORCE", falloff_type="CONE", use_radial_max=True, radial_max=30.0)
    assert read_field(module).radial_falloff.greatest == 30.0


def test_animation_of_place_and_strength_is_followed(module, tmp_path):
    obj = field("WIND")
    animate(obj, "location", {1: (0.0, 0.0, 0.0), 9: (8.0, 0.0, 0.0)})
    animate(obj, "rotation_euler", {1: (0.0, 0.0, 0.0), 9: (math.pi, 0.0, 0.0)})
    animate(obj.field, "strength", {1: 0.0, 9: 16.0})
    sheet()
    set_range(1, 9)
    location, axis, (strength, flow, _) = rows_at(module, tmp_path, 4 / 24)
    assert location == pytest.approx([4, 0, 0], abs=1e-5)
    assert axis == pytest.approx([0, -1, 0], abs=1e-5)
    assert (strength, flow) == pytest.approx((8.0, 1.0), abs=1e-5)


def test_a_field_that_is_disabled_has_no_effect_meanwhile(module, tmp_path):
    obj = field("WIND", strength=5.0)
    animate(obj, "hide_viewport", {1: False, 5: True})
    sheet()
    set_range(1, 8)
    assert rows_at(module, tmp_path / "early", 0.0)[2, :2] == pytest.approx([5.0, 1.0])
    assert rows_at(module, tmp_path / "late", 6 / 24)[2, :2] == pytest.approx([0.0, 0.0])


def test_a_place_beyond_all_numbers_is_refused_in_words(module, tmp_path):
    parent = field("FORCE", "Parent", strength=0.0)
    child = field("WIND")
    child.parent, child.location = parent, (1e30, 0.0, 0.0)
    animate(parent, "scale", {1: (1.0, 1.0, 1.0), 3: (1.0, 1.0, 1.0), 4: (1e30, 1e30, 1e30)})
    sheet()
    set_range(1, 5)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert sentence.startswith('Force field "Wind": its animation is not finite at frame 4.')


def test_fields_can_be_left_out(module):
    field("WIND")
    bpy.context.scene.stiction.use_force_fields = False
    assert start_of(module).force_fields == []


def test_turbulence_of_the_scene_carries_over(module):
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.1
    scene.stiction.turbulence, scene.stiction.turbulence_size, scene.stiction.turbulence_seed = 20.0, 5.0, 3
    found = start_of(module)
    assert (found.turbulence, found.turbulence_size) == pytest.approx((2.0, 0.5))
    assert found.turbulence_seed == 3


def test_ignored_type_is_a_warning_of_check(module):
    sheet()
    field("MAGNET", "Fridge")
    (problem,) = module("addon.operators.check").find_problems(bpy.context)
    assert problem.is_warning
    assert problem.sentence.startswith('Force field "Fridge": fields of the type Magnet have no effect here.')
    assert bpy.ops.stiction.check() == {"FINISHED"}


def baked_sheet(blend_path, last_frame=9):
    """A small sheet in the plane z = 0 without weight; the keyed or turning field moves it."""
    scene = bpy.context.scene
    scene.use_gravity = False
    set_range(1, last_frame)
    cloth = sheet(size=3)
    cloth.location = (1.0, 0.0, 0.0)
    bpy.ops.wm.save_mainfile()
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    return cloth


def test_keyed_wind_moves_a_cloth_when_it_blows(blend_path):
    """Off until frame 5: the sheet stays; then it goes up."""
    animate(field("WIND").field, "strength", {1: 0.0, 5: 0.0, 6: 10.0})
    cloth = baked_sheet(blend_path)
    heights = []
    for frame in (5, 9):
        bpy.context.scene.frame_set(frame)
        heights.append(evaluated_world(cloth)[:, 2])
    assert np.abs(heights[0]).max() < 1e-6
    assert (heights[1] > 0.05).all()


def test_vortex_turns_a_cloth_around_its_axis(blend_path):
    field("VORTEX", strength=3.0).location = (-2.0, 1.0, 0.0)
    cloth = baked_sheet(blend_path, 13)
    centres = []
    for frame in (1, 13):
        bpy.context.scene.frame_set(frame)
        centres.append(evaluated_world(cloth).mean(axis=0))
    assert centres[1][1] - centres[0][1] > 0.3
    assert abs(centres[1][2]) < 1e-3
