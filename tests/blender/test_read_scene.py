"""Reading leaves the file as it was, and carries the scene's settings over."""

import errno

import bpy
import pytest

from tests.blender.reading_scenes import (
    add_group,
    animate,
    hair_object,
    inputs_of,
    refusal_of,
    set_range,
    sheet,
    start_of,
)
from tests.blender.test_read_ropes import rope


def everything():
    """Names of all data in the file, and all that reading touches."""
    data = {kind: sorted(item.name for item in getattr(bpy.data, kind)) for kind in DATA_KINDS}
    scene = bpy.context.scene
    flags = {
        (obj.name, modifier.name): (modifier.show_viewport, modifier.show_render, modifier == obj.modifiers.active)
        for obj in bpy.data.objects
        for modifier in obj.modifiers
    }
    selection = {obj.name: obj.select_get() for obj in scene.objects}
    active = bpy.context.view_layer.objects.active
    return data, flags, selection, active and (active.name, active.mode), scene.frame_current, scene.frame_subframe


DATA_KINDS = ("objects", "meshes", "curves", "hair_curves", "node_groups", "shape_keys", "actions", "collections")


@pytest.fixture
def shot(module):
    """Cloth with pins below and above modifiers, hair on a scalp, and a rope with shape keys."""
    playback = module("addon.playback_modifier")
    cloth = sheet("Cloth")
    add_group(cloth, {0: 1.0})
    cloth.modifiers.new("Mirror", "MIRROR")
    playback.add_playback_modifier(cloth).show_viewport = True
    cloth.modifiers.new("Subdivision", "SUBSURF")
    cloth.modifiers.new("Off", "SUBSURF").show_viewport = False
    hair = hair_object("Hair", [[(0.2, 0.2, 0), (0.2, 0.2, 1), (0.2, 0.2, 2)]])
    hair.data.surface = sheet("Scalp", "COLLIDER")
    playback.add_playback_modifier(hair).show_viewport = True
    cord = rope("POLY")
    cord.shape_key_add(name="Basis")
    cord.shape_key_add(name="Other")
    playback.add_playback_modifier(cord)
    animate(cord, "location", {1: (0.0, 0.0, 0.0), 5: (0.0, 0.0, 1.0)})
    cloth.select_set(True)
    bpy.context.view_layer.objects.active = cloth
    set_range(1, 5, samples=2)
    bpy.context.scene.frame_set(3, subframe=0.25)


def test_a_full_reading_leaves_the_file_as_it_was(module, shot, tmp_path):
    before = everything()
    inputs_of(module, tmp_path)
    assert everything() == before


def test_a_check_leaves_the_file_as_it_was(module, shot):
    before = everything()
    start_of(module)
    assert everything() == before


def test_a_reading_closed_half_way_leaves_the_file_as_it_was(module, shot, tmp_path):
    before = everything()
    reader = module("addon.read_scene").SceneReader(bpy.context.scene, bpy.context.view_layer, tmp_path / "motion")
    steps = reader.read()
    while reader.start is None:  # an object a step
        assert next(steps) == (0, 9)
    assert [next(steps), next(steps)] == [(1, 9), (2, 9)]
    steps.close()
    assert everything() == before
    assert reader.inputs is None


def test_a_start_closed_after_its_first_object_leaves_the_file_as_it_was(module, shot):
    before = everything()
    steps = module("addon.read_scene").read_start_in_steps(bpy.context.scene, bpy.context.view_layer)
    next(steps)
    steps.close()
    assert everything() == before


def test_a_refusal_half_way_leaves_the_file_as_it_was(module, shot, tmp_path):
    animate(bpy.data.objects["Cloth"], "scale", {1: (1.0, 1.0, 1.0), 4: (1.0, 1.0, 0.0)})
    bpy.context.scene.frame_set(3, subframe=0.25)
    before = everything()
    sentences = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert sentences == [
        'Cloth "Cloth": its scale is zero along an axis at frame 4. '
        "Give it a scale other than zero, also to its parents."
    ]
    assert everything() == before


