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


def test_longer_range_goes_on(shot):
    bpy.ops.stiction.bake()
    shot.frame_end += 3
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}
    shot.frame_set(LAST_FRAME + 3)
    assert np.allclose(evaluated_world(shot.objects["Sheet"])[2:, 2], 2.0 - fallen(LAST_FRAME + 3), atol=1e-6)


def test_free_bake_shows_the_object_as_before(shot, module):
    bpy.ops.stiction.bake()
    folder = module("addon.cache_folder").cache_folder(shot)
    assert folder.exists()
    bpy.ops.stiction.free_bake()
    assert not folder.exists()
    shot.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(shot.objects["Sheet"])[:, 2], 2.0)


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
        *("checkpoint_a.npz", "checkpoint_b.npz", "bake.lock"),
    }


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
