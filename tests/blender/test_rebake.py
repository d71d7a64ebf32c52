"""To the playhead, again from it, what changed since, and the report."""

import bpy
import numpy as np
import pytest

from .shots import LAST_FRAME, evaluated_world, fallen, make_sheet, make_shot


@pytest.fixture
def shot(blend_path):
    return make_shot()


@pytest.fixture
def status(module):
    return lambda: module("addon.bake_status").bake_status(bpy.context.scene)


def cache_bytes(folder):
    return {path.name: path.read_bytes() for path in (folder / "stiction_cache" / "shot").glob("*.pc2")}


def test_bake_to_the_playhead_can_be_resumed_to_the_same_bits(shot, tmp_path, status):
    bpy.ops.stiction.bake()
    whole = cache_bytes(tmp_path)
    bpy.ops.stiction.free_bake()
    shot.frame_set(3)
    assert bpy.ops.stiction.bake(to_playhead=True) == {"FINISHED"}
    assert (status().frames_done, status().can_resume) == (3, True)
    assert status().sentences == (f"Baked: frames 1 to 3 of {LAST_FRAME}",)
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}
    assert cache_bytes(tmp_path) == whole and not status().can_resume


def test_a_longer_shot_can_be_resumed_from_the_panel(shot, status):
    bpy.ops.stiction.bake()
    assert not status().can_resume
    shot.frame_end += 2
    assert status().can_resume


def test_again_from_the_playhead_keeps_what_was_before(blend_path):
    """The state of the first frame is kept, and of every tenth after it."""
    sheet, scene = make_sheet(), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 14
    bpy.ops.stiction.bake()
    scene.gravity[2] = 0.0
    scene.frame_set(13)
    assert bpy.ops.stiction.bake(from_playhead=True) == {"FINISHED"}
    scene.frame_set(11)
    assert np.allclose(evaluated_world(sheet)[2:, 2], 2.0 - fallen(11), atol=1e-5)
    scene.frame_set(14)  # three frames at the speed that it had
    speed = 9.81 * 10 / 24
    assert np.allclose(evaluated_world(sheet)[2:, 2], 2.0 - fallen(11) - 3 * speed / 24, atol=1e-4)


@pytest.mark.parametrize(
    ("frame", "words"), [(1, "cannot be baked from frame 1"), (99, "cannot be baked from frame 99")]
)
def test_a_playhead_outside_the_shot_is_refused(shot, tmp_path, frame, words):
    bpy.ops.stiction.bake()
    before = cache_bytes(tmp_path)
    shot.frame_set(frame)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.stiction.bake(from_playhead=True)
    assert cache_bytes(tmp_path) == before


def test_nothing_to_bake_again_is_told(shot):
    shot.frame_set(3)
    with pytest.raises(RuntimeError, match="There is no bake yet"):
        bpy.ops.stiction.bake(from_playhead=True)
    with pytest.raises(RuntimeError, match="Resume and Rebake contradict each other"):
        bpy.ops.stiction.bake(from_playhead=True, resume=True)


def test_what_changed_is_named_and_undone_changes_are_not(shot, status):
    bpy.ops.stiction.bake()
    assert status().changed == ()
    sheet = shot.objects["Sheet"]
    before = sheet.stiction.friction
    sheet.stiction.friction, shot.stiction.wind[0] = 0.75, 3.0
    changed = " ".join(status().changed)
    assert '"Sheet": friction was 0.3, is 0.75' in changed
    assert "wind was [0.0, 0.0, 0.0], is [3.0, 0.0, 0.0]" in changed
    sheet.stiction.friction, shot.stiction.wind[0] = before, 0.0
    assert status().changed == ()


def test_renamed_deleted_and_edited_objects_are_named(shot, status):
    bpy.ops.stiction.bake()
    shot.objects["Sheet"].name = "Skirt"
    assert '"Skirt" was not part of the bake' in status().changed and '"Sheet" is no longer there' in status().changed
    shot.objects["Skirt"].name = "Sheet"
    mesh = shot.objects["Sheet"].data
    count = len(mesh.vertices)
    mesh.vertices.add(1)
    sentence = f'"Sheet" has {count + 1} vertices, but {count} were baked: it shows as it is, unmoved'
    assert status().changed == (sentence,)
    bpy.data.objects.remove(shot.objects["Groom"])
    assert '"Groom" is no longer there' in status().changed


def test_a_painted_and_keyed_friction_is_no_change(shot, status):
    sheet = shot.objects["Sheet"]
    sheet.stiction.friction_map = "Pins"
    for frame, friction in ((1, 0.2), (4, 0.9)):
        sheet.stiction.friction = friction
        sheet.keyframe_insert("stiction.friction", frame=frame)
    bpy.ops.stiction.bake()
    shot.frame_set(3)
    assert status().changed == ()


def test_report_is_written_beside_the_bake(shot, tmp_path):
    with pytest.raises(RuntimeError, match="There is no bake yet"):
        bpy.ops.stiction.report()
    bpy.ops.stiction.bake()
    assert bpy.ops.stiction.report() == {"FINISHED"}
    text = (tmp_path / "stiction_cache/shot/report.html").read_text()
    assert f"1 to {LAST_FRAME} of {LAST_FRAME}" in text and text.count("<svg") >= 5


def test_report_by_command(shot, tmp_path, module):
    run = module("addon.command_line").run
    bpy.ops.stiction.bake()
    bpy.ops.wm.save_mainfile()
    assert run(["report", str(tmp_path / "shot.blend"), "--output", str(tmp_path / "page.html")]) == 0
    assert run(["report", str(tmp_path / "stiction_cache/shot")]) == 0
    assert (tmp_path / "page.html").read_text() == (tmp_path / "stiction_cache/shot/report.html").read_text()
    assert run(["report", str(tmp_path)]) == 1
    assert run(["report", str(tmp_path / "other.blend")]) == 2


def test_rebake_by_command(shot, tmp_path, module):
    run = module("addon.command_line").run
    file = str(tmp_path / "shot.blend")
    assert run(["bake", file]) == 0
    before = cache_bytes(tmp_path)
    assert run(["bake", file, "--rebake-from", "4"]) == 0
    assert cache_bytes(tmp_path) == before
    assert run(["bake", file, "--rebake-from", "4", "--resume"]) == 2
