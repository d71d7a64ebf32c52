"""A bake whose folder is elsewhere, or cannot be written: said in words, never a traceback."""

from pathlib import Path

import bpy
import pytest

from .shots import make_shot


@pytest.fixture
def shot(blend_path):
    scene = make_shot()
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    return scene


@pytest.fixture
def folder(shot, module):
    return module("addon.cache_folder").cache_folder(shot)


@pytest.fixture
def read_only(monkeypatch, folder):
    """As a folder that others own: files in it can be read, but neither changed nor deleted.

    Tests may run as a user for whom permissions do not count.
    """

    def refused(method):
        def guarded(path, *arguments, **named):
            is_reading = method.__name__ == "open" and (arguments or ("r",))[0] in ("r", "rb")
            if folder in (path, path.parent) and not is_reading:
                raise PermissionError(13, "Permission denied", str(path))
            return method(path, *arguments, **named)

        return guarded

    for name in ("open", "unlink", "rmdir", "mkdir"):
        monkeypatch.setattr(Path, name, refused(getattr(Path, name)))


def test_freeing_a_read_only_bake_is_refused_in_words(shot, folder, read_only):
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(RuntimeError, match=r'Cannot write to the folder ".*" \(Permission denied\)'):
        bpy.ops.stiction.free_bake()
    assert {path.name for path in folder.iterdir()} == before
    assert shot.objects["Sheet"].modifiers["Stiction"].show_viewport, "it still plays"


def test_files_that_cannot_be_deleted_are_told(shot, folder, monkeypatch):
    """The lock may be writable where the other files are not."""

    def refuse(path, missing_ok=False):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(RuntimeError, match=r'Cannot delete the bake in ".*" \(Permission denied\)'):
        bpy.ops.stiction.free_bake()
    assert (folder / "Sheet.pc2").exists() and (folder / "bake.json").exists()


def test_resuming_a_read_only_bake_is_refused_in_words(shot, folder, read_only, module):
    shot.frame_end += 1
    with pytest.raises(RuntimeError, match=r"Cannot write to the .*folder"):
        bpy.ops.stiction.bake(resume=True)


def test_resume_and_overwrite_contradict_each_other(shot, folder):
    with pytest.raises(RuntimeError, match="Resume and Bake Anew contradict each other"):
        bpy.ops.stiction.bake(resume=True, overwrite=True)
    assert (folder / "Sheet.pc2").exists()


def test_resume_and_overwrite_on_the_command_line_are_wrong_usage(shot, folder, module, capfd):
    assert module("addon.command_line").run(["bake", bpy.data.filepath, "--resume", "--overwrite"]) == 2
    assert "--overwrite: not allowed with argument --resume" in capfd.readouterr().err
    assert (folder / "Sheet.pc2").exists()


def test_saved_elsewhere_the_panel_tells_where_the_bake_is(shot, folder, module, tmp_path):
    status = module("addon.bake_status").bake_status
    assert status(shot).frames_done
    (tmp_path / "other").mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "other" / "shot.blend"), relative_remap=True)
    assert module("addon.playback_modifier").played_file(bpy.data.objects["Groom"]) == folder / "Groom.pc2"
    found = status(bpy.context.scene)
    assert found.frames_done == 0
    assert found.sentences == (f'The bake that plays is in "{folder}"', "Choose that as Cache Folder to go on with it")
    bpy.context.scene.stiction.cache_folder = str(folder)
    assert status(bpy.context.scene).frames_done


def test_a_cache_that_was_deleted_by_hand_is_told(shot, folder, module):
    status = module("addon.bake_status").bake_status
    (folder / "Sheet.pc2").rename(folder / "elsewhere")
    (sentence,) = status(shot).changed
    assert sentence.startswith('"Sheet" has lost the file "Sheet.pc2" of its bake')
    (folder / "elsewhere").rename(folder / "Sheet.pc2")
    assert status(shot).changed == ()
    folder.rename(folder.with_name("deleted"))
    first, second = status(shot).sentences
    assert str(folder) in first and "not there any more" in first and "Put the folder back" in second
    assert bpy.ops.stiction.bake() == {"FINISHED"}


def test_nothing_is_told_where_nothing_plays(shot, module):
    status = module("addon.bake_status").bake_status
    bpy.ops.stiction.free_bake()
    assert status(shot) == module("addon.bake_status").NO_BAKE
    shot.stiction.cache_folder = "//elsewhere"
    assert status(shot) == module("addon.bake_status").NO_BAKE
