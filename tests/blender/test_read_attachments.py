"""Attachments and seams: what the artist ties becomes springs between vertices of the solver's scene."""

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import (
    TOLERANCE,
    add_group,
    hair_object,
    link,
    refusal_of,
    sheet,
    start_of,
)
from tests.blender.shots import select
from tests.blender.test_library_override import library_with_a_sheet, overridden_sheet
from tests.blender.test_read_hair import groom_on
from tests.blender.test_read_ropes import CONTROL_POINTS, rope


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


def attach(obj, target, **settings):
    attachment = obj.stiction.attachments.add()
    attachment.target = target
    for name, value in settings.items():
        setattr(attachment, name, value)
    return attachment


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT", "RIGID"])
def test_vertices_of_a_group_are_attached_to_the_nearest_place(module, kind):
    flag, pole = sheet("Flag"), sheet("Pole", kind)
    flag.location = (0.3, 0.2, 1)
    add_group(flag, {0: 1.0, 4: 0.5, 8: 0.4}, name="Ties")
    flag.stiction.pin_group = ""
    attach(flag, pole, vertex_group="Ties", stiffness=250.0, keeps_distance=True)
    scene = start_of(module)
    (tied,) = scene.attachments
    assert (tied.first, tied.second, tied.stiffness, tied.keeps_distance) == ("Flag", "Pole", 250.0, True)
    assert tied.first_vertices.tolist() == [0, 4]
    places = np.einsum("mk,mkx->mx", tied.second_weights, scene.objects["Pole"].positions[tied.second_vertices])
    close(places, [(0.3, 0.2, 0), (1.3, 1.2, 0)])
    assert [problem for problem in module("solver.validation").check_scene(scene) if not problem.is_warning] == []


def test_one_group_can_pin_and_attach(module):
    flag = sheet("Flag")
    add_group(flag, {0: 1.0})
    for name in ("First", "Second"):
        attach(flag, sheet(name), vertex_group="Pin")
    scene = start_of(module)
    assert [tied.second for tied in scene.attachments] == ["First", "Second"]
    assert scene.objects["Flag"].pinned.tolist() == [0]


@pytest.mark.parametrize(("ends", "points"), [("START", [0]), ("END", [4]), ("BOTH", [0, 4])])
def test_ends_of_a_rope_are_attached(module, ends, points):
    cord, prop = rope("POLY"), sheet("Prop", "RIGID")
    cord.stiction.pinned_ends = "NONE"
    attach(cord, prop, ends=ends)
    (tied,) = start_of(module).attachments
    assert (tied.first_vertices.tolist(), tied.keeps_distance) == (points, True)
    places = np.einsum(
        "mk,mkx->mx", tied.second_weights, start_of(module).objects["Prop"].positions[tied.second_vertices]
    )
    close(places, np.clip(CONTROL_POINTS[points], 0, [2, 2, 0]))


def test_an_end_is_not_held_twice(module):
    cord = rope("POLY")
    attachment = attach(cord, sheet("Prop", "RIGID"), ends="START")
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith('Hair "Rope": its ends are pinned, or grow on a surface, and are attached to "Prop"')
    attachment.ends = "END"
    assert len(start_of(module).attachments) == 1
    cord.stiction.pinned_ends = "BOTH"
    refusal_of(module, lambda: start_of(module))


def test_bound_roots_are_not_attached_as_well(module):
    hair = groom_on(sheet("Scalp", "CLOTH"))
    attachment = attach(hair, sheet("Other"), ends="START")
    refusal_of(module, lambda: start_of(module))
    attachment.ends = "END"
    assert start_of(module).attachments[0].first_vertices.tolist() == [2, 6]


