"""What a hurried artist does to a baked shot: a clear sentence, and nothing lost."""

import errno

import bpy
import numpy as np
import pytest

from .shots import LAST_FRAME, evaluated_world, fallen, make_sheet, make_shot, select


@pytest.fixture
def shot(blend_path):
    return make_shot()


@pytest.fixture
def changed(module):
    return lambda: module("addon.bake_status").bake_status(bpy.context.scene).changed


def plays(obj, frame=LAST_FRAME):
    """Whether an object falls as it was baked."""
    bpy.context.scene.frame_set(frame)
    return np.allclose(evaluated_world(obj)[2:, 2], 2.0 - fallen(frame), atol=1e-6)


def test_a_bake_needs_no_selection(shot):
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    assert plays(shot.objects["Sheet"])


def test_a_renamed_object_goes_on_playing_and_is_found_under_its_old_name(shot, changed):
    bpy.ops.stiction.bake()
    sheet = shot.objects["Sheet"]
    sheet.name = "Skirt"
    assert plays(sheet) and any("Skirt" in sentence for sentence in changed())
    sheet.name = "Sheet"
    assert changed() == ()
    shot.frame_end += 1
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}


def test_a_deleted_object_leaves_the_others_playing_and_its_cache(shot, changed, tmp_path):
    bpy.ops.stiction.bake()
    bpy.data.objects.remove(shot.objects["Groom"])
    assert plays(shot.objects["Sheet"]) and '"Groom" is no longer there' in changed()
    assert (tmp_path / "stiction_cache/shot/Groom.pc2").exists()
    with pytest.raises(RuntimeError, match='"Groom" is no longer there'):
        bpy.ops.stiction.bake(resume=True)
    assert bpy.ops.stiction.free_bake() == {"FINISHED"}


def test_joined_objects_show_as_they_are_and_are_named(shot, changed):
    bpy.ops.stiction.bake()
    sheet, cube = shot.objects["Sheet"], shot.objects["Cube"]
    count = len(sheet.data.vertices)
    select(cube)
    sheet.select_set(True)
    bpy.context.view_layer.objects.active = sheet
    bpy.ops.object.join()
    shot.frame_set(LAST_FRAME)
    assert len(evaluated_world(sheet)) == count + 8
    sentences = " ".join(changed())
    assert f'"Sheet" has {count + 8} vertices, but {count} were baked' in sentences
    assert '"Cube" is no longer there' in sentences
    bpy.ops.ed.undo_push(message="joined")
    assert bpy.ops.stiction.bake(overwrite=True) == {"FINISHED"}


def test_the_same_mesh_twice_is_two_pieces_of_cloth(blend_path):
    first, scene = make_sheet(), bpy.context.scene
    scene.frame_end = 3
    select(first)
    bpy.ops.object.duplicate(linked=True)
    second = bpy.context.object
    second.location.x += 5.0
    second.stiction.air_drag = 30.0
    assert second.data == first.data
    bpy.ops.stiction.bake()
    assert plays(first, 3) and not plays(second, 3)
    assert evaluated_world(second)[:, 0].min() > 4.0


def test_a_fractional_frame_rate_is_kept(blend_path):
    """23.976 frames a second."""
    sheet, scene = make_sheet(), bpy.context.scene
    scene.render.fps, scene.render.fps_base, scene.frame_end = 24, 1.001, 4
    bpy.ops.stiction.bake()
    scene.frame_set(4)
    assert np.allclose(evaluated_world(sheet)[2:, 2], 2.0 - fallen(4, fps=24 / scene.render.fps_base), atol=1e-6)


def test_two_blenders_on_one_cache(shot, module, tmp_path):
    bpy.ops.stiction.bake()
    folder = tmp_path / "stiction_cache" / "shot"
    lock = module("solver.folder_lock").FolderLock(folder)
    shot.frame_end += 1
    try:
        for words in ({"resume": True}, {"overwrite": True}):
            with pytest.raises(RuntimeError, match="Another Blender is baking into"):
                bpy.ops.stiction.bake(**words)
        with pytest.raises(RuntimeError, match="Another Blender is baking into"):
            bpy.ops.stiction.free_bake()
    finally:
        lock.release()
    assert plays(shot.objects["Sheet"])
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}


def test_hair_without_a_scalp_bakes(shot):
    shot.objects["Groom"].data.surface = None
    assert bpy.ops.stiction.bake() == {"FINISHED"}


