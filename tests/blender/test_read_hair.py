"""Hair curves: strands as groomed, roots that ride on the scalp in position and direction."""

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import (
    TOLERANCE,
    add_nodes,
    animate,
    bend_with_bone,
    hair_object,
    inputs_of,
    link,
    mesh_object,
    rotation,
    set_range,
    sheet,
    start_of,
    turned_about_hinge,
    vertices_of,
)

STRANDS = [
    np.array([(1.6, 0.3, 0.0), (1.7, 0.3, 0.5), (1.7, 0.4, 1.0)]),
    np.array([(0.3, 0.4, 0.0), (0.3, 0.4, 0.4), (0.3, 0.5, 0.8), (0.3, 0.5, 1.2)]),
]
ROOTS = [0, 1, 3, 4]


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=5 * TOLERANCE)


def groom_on(scalp, strands=STRANDS):
    hair = hair_object("Hair", strands)
    hair.data.surface = scalp
    return hair


def test_strands_are_read_with_their_offsets_and_first_segments_pinned(module):
    groom_on(sheet("Scalp", "NONE"))
    item = start_of(module).objects["Hair"]
    close(item.positions, np.concatenate(STRANDS))
    assert item.strand_offsets.tolist() == [0, 3, 7]
    assert item.pinned.tolist() == ROOTS
    close(item.pin_motion, item.positions[ROOTS])


def test_roots_turn_with_a_scalp_that_a_bone_deforms(module, tmp_path):
    """The right half of the scalp turns rigidly, the left half stays: so do the strands on them."""
    scalp = sheet("Scalp", "NONE")
    bend_with_bone(scalp, np.flatnonzero(vertices_of(scalp)[:, 0] >= 1), {1: 0.0, 3: -1.2})
    groom_on(scalp)
    set_range(1, 3, samples=2)

    motion = inputs_of(module, tmp_path).scene.objects["Hair"].pin_motion

    for half_frame in range(5):
        now = motion(half_frame / 2 / 24)
        close(now[:2], turned_about_hinge(STRANDS[0][:2], -1.2 * half_frame / 4))
        close(now[2:], STRANDS[1][:2])


def test_roots_keep_place_and_length_when_shape_keys_stretch_the_scalp(module, tmp_path):
    scalp = sheet("Scalp", "NONE")
    scalp.shape_key_add(name="Basis")
    key = scalp.shape_key_add(name="Stretched")
    key.data.foreach_set("co", (vertices_of(scalp) * (3, 1, 1) + (0, 0, 1)).astype(np.float32).ravel())
    animate(key, "value", {1: 0.0, 2: 1.0})
    groom_on(scalp)
    set_range(1, 2)

    motion = inputs_of(module, tmp_path).scene.objects["Hair"].pin_motion

    moved_root = STRANDS[0][0] * (3, 1, 1) + (0, 0, 1)
    close(motion(1 / 24)[:2], [moved_root, moved_root + STRANDS[0][1] - STRANDS[0][0]])