def targets(words):
    obj = bpy.data.objects["Flag"]
    return {
        "none": lambda: None,
        "itself": lambda: obj,
        "hair": lambda: hair_object("Groom", [np.array([(0, 0, 0), (0, 0, 1.0)])]),
        "collider": lambda: sheet("Body", "COLLIDER"),
        "unmarked": lambda: sheet("Body", "NONE"),
        "elsewhere": lambda: bpy.data.objects.new("Body", obj.data),
    }[words]()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("none", "an attachment of it has no target"),
        ("itself", "it cannot be attached to itself"),
        ("hair", 'it cannot be attached to the hair "Groom": attach that to it instead'),
        ("collider", 'it is attached to "Body", which is not simulated here. Pin it instead'),
        ("unmarked", 'it is attached to "Body", which is not simulated here. Pin it instead'),
        ("elsewhere", 'it is attached to "Body", which is not simulated here. Pin it instead'),
    ],
)
def test_targets_that_cannot_be_attached_to_are_refused(module, target, words):
    flag = sheet("Flag")
    add_group(flag, {0: 1.0})
    attach(flag, targets(target), vertex_group="Pin")
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith(f'Cloth "Flag": {words}')


@pytest.mark.parametrize(
    ("group", "words"),
    [
        ("", 'its attachment to "Pole" has no vertex group'),
        ("Nowhere", 'it has no vertex group "Nowhere" to attach'),
        ("Faint", 'no vertex has a weight of one half or more in "Faint"'),
    ],
)
def test_groups_that_attach_nothing_are_refused(module, group, words):
    flag = sheet("Flag")
    add_group(flag, {0: 0.4}, name="Faint")
    flag.stiction.pin_group = ""
    attach(flag, sheet("Pole", "RIGID"), vertex_group=group)
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith(f'Cloth "Flag": {words}')


def two_panels():
    """Two squares, and an edge without faces from each corner of the gap to the one across."""
    mesh = bpy.data.meshes.new("Shirt")
    left = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    right = [(x + 1.5, y, z) for x, y, z in left]
    mesh.from_pydata(left + right, [(1, 4), (7, 2)], [(0, 1, 2, 3), (4, 5, 6, 7)])
    obj = link(bpy.data.objects.new("Shirt", mesh))
    obj.stiction.kind = "CLOTH"
    return obj


def test_edges_without_faces_are_seams(module):
    shirt = two_panels()
    assert start_of(module).attachments == []
    shirt.stiction.use_seams, shirt.stiction.seam_stiffness = True, 40.0
    scene = start_of(module)
    (seam,) = scene.attachments
    pairs = {frozenset(pair) for pair in zip(seam.first_vertices.tolist(), seam.second_vertices[:, 0].tolist())}
    assert pairs == {frozenset((1, 4)), frozenset((2, 7))}
    assert (seam.first, seam.second, seam.stiffness, seam.keeps_distance) == ("Shirt", "Shirt", 40.0, False)
    assert seam.second_weights.tolist() == [[1.0], [1.0]]
    assert module("solver.validation").check_scene(scene) == []


def test_a_garment_without_edges_to_sew_is_refused(module):
    sheet().stiction.use_seams = True
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith('Cloth "Sheet": it has no seams: all its edges belong to faces.')


def test_attachments_are_added_and_removed(module):
    obj = sheet()
    obj.stiction.kind = "NONE"
    select(obj)
    assert not bpy.ops.stiction.attachment_add.poll()
    obj.stiction.kind = "SOFT"
    assert not bpy.ops.stiction.attachment_remove.poll()
    for _ in range(2):
        bpy.ops.stiction.attachment_add()
    obj.stiction.attachments[0].stiffness = 7.0
    assert bpy.ops.stiction.attachment_remove() == {"FINISHED"}
    assert [attachment.stiffness for attachment in obj.stiction.attachments] == [7.0]
    bpy.ops.stiction.attachment_remove()
    assert len(obj.stiction.attachments) == 0
    assert not bpy.ops.stiction.attachment_remove.poll()


def test_attachments_of_an_override_are_there_after_saving_and_opening(tmp_path):
    library_with_a_sheet(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj = overridden_sheet(tmp_path / "library.blend")
    attach(obj, sheet("Pole", "RIGID"), vertex_group="Pins", stiffness=5.0)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    (attachment,) = next(obj for obj in bpy.data.objects if obj.override_library).stiction.attachments
    assert (attachment.target.name, attachment.vertex_group, attachment.stiffness) == ("Pole", "Pins", 5.0)
