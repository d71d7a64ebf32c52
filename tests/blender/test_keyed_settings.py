"""Keys of gravity, wind, stiffness and pins reach the solver, and a bake does what they say."""

import bpy
import numpy as np
import pytest

from .reading_scenes import animate, hair_object, inputs_of, refusal_of, set_range, sheet
from .shots import evaluated_world, fallen, make_sheet


def read(module, tmp_path, **settings):
    set_range(1, 5, **settings)
    return inputs_of(module, tmp_path).scene


def at_frames(scene, value):
    return [np.round(np.array(value(scene.time_of(frame)), float), 5).tolist() for frame in (1, 3, 5)]


def test_keyed_gravity_and_wind_reach_the_solver(module, tmp_path):
    sheet()
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.5
    animate(scene, "gravity", {1: (0, 0, -10), 5: (0, 0, 0)})
    animate(scene.stiction, "wind", {1: (0, 0, 0), 5: (4, 0, 0)})
    read_scene = read(module, tmp_path)
    assert at_frames(read_scene, read_scene.gravity) == [[0, 0, -5], [0, 0, -2.5], [0, 0, 0]]
    assert at_frames(read_scene, read_scene.wind) == [[0, 0, 0], [1, 0, 0], [2, 0, 0]]


def test_what_is_not_keyed_stays_one_number(module, tmp_path):
    sheet()
    scene = read(module, tmp_path)
    assert scene.gravity == pytest.approx((0, 0, -9.81), abs=1e-6)
    assert (scene.wind, scene.objects["Sheet"].material.warp_stiffness) == ((0, 0, 0), 5000)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("CLOTH", f"{way}_{what}") for way in ("warp", "weft") for what in ("stiffness", "bending")),
        ("CLOTH", "shear_stiffness"),
        ("SOFT", "youngs_modulus"),
        ("HAIR", "bending_modulus"),
        ("HAIR", "stretching_modulus"),
    ],
)
def test_keyed_stiffness_reaches_the_solver(module, tmp_path, kind, name):
    obj = hair_object("Thing", [[(0, 0, 0), (0, 0, 1)]]) if kind == "HAIR" else sheet("Thing", kind)
    animate(obj.stiction, name, {1: 8.0, 5: 4.0})
    scene = read(module, tmp_path)
    assert at_frames(scene, getattr(scene.objects["Thing"].material, name)) == [8, 6, 4]


def test_keyed_pins_are_springs_that_weaken(module, tmp_path):
    obj = sheet()
    group = obj.vertex_groups.new(name="Pin")
    group.add([0], 1.0, "REPLACE")
    group.add([1], 0.5, "REPLACE")
    obj.stiction.pin_group, obj.stiction.pin_stiffness = "Pin", 30.0
    animate(obj.stiction, "pin_strength", {1: 1.0, 5: 0.0})
    scene = read(module, tmp_path)
    pins = scene.objects["Sheet"].soft_pins
    assert (len(scene.objects["Sheet"].pinned), pins.vertices.tolist()) == (0, [0, 1])
    assert at_frames(scene, pins.strength) == [1, 0.5, 0]
    assert pins.stiffness_at(scene.time_of(3), np.full(2, 1e9)) == pytest.approx([30.0, 30.0 * 0.25 / 0.75])


def test_less_strength_counts_without_keys(module, tmp_path):
    hair = hair_object("Groom", [[(0, 0, 0), (0, 0, 1), (0, 0, 2)]])
    hair.stiction.pin_strength, hair.stiction.pin_stiffness = 0.5, 8.0
    pins = read(module, tmp_path).objects["Groom"].soft_pins
    assert pins.vertices.tolist() == [0, 1]
    assert pins.stiffness_at(0.0, np.full(2, 1e9)) == pytest.approx([8.0, 8.0])


def test_roots_on_what_is_simulated_cannot_be_let_go(module, tmp_path):
    body = sheet("Body")
    hair = hair_object("Groom", [[(1, 1, 0), (1, 1, 1)]])
    hair.data.surface = body
    animate(hair.stiction, "pin_strength", {1: 1.0, 5: 0.0})
    (sentence,) = refusal_of(module, lambda: read(module, tmp_path))
    assert sentence.startswith('Hair "Groom": its roots grow on "Body", which is simulated too')


def test_a_cloth_that_is_let_go_falls_from_then_on(blend_path):
    """Its limp part falls at once; the pinned corner holds, and then falls as freely."""
    cloth = make_sheet()
    animate(cloth.stiction, "pin_strength", {1: 1.0, 3: 1.0, 4: 0.0})
    bpy.context.scene.frame_end = 8
    bpy.ops.stiction.bake()
    heights = []
    for frame in range(1, 9):
        bpy.context.scene.frame_set(frame)
        heights.append(evaluated_world(cloth)[[0, -1], 2])
    corner, limp = np.array(heights).T
    assert limp == pytest.approx([2 - fallen(frame) for frame in range(1, 9)], abs=1e-5)
    assert corner[:3] == pytest.approx(2.0, abs=1e-5)
    speeds = -np.diff(corner)[3:] * 24
    assert np.diff(speeds) == pytest.approx(9.81 / 24, rel=1e-3)


def test_gravity_that_is_keyed_to_zero_lets_a_cloth_float_on(blend_path):
    cloth = make_sheet()
    animate(bpy.context.scene, "gravity", {1: (0, 0, -9.81), 3: (0, 0, -9.81), 4: (0, 0, 0)})
    bpy.context.scene.frame_end = 8
    bpy.ops.stiction.bake()
    heights = []
    for frame in range(1, 9):
        bpy.context.scene.frame_set(frame)
        heights.append(evaluated_world(cloth)[-1, 2])
    speeds = -np.diff(heights) * 24
    assert speeds[3:] == pytest.approx(speeds[3], rel=1e-4)
    assert speeds[3] == pytest.approx(9.81 * (2 + 0.375) / 24, rel=1e-4)  # of the third frame's steps ¾, ½, ¼ and 0


def test_changed_keys_are_named_when_a_bake_goes_on(module, blend_path):
    cloth = make_sheet()
    animate(cloth.stiction, "warp_stiffness", {1: 10.0, 3: 20.0})
    bpy.context.scene.frame_end = 3
    bpy.ops.stiction.bake()
    status_of = module("addon.bake_status").bake_status
    assert status_of(bpy.context.scene).changed == ()
    cloth.stiction.weft_stiffness = 77.0
    (sentence,) = status_of(bpy.context.scene).changed
    assert "weft stiffness" in sentence and "is 77" in sentence
    cloth.stiction.weft_stiffness = 1e-12
    animate(cloth.stiction, "warp_stiffness", {3: 30.0})
    bpy.context.scene.frame_end = 4
    with pytest.raises(RuntimeError, match=r"material warp stiffness changed at 0\.042 s"):
        bpy.ops.stiction.bake(resume=True)
