"""What is set but not used is said, by Check and by the bake in the same words."""

import bpy
import pytest

from .reading_scenes import animate, sheet


def field(kind="WIND", **settings):
    obj = bpy.data.objects.new("Fan", None)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.forcefield_toggle()
    obj.field.type = kind
    for name, value in settings.items():
        setattr(obj.field, name, value)
    return obj


@pytest.fixture
def told(module, blend_path):
    """The sentences of Check; those of the bake are the same."""

    def check():
        bpy.context.scene.frame_end = 2
        problems = module("addon.operators.check").find_problems(bpy.context)
        assert all(problem.is_warning for problem in problems)
        session = module("addon.bake_session").BakeSession(bpy.context)
        list(session.run())
        sentences = [problem.sentence for problem in problems]
        assert session.warnings == sentences
        return sentences

    return check


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"noise": 1.0}, "its Noise has no effect here"),
        ({"use_absorption": True}, "its Absorption has no effect here"),
        ({"apply_to_location": False}, "its Affect Location is off, but it moves objects all the same"),
    ],
)
def test_settings_of_fields_that_have_no_effect(told, setting, words):
    sheet()
    field(**setting)
    (sentence,) = told()
    assert sentence.startswith(f'Force field "Fan": {words}')


def test_fields_as_they_come_and_fields_that_are_left_out(told):
    sheet()
    field()
    assert told() == []


def test_a_field_without_any_effect_is_told_once(told):
    sheet()
    field("MAGNET", noise=1.0)
    (sentence,) = told()
    assert "fields of the type Magnet have no effect" in sentence


def test_fields_that_are_switched_off_are_not_told(told):
    sheet()
    field(noise=1.0)
    bpy.context.scene.stiction.use_force_fields = False
    assert told() == []


def test_animated_settings_are_read_at_the_first_frame_and_that_is_told(told):
    shirt = sheet("Shirt")
    animate(shirt.stiction, "cohesion", {1: 0.1, 10: 0.9})
    animate(shirt.stiction, "friction", {1: 0.1, 10: 0.9})  # is followed
    animate(shirt.stiction, "warp_bending", {1: 1e-5, 10: 1e-4})  # too
    shirt.stiction.driver_add("density")
    bpy.context.scene.stiction.keyframe_insert("wind", frame=1)  # too
    bpy.context.scene.stiction.keyframe_insert("turbulence", frame=1)
    assert told() == [
        "The scene: Turbulence is animated, but is read at the first frame only. Clear its keyframes or its driver.",
        'Cloth "Shirt": Cohesion is animated, but is read at the first frame only. Clear its keyframes or its driver.',
        'Cloth "Shirt": Density is animated, but is read at the first frame only. Clear its keyframes or its driver.',
    ]


def test_animation_of_other_things_is_no_matter(told):
    shirt = sheet("Shirt")
    animate(shirt, "location", {1: (0, 0, 0), 5: (0, 0, 1)})
    shirt.hide_render = True
    assert told() == []


def test_an_action_in_a_strip_counts(told):
    shirt = sheet("Shirt")
    animate(shirt.stiction, "air_drag", {1: 0.1, 10: 0.9})
    animation = shirt.animation_data
    strip = animation.nla_tracks.new().strips.new("Strip", 1, animation.action)
    assert strip.action_slot
    animation.action = None
    (sentence,) = told()
    assert "Air Drag is animated" in sentence