def test_roots_follow_a_moving_unevenly_scaled_scalp_in_centimetres(module, tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.01
    scalp = sheet("Scalp", "NONE")
    scalp.scale = (-2, 3, 1)
    animate(scalp, "rotation_euler", {1: 0.0, 2: 0.9}, index=1)
    strand = STRANDS[0] * (-2, 3, 1)
    groom_on(scalp, [strand])
    set_range(1, 2)
    motion = inputs_of(module, tmp_path).scene.objects["Hair"].pin_motion
    close(motion(1 / 24), strand[:2] @ rotation(0.9, 1).T * 0.01)


def test_roots_off_the_scalp_keep_their_distance(module, tmp_path):
    scalp = sheet("Scalp", "NONE")
    animate(scalp, "rotation_euler", {1: 0.0, 2: 1.1}, index=0)
    strand = STRANDS[0] + (0, 0, 0.25)
    groom_on(scalp, [strand])
    set_range(1, 2)
    motion = inputs_of(module, tmp_path).scene.objects["Hair"].pin_motion
    close(motion(1 / 24), strand[:2] @ rotation(1.1, 0).T)


def test_hair_without_surface_follows_its_own_object(module, tmp_path):
    hair = hair_object("Hair", STRANDS)
    parent = link(bpy.data.objects.new("Parent", None))
    hair.parent = parent
    animate(parent, "rotation_euler", {1: 0.0, 3: 1.0}, index=2)
    set_range(1, 3)
    motion = inputs_of(module, tmp_path).scene.objects["Hair"].pin_motion
    for frame in (1, 2, 3):
        close(motion((frame - 1) / 24), np.concatenate(STRANDS)[ROOTS] @ rotation((frame - 1) / 2, 2).T)


def test_hair_without_surface_follows_nodes_above_the_simulation_only(module, tmp_path):
    hair = hair_object("Hair", STRANDS)
    node = add_nodes(hair, "Above", "GeometryNodeTransform")
    animate(node.inputs["Translation"], "default_value", {1: (0.0, 0.0, 0.0), 2: (0.0, 0.0, 4.0)})
    module("addon.playback_modifier").add_playback_modifier(hair)
    add_nodes(hair, "Below", "GeometryNodeTransform", Translation=(100, 0, 0))
    set_range(1, 2)
    item = inputs_of(module, tmp_path).scene.objects["Hair"]
    close(item.positions, np.concatenate(STRANDS))
    close(item.pin_motion(1 / 24), np.concatenate(STRANDS)[ROOTS] + (0, 0, 4))


def test_deform_curves_on_surface_above_the_simulation_gives_the_start_positions(module):
    """The groom was made on the flat scalp; at the start frame the scalp is lifted by a shape key."""
    scalp = sheet("Scalp", "NONE")
    uv = scalp.data.uv_layers.new(name="UV")
    corners = np.empty(len(scalp.data.loops), np.int32)
    scalp.data.loops.foreach_get("vertex_index", corners)
    uv.uv.foreach_set("vector", (vertices_of(scalp)[corners, :2] / 2).astype(np.float32).ravel())
    rest = scalp.data.attributes.new("rest_position", "FLOAT_VECTOR", "POINT")
    rest.data.foreach_set("vector", vertices_of(scalp).astype(np.float32).ravel())
    hair = groom_on(scalp)
    hair.data.surface_uv_map = "UV"
    places = hair.data.attributes.new("surface_uv_coordinate", "FLOAT2", "CURVE")
    places.data.foreach_set("vector", np.array([s[0, :2] / 2 for s in STRANDS], np.float32).ravel())
    add_nodes(hair, "Deform", "GeometryNodeDeformCurvesOnSurface")
    scalp.shape_key_add(name="Basis")
    key = scalp.shape_key_add(name="Lifted")
    key.data.foreach_set("co", (vertices_of(scalp) + (0, 0, 2)).astype(np.float32).ravel())
    key.value = 1.0
    close(start_of(module).objects["Hair"].positions, np.concatenate(STRANDS) + (0, 0, 2))


@pytest.mark.parametrize(
    ("ends", "pinned"), [("START", ROOTS), ("END", [1, 2, 5, 6]), ("BOTH", [0, 1, 2, 3, 4, 5, 6]), ("NONE", [])]
)
def test_pinned_ends_of_hair_on_a_scalp(module, tmp_path, ends, pinned):
    groom_on(sheet("Scalp", "NONE")).stiction.pinned_ends = ends
    set_range(1, 1)
    item = inputs_of(module, tmp_path).scene.objects["Hair"]
    assert item.pinned.tolist() == pinned
    if pinned:
        close(item.pin_motion(0.0), item.positions[pinned])


def refused(module, words):
    return pytest.raises(module("solver.errors").SceneRefused, match=words)


def test_hair_without_strands_is_refused(module):
    hair_object("Hair", STRANDS).data.remove_curves()
    problems = module("solver.validation").check_scene(start_of(module))
    assert [problem.sentence for problem in problems] == [
        'Hair "Hair": it is empty. Add geometry to its strands, or remove the object from the simulation.'
    ]


def test_a_surface_without_faces_is_refused(module):
    groom_on(mesh_object("Scalp", [(0, 0, 0), (1, 0, 0)], [], "NONE"))
    with refused(module, 'Hair "Hair": its surface "Scalp" has no faces'):
        start_of(module)


def test_a_surface_that_changes_its_vertices_is_refused(module, tmp_path):
    scalp = sheet("Scalp", "NONE")
    groom_on(scalp)
    animate(scalp.modifiers.new("Array", "ARRAY"), "count", {1: 1, 4: 2})
    set_range(1, 4)
    with refused(module, 'its surface "Scalp" has 9 vertices at frame 1 but 18 at frame'):
        inputs_of(module, tmp_path)


def test_a_face_that_collapses_under_a_strand_is_refused(module, tmp_path):
    scalp = sheet("Scalp", "COLLIDER")
    groom_on(scalp)
    animate(scalp, "scale", {1: (1.0, 1.0, 1.0), 2: (1.0, 1.0, 1.0), 3: (0.0, 1.0, 1.0)})
    set_range(1, 3)
    with refused(module, "collapses to a line at frame 3"):
        inputs_of(module, tmp_path)


@pytest.mark.parametrize("how", ["free", "pinned", "on a scalp"])
def test_strands_that_change_their_points_are_refused(module, tmp_path, how):
    hair = groom_on(sheet(kind="COLLIDER")) if how == "on a scalp" else hair_object("Hair", STRANDS)
    hair.stiction.pinned_ends = "NONE" if how == "free" else "START"
    node = add_nodes(hair, "Resample", "GeometryNodeResampleCurve")
    animate(node.inputs["Count"], "default_value", {1: 3, 3: 8})
    set_range(1, 3)
    with refused(module, r"it has 2 strands with 6 points at frame 1 but 2 strands with \d+ points at frame 2"):
        inputs_of(module, tmp_path)
