"""The whole way in a real Blender: mark, bake, play back."""

import bpy
import numpy as np
import pytest

from .shots import LAST_FRAME, evaluated_world, fallen, make_sheet, make_shot, select


@pytest.fixture
def shot(blend_path):
    return make_shot()


def test_bake_plays_what_was_simulated(shot):
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    sheet, hair = shot.objects["Sheet"], shot.objects["Groom"]
    for frame in range(1, LAST_FRAME + 1):
        shot.frame_set(frame)
        heights = evaluated_world(sheet)[:, 2]
        assert np.allclose(heights[2:], 2.0 - fallen(frame), atol=1e-6)
        assert np.allclose(heights[:2], 2.0, atol=1e-6)
        roots = evaluated_world(hair)[[0, 4]]
        x = shot.objects["Sphere"].matrix_world.translation.x
        assert np.allclose(roots, [[x, 0, 1], [x + 1, 0, 0]], atol=1e-5)


def test_playhead_and_stack_are_as_before(shot):
    shot.frame_set(3, subframe=0.25)
    sheet = shot.objects["Sheet"]
    sheet.modifiers.new("Smooth", "SUBSURF")
    flags = [(modifier.name, modifier.show_viewport) for modifier in sheet.modifiers if modifier.name != "Stiction"]
    bpy.ops.stiction.bake()
    assert (shot.frame_current, shot.frame_subframe) == (3, 0.25)
    after = [(modifier.name, modifier.show_viewport) for modifier in sheet.modifiers if modifier.name != "Stiction"]
    assert after == flags
    assert [tree.name for tree in bpy.data.node_groups if "Stiction Playback" not in tree.name] == []


def test_bake_is_never_replaced_unasked(shot):
    bpy.ops.stiction.bake()
    with pytest.raises(RuntimeError, match="holds a bake already"):
        bpy.ops.stiction.bake()
    assert bpy.ops.stiction.bake(overwrite=True) == {"FINISHED"}


def test_changes_are_named_on_resume(shot):
    bpy.ops.stiction.bake()
    shot.objects["Sheet"].stiction.air_drag = 2.0
    shot.frame_end += 2
    with pytest.raises(RuntimeError, match=r'"Sheet": material air drag was 0.0, is 2.0'):
        bpy.ops.stiction.bake(resume=True)


def test_resume_with_a_renamed_object_is_refused_in_words(shot):
    bpy.ops.stiction.bake()
    shot.objects["Sheet"].name = "Skirt"
    with pytest.raises(RuntimeError, match=r'"Skirt" was not part of the bake; "Sheet" is no longer there'):
        bpy.ops.stiction.bake(resume=True)


def test_refused_resume_leaves_the_playback_alone(shot):
    bpy.ops.stiction.bake()
    shot.frame_start = 3
    with pytest.raises(RuntimeError, match="start frame was 1, is 3"):
        bpy.ops.stiction.bake(resume=True)
    shot.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(shot.objects["Sheet"])[2:, 2], 2.0 - fallen(LAST_FRAME), atol=1e-6)


def test_longer_range_goes_on(shot):
    bpy.ops.stiction.bake()
    shot.frame_end += 3
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}
    shot.frame_set(LAST_FRAME + 3)
    assert np.allclose(evaluated_world(shot.objects["Sheet"])[2:, 2], 2.0 - fallen(LAST_FRAME + 3), atol=1e-6)


def test_a_rope_that_is_edited_during_the_bake_does_not_keep_the_others_from_playing(blend_path, module):
    bpy.ops.curve.primitive_bezier_curve_add()
    rope = bpy.context.object
    bpy.ops.stiction.add(kind="HAIR")
    make_shot()
    session = module("addon.bake_session").BakeSession(bpy.context)
    for progress in session.run():
        if progress.stage != "Reading animation":
            rope.data.splines[0].resolution_u = 30
    assert "points now" in session.warnings[-1]
    assert bpy.data.objects["Sheet"].modifiers["Stiction"].show_viewport


def test_free_bake_shows_the_object_as_before(shot, module):
    bpy.ops.stiction.bake()
    folder = module("addon.cache_folder").cache_folder(shot)
    assert folder.exists()
    bpy.ops.stiction.free_bake()
    assert not folder.exists()
    shot.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(shot.objects["Sheet"])[:, 2], 2.0)


def test_undo_of_a_later_change_keeps_the_playback(shot):
    bpy.ops.ed.undo_push(message="Before the bake")
    bpy.ops.stiction.bake()
    bpy.data.objects["Cube"].location.x = 3
    bpy.ops.ed.undo_push(message="Move")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Cube"].location.x == 0
    bpy.context.scene.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(bpy.data.objects["Sheet"])[2:, 2], 2.0 - fallen(LAST_FRAME), atol=1e-6)


def test_unsaved_file_needs_a_folder():
    make_sheet()
    with pytest.raises(RuntimeError, match="The file has not been saved yet"):
        bpy.ops.stiction.bake()


