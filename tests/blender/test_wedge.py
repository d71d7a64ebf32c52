"""A wedge: variants in processes of their own, resumed where they stopped, and one of them made the shot."""

import bpy
import numpy as np
import pytest

from .reading_scenes import animate
from .shots import LAST_FRAME, evaluated_world, fallen, make_sheet


@pytest.fixture
def shot(blend_path):
    """A sheet of two frames; it falls freely, more slowly with more drag of the air."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 2
    make_sheet()
    bpy.ops.wm.save_mainfile()
    return scene


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "stiction_wedge" / "shot"


def test_the_grid_has_all_combinations(shot, module, folder):
    plan = module("addon.wedge_plan").plan_wedge
    variants = plan(shot, ["Sheet.friction=0.1, 0.3", "steps_per_frame=4,8", "wind=0,0,1;0,0,2"], folder)
    assert [variant.settings for variant in variants][:3] == [
        ("Sheet.friction=0.1", "steps_per_frame=4", "wind=0,0,1"),
        ("Sheet.friction=0.1", "steps_per_frame=4", "wind=0,0,2"),
        ("Sheet.friction=0.1", "steps_per_frame=8", "wind=0,0,1"),
    ]
    assert len({variant.folder for variant in variants}) == 8
    assert {variant.folder.parent for variant in variants} == {folder}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([], "Nothing is varied"),
        (["Sheet.friction"], "is not of the form"),
        (["Sheet.friction=0.1,slippery"], "a number"),
        (["Coat.friction=1"], 'There is no object "Coat"'),
        (["steps_per_frame=0,4"], "is out of range"),
        (["Sheet.friction=" + ",".join(map(str, range(1, 40)))] * 2, "at most 1000"),
    ],
)
def test_bad_wishes_are_refused_before_anything_starts(shot, module, folder, texts, words):
    with pytest.raises(module("solver.errors").StictionError, match=words):
        module("addon.wedge_plan").plan_wedge(shot, texts, folder)
    assert not folder.exists()


def assert_sheet_shows(path, count):
    """Stills beside each other, with letters below each of them."""
    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    assert (width, height) == (8 + count * 488, 8 + 412)
    labels = pixels.reshape(height, width, 4)[8:44, :, 0]
    for number in range(count):
        assert (labels[:, 8 + 488 * number : 8 + 488 * (number + 1)] > 0.9).sum() > 50
    stills = pixels.reshape(height, width, 4)[44:404, 8:488, :3]
    assert stills.std() > 0.01


def test_keyframes_that_would_undo_a_value_are_refused(shot, module, folder):
    animate(shot.objects["Sheet"].stiction, "friction", {1: 0.1, 2: 0.5})
    with pytest.raises(module("solver.errors").StictionError, match=r'"Sheet\.friction" is animated'):
        module("addon.wedge_plan").plan_wedge(shot, ["Sheet.friction=0.1,0.3"], folder)


def test_a_wedge_is_baked_compared_resumed_and_used(shot, module, folder):
    """In one test, because each variant starts a Blender."""
    assert bpy.ops.stiction.wedge(settings="Sheet.air_drag=0,20", workers=1) == {"FINISHED"}
    page = (folder / "wedge.html").read_text()
    assert page.count("<figure>") == 2 and "Sheet.air_drag=20" in page and 'class="bad"' not in page
    assert_sheet_shows(folder / "wedge.png", 2)
    (folder / "wedge.png").unlink()
    (folder / "wedge.png").mkdir()  # something in the way
    with pytest.raises(RuntimeError, match="The variants are baked, but their page cannot be written"):
        bpy.ops.stiction.wedge(settings="Sheet.air_drag=0,20", workers=1)
    variants = module("addon.wedge_plan").find_variants(folder)
    assert [variant.title for variant in variants] == ["Sheet.air_drag=0", "Sheet.air_drag=20"]
    assert all(variant.measures()["complete"] for variant in variants)
    assert not (folder.parent.parent / "stiction_cache").exists()  # the shot itself is as it was

    assert bpy.ops.stiction.use_variant(folder=str(variants[1].folder)) == {"FINISHED"}
    sheet = shot.objects["Sheet"]
    assert sheet.stiction.air_drag == 20.0
    shot.frame_set(2)
    slow = evaluated_world(sheet)[2:, 2]
    bpy.ops.stiction.use_variant(folder=str(variants[0].folder))
    shot.frame_set(1)
    shot.frame_set(2)
    assert np.allclose(evaluated_world(sheet)[2:, 2], 2.0 - fallen(2), atol=1e-6)
    assert (slow > evaluated_world(sheet)[2:, 2] + 1e-5).all()
    shot.frame_end = LAST_FRAME
    assert module("addon.bake_status").bake_status(shot).can_resume  # it is the shot's own bake now


def test_a_folder_without_a_variant_is_refused(shot, tmp_path):
    with pytest.raises(RuntimeError, match="holds no variant"):
        bpy.ops.stiction.use_variant(folder=str(tmp_path))


def test_a_quotation_mark_without_another_is_refused(shot):
    with pytest.raises(RuntimeError, match="quotation mark"):
        bpy.ops.stiction.wedge(settings="Shirt's.friction=0.1,0.3")


def test_a_file_where_the_variants_would_lie_is_refused(shot, folder):
    folder.parent.parent.mkdir(parents=True, exist_ok=True)
    folder.parent.write_text("in the way")
    with pytest.raises(RuntimeError, match="no place for the variants"):
        bpy.ops.stiction.wedge(settings="Sheet.air_drag=0,2")


def test_an_unsaved_file_is_refused():
    make_sheet()
    with pytest.raises(RuntimeError, match="Save the file first"):
        bpy.ops.stiction.wedge(settings="Sheet.friction=1")


def test_wedge_by_command_tells_of_a_variant_that_fails(shot, module, folder, tmp_path, capsys):
    run = module("addon.command_line").run
    words = ["wedge", str(tmp_path / "shot.blend"), "--set", "Sheet.area_density=0", "--workers", "1"]
    assert run(words) == 3
    assert "its area density must be above zero" in capsys.readouterr().err
    assert "area density" in (folder / "wedge.html").read_text()
    assert run(["wedge", str(tmp_path / "shot.blend")]) == 1