def put_into_collection(obj, name="Clothes"):
    """A collection of its own in the view layer."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for other in obj.users_collection:
        other.objects.unlink(obj)
    collection.objects.link(obj)
    return bpy.context.view_layer.layer_collection.children[name]


def test_a_collection_that_is_hidden_with_the_eye_is_baked(shot):
    sheet = shot.objects["Sheet"]
    layer = put_into_collection(sheet)
    layer.hide_viewport = True
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    layer.hide_viewport = False
    assert plays(sheet)


def test_a_collection_that_is_disabled_in_viewports_is_named_and_the_bake_stays(shot):
    bpy.ops.stiction.bake()
    sheet = shot.objects["Sheet"]
    layer = put_into_collection(sheet)
    layer.collection.hide_viewport = True
    with pytest.raises(RuntimeError, match='Cloth "Sheet": it, or its collection, is disabled in viewports'):
        bpy.ops.stiction.bake(overwrite=True)
    layer.collection.hide_viewport = False
    assert plays(sheet)


def test_a_collection_that_is_excluded_is_named_and_the_bake_stays(shot):
    bpy.ops.stiction.bake()
    sheet = shot.objects["Sheet"]
    layer = put_into_collection(sheet)
    layer.exclude = True
    with pytest.raises(RuntimeError, match="it is not in the view layer; include its collection"):
        bpy.ops.stiction.bake(overwrite=True)
    layer.exclude = False
    assert plays(sheet)


def test_a_file_with_nothing_to_simulate_is_refused(blend_path):
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.stiction.add(kind="COLLIDER")
    with pytest.raises(RuntimeError, match="Nothing to simulate: select the objects and press Set Up Shot"):
        bpy.ops.stiction.bake()
    assert not (blend_path.parent / "stiction_cache" / "shot").exists()


def test_a_mesh_that_is_subdivided_after_the_bake_shows_as_it_is_and_is_named(shot, changed):
    bpy.ops.stiction.bake()
    sheet = shot.objects["Sheet"]
    count = len(sheet.data.vertices)
    before = sheet.data.copy()
    select(sheet)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    bpy.ops.object.mode_set(mode="OBJECT")
    shot.frame_set(LAST_FRAME)
    assert len(evaluated_world(sheet)) == len(sheet.data.vertices) > count
    assert any(f"but {count} were baked: it shows as it is, unmoved" in sentence for sentence in changed())
    shot.frame_end += 1
    with pytest.raises(RuntimeError, match="changed since the bake"):
        bpy.ops.stiction.bake(resume=True)
    sheet.data = before
    assert plays(sheet) and not any("were baked" in sentence for sentence in changed())


def test_a_modifier_that_is_dragged_above_the_simulation_is_named(shot, changed):
    bpy.ops.stiction.bake()
    sheet = shot.objects["Sheet"]
    sheet.modifiers.new("Finer", "SUBSURF")
    assert changed() == ()
    sheet.modifiers.move(1, 0)
    assert changed() == (
        '"Sheet" has Finer above the modifier Stiction, but was baked without: it shows as it is, unmoved. '
        "Drag it below, or bake anew",
    )
    sheet.modifiers.remove(sheet.modifiers["Finer"])
    assert changed() == () and plays(sheet)


@pytest.mark.parametrize("name", ["Sheet", "Groom"])
def test_a_playback_that_is_switched_off_or_removed_is_named_and_comes_back(shot, changed, module, name):
    bpy.ops.stiction.bake()
    obj, status = shot.objects[name], module("addon.bake_status").bake_status
    shot.frame_set(LAST_FRAME)
    baked = evaluated_world(obj)
    obj.modifiers["Stiction"].show_viewport = False
    assert changed() == (f'"{name}" does not play: its modifier Stiction is switched off',)
    obj.modifiers.remove(obj.modifiers["Stiction"])
    assert f'"{name}" has no modifier Stiction any more' in changed()[0] and status(shot).can_resume
    shot.frame_set(LAST_FRAME)
    assert not np.allclose(evaluated_world(obj), baked)
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}
    shot.frame_set(LAST_FRAME)
    assert np.array_equal(evaluated_world(obj), baked) and changed() == () and not status(shot).can_resume


def test_a_disk_that_fills_up_keeps_what_is_baked_and_the_bake_goes_on_later(shot, module, monkeypatch):
    writer = module("solver.pc2").Pc2Writer
    append, written = writer.append, []

    def full_after_three(self, positions):
        written.append(self)
        if len(written) > 2 * 3:  # a sheet and a groom
            raise OSError(errno.ENOSPC, "No space left on device")
        return append(self, positions)

    monkeypatch.setattr(writer, "append", full_after_three)
    with pytest.raises(RuntimeError, match="No space left on device"):
        bpy.ops.stiction.bake()
    monkeypatch.setattr(writer, "append", append)
    status = module("addon.bake_status").bake_status(shot)
    assert (status.frames_done, status.can_resume) == (3, True)
    assert plays(shot.objects["Sheet"], 3)
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}
    assert plays(shot.objects["Sheet"])


def test_a_cache_folder_that_cannot_be_made_is_refused(shot, tmp_path):
    (tmp_path / "in_the_way").write_text("a file")
    shot.stiction.cache_folder = str(tmp_path / "in_the_way" / "cache")
    with pytest.raises(RuntimeError, match="Cannot write to the cache folder"):
        bpy.ops.stiction.bake()


def test_a_groom_whose_scalp_was_deleted_goes_on_playing_and_bakes_without_it(shot):
    bpy.ops.stiction.bake()
    groom = shot.objects["Groom"]
    shot.frame_set(LAST_FRAME)
    baked = evaluated_world(groom)
    matrix = groom.matrix_world.copy()
    bpy.data.objects.remove(groom.parent)
    groom.parent, groom.matrix_world = None, matrix
    shot.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(groom), baked, atol=1e-5)
    assert bpy.ops.stiction.bake(overwrite=True) == {"FINISHED"}