def test_a_disk_that_fills_up_while_the_animation_is_read_is_told_in_words(module, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module("solver.motion_file").MotionWriter, "append", full)
    sheet(kind="COLLIDER")
    sheet("Cloth")
    with pytest.raises(module("solver.errors").CacheError, match=r"No space left on device.*Make room"):
        inputs_of(module, tmp_path)


def test_a_refused_reading_leaves_no_file_open(module, tmp_path, monkeypatch):
    writers = []
    close = module("solver.motion_file").MotionWriter.close
    monkeypatch.setattr(module("solver.motion_file").MotionWriter, "close", lambda self: writers.append(close(self)))
    obj = sheet(kind="COLLIDER")
    obj.modifiers.new("Array", "ARRAY")
    animate(obj.modifiers["Array"], "count", {1: 1, 4: 2})
    sheet("Cloth")
    with pytest.raises(module("solver.errors").SceneRefused):
        inputs_of(module, tmp_path)
    assert len(writers) == 1


def test_transforms_are_those_of_each_whole_frame(module, tmp_path):
    obj = sheet()
    animate(obj, "location", {2: (0.0, 0.0, 0.0), 4: (4.0, 0.0, 0.0)})
    set_range(2, 4, samples=3)
    inputs = inputs_of(module, tmp_path)
    assert inputs.transforms["Sheet"].shape == (3, 4, 4)
    assert inputs.transforms["Sheet"][:, 0, 3] == pytest.approx([0, 2, 4])
    assert (inputs.first_frame, inputs.last_frame, inputs.scene.start_frame) == (2, 4, 2)


def test_scene_settings_carry_over(module):
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.001
    scene.stiction.steps_per_frame = 7
    scene.stiction.use_custom_range, scene.stiction.first_frame, scene.stiction.last_frame = True, -5, 20
    read = start_of(module)
    assert read.frames_per_second == pytest.approx(30 / 1.001)
    assert (read.steps_per_frame, read.start_frame) == (7, -5)
    assert read.gravity == pytest.approx((0, 0, -9.81))
    assert (read.linearizations, read.contact_iterations, read.contact_tolerance) == (None, None, None)
    scene.use_gravity = False
    assert start_of(module).gravity == (0, 0, 0)


def test_iterations_and_tolerance_of_contacts_carry_over_in_metres(module):
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.01
    scene.stiction.contact_iterations, scene.stiction.contact_tolerance = 400, 0.001
    scene.stiction.linearizations = 3
    read = start_of(module)
    assert read.linearizations == 3
    assert read.contact_iterations == 400 and read.contact_tolerance == pytest.approx(1e-5)


def test_start_positions_are_those_of_the_first_frame_wherever_the_playhead_is(module):
    obj = sheet()
    animate(obj, "location", {-4: (7.0, 0.0, 0.0), 4: (0.0, 0.0, 0.0)})
    scene = bpy.context.scene
    scene.stiction.use_custom_range, scene.stiction.first_frame = True, -4
    scene.frame_set(4)
    assert start_of(module).objects["Sheet"].positions[0, 0] == pytest.approx(7)


def test_motion_files_hold_no_more_than_what_moves(module, tmp_path):
    sheet("Still", "COLLIDER")
    moving = sheet("Moving", "COLLIDER")
    animate(moving, "location", {1: (0.0, 0.0, 0.0), 9: (1.0, 0.0, 0.0)})
    set_range(1, 9)
    objects = inputs_of(module, tmp_path).scene.objects
    assert len(objects["Still"].positions.samples) == 1
    assert isinstance(objects["Moving"].positions.samples, module("solver.motion_file").StoredSamples)
    assert objects["Moving"].positions.samples.shape == (9, 9, 3)


def test_objects_that_are_not_marked_are_left_out(module):
    sheet("Extra", kind="NONE")
    assert start_of(module).objects == {}