def test_unsaved_file_with_a_folder_bakes(tmp_path):
    make_sheet()
    bpy.context.scene.frame_end = 3
    bpy.context.scene.stiction.cache_folder = str(tmp_path / "bake")
    assert bpy.ops.stiction.bake() == {"FINISHED"}


def test_refused_scene_names_everything(shot):
    shot.objects["Sheet"].stiction.area_density = 0.0
    shot.objects["Groom"].stiction.radius = 0.0
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.stiction.bake()
    assert 'Cloth "Sheet": its area density must be above zero' in str(caught.value)
    assert 'Hair "Groom": its radius must be above zero' in str(caught.value)


def test_refused_scene_keeps_the_old_bake(shot, module):
    bpy.ops.stiction.bake()
    shot.objects["Sheet"].stiction.area_density = 0.0
    with pytest.raises(RuntimeError):
        bpy.ops.stiction.bake(overwrite=True)
    store = module("solver.frame_store").FrameStore.open(module("addon.cache_folder").cache_folder(shot))
    assert store.is_complete
    assert store.verify() == []


def test_what_a_baked_rope_cannot_show_is_told(blend_path, module):
    bpy.ops.curve.primitive_bezier_curve_add()
    rope = bpy.context.object
    rope.name, rope.data.bevel_depth, bpy.context.scene.frame_end = "Rope", 0.1, 2
    bpy.ops.stiction.add(kind="HAIR")
    warnings = []
    for rope.data.extrude, rope.data.bevel_mode in ((0.0, "ROUND"), (0.3, "PROFILE")):
        session = module("addon.bake_session").BakeSession(
            bpy.context, module("addon.bake_wish").BakeWish(overwrite=True)
        )
        list(session.run())
        warnings.append(session.warnings)
    sentence = 'Hair "Rope": its baked rope is shown without Extrude, Bevel Profile. Convert it to a mesh to keep that.'
    assert warnings == [[], [sentence]]


def test_nothing_marked_is_refused(blend_path):
    with pytest.raises(RuntimeError, match="Nothing to simulate"):
        bpy.ops.stiction.bake()


def test_empty_frame_range_is_refused(shot):
    shot.stiction.use_custom_range = True
    shot.stiction.first_frame, shot.stiction.last_frame = 5, 4
    with pytest.raises(RuntimeError, match="There are no frames to bake"):
        bpy.ops.stiction.bake()


def test_folder_that_cannot_be_written_is_refused(shot, tmp_path):
    (tmp_path / "file").write_text("")
    shot.stiction.cache_folder = str(tmp_path / "file" / "bake")
    with pytest.raises(RuntimeError, match="Cannot write to the cache folder"):
        bpy.ops.stiction.bake()


def test_nothing_is_left_beside_the_bake(shot, module):
    bpy.ops.stiction.bake()
    names = {path.name for path in module("addon.cache_folder").cache_folder(shot).iterdir()}
    assert names == {
        *("Sheet.pc2", "Groom.pc2", "bake.json", "frames.jsonl"),
        *("checkpoint_a.npz", "checkpoint_b.npz", "checkpoint_000000.npz", "bake.lock"),
    }


@pytest.mark.parametrize("damage", ["missing", "shortened", "altered"])
def test_a_damaged_bake_is_neither_exported_nor_made_shape_keys(shot, tmp_path, damage):
    bpy.ops.stiction.bake()
    path = tmp_path / "stiction_cache" / "shot" / "Sheet.pc2"
    data = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(data[:-50] if damage == "shortened" else data[:-1] + b"?")
    select(shot.objects["Sheet"])
    names = set(bpy.data.objects.keys())
    with pytest.raises(RuntimeError, match=r"[Ff]ree the bake and bake again"):
        bpy.ops.stiction.to_shape_keys()
    assert set(bpy.data.objects.keys()) == names
    with pytest.raises(RuntimeError, match=r"[Ff]ree the bake and bake again"):
        bpy.ops.stiction.export(filepath=str(tmp_path / "shot.abc"))
    assert not (tmp_path / "shot.abc").exists()


def test_wrong_type_is_refused_in_words():
    bpy.ops.object.light_add()
    with pytest.raises(RuntimeError, match='"Point" cannot be marked as Cloth: that needs a mesh'):
        bpy.ops.stiction.add(kind="CLOTH")


def test_check_lists_problems(shot):
    assert bpy.ops.stiction.check() == {"FINISHED"}
    shot.objects["Sheet"].stiction.area_density = 0.0
    with pytest.raises(RuntimeError, match="its area density must be above zero"):
        bpy.ops.stiction.check()


def test_remove_takes_the_object_out(shot):
    sheet = shot.objects["Sheet"]
    select(sheet)
    bpy.ops.stiction.remove()
    assert sheet.stiction.kind == "NONE"
    assert list(sheet.modifiers) == []
