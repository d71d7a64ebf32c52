"""Meshes arrive in world space and metres, as the modifiers above Stiction leave them."""

from dataclasses import fields

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import (
    TOLERANCE,
    add_nodes,
    animate,
    inputs_of,
    link,
    mesh_object,
    rotation,
    set_range,
    sheet,
    start_of,
    vertices_of,
)

TETRAHEDRON = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
OUTWARD_FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def volume(positions, triangles):
    return np.linalg.det(positions[triangles]).sum() / 6


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("scale", [(2, 3, 0.5), (-2, 3, 0.5), (-2, -3, -0.5)])
def test_parents_and_uneven_or_negative_scale_reach_the_world_and_normals_stay_outside(module, scale):
    parent = link(bpy.data.objects.new("Parent", None))
    parent.location, parent.rotation_euler = (1, -2, 3), (0, 0, 0.7)
    obj = mesh_object("Prop", TETRAHEDRON, OUTWARD_FACES, "SOFT")
    obj.parent, obj.location, obj.rotation_euler, obj.scale = parent, (0.5, 0, 0), (0.3, 0, 0), scale

    item = start_of(module).objects["Prop"]

    in_parent = (TETRAHEDRON * scale) @ rotation(0.3, 0).T + (0.5, 0, 0)
    close(item.positions, in_parent @ rotation(0.7, 2).T + (1, -2, 3))
    assert item.positions.dtype == np.float64
    assert volume(item.positions, item.triangles) == pytest.approx(abs(np.prod(scale)) / 6, rel=1e-5)


def test_unit_scale_turns_lengths_velocities_and_accelerations_into_metres(module, tmp_path):
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.01
    scene.gravity, scene.stiction.wind = (0, 0, -981), (100, 0, 0)
    obj = sheet()
    obj.location, obj.stiction.start_velocity = (100, 0, 0), (0, 200, 0)
    set_range(1, 1)

    inputs = inputs_of(module, tmp_path)

    item = inputs.scene.objects["Sheet"]
    close(item.positions, (vertices_of(obj) + (100, 0, 0)) * 0.01)
    assert item.start_velocity == pytest.approx((0, 2, 0))
    assert inputs.scene.gravity == pytest.approx((0, 0, -9.81))
    assert inputs.scene.wind == pytest.approx((1, 0, 0))
    matrix = inputs.transforms["Sheet"][0]
    close(vertices_of(obj) @ matrix[:3, :3].T + matrix[:3, 3], item.positions)


def test_unit_system_none_ignores_the_unit_scale_as_blender_does(module):
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.context.scene.unit_settings.system = "NONE"
    obj = sheet()
    close(start_of(module).objects["Sheet"].positions, vertices_of(obj))


def test_modifiers_below_the_simulation_are_not_read_and_those_above_are(module):
    obj = sheet()
    obj.modifiers.new("Mirror", "MIRROR").use_axis = (False, False, True)
    obj.modifiers["Mirror"].use_mirror_merge = False
    module("addon.playback_modifier").add_playback_modifier(obj)
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 2

    item = start_of(module).objects["Sheet"]

    assert len(item.positions) == 18
    assert len(item.triangles) == 16


def test_a_collider_is_read_with_its_whole_stack(module):
    obj = sheet(kind="COLLIDER")
    obj.modifiers.new("Subdivision", "SUBSURF").levels = 1
    item = start_of(module).objects["Sheet"]
    assert item.positions.shape == (25, 3)
    assert item.triangles.shape == (32, 3)


def test_a_collider_may_be_any_object_that_yields_a_mesh(module):
    text = bpy.data.curves.new("Text", "FONT")
    text.body, text.extrude = "Hi", 0.2
    obj = link(bpy.data.objects.new("Text", text))
    obj.stiction.kind = "COLLIDER"
    item = start_of(module).objects["Text"]
    assert len(item.triangles) > 10
    close(np.ptp(item.positions[:, 2]), 0.4)


def test_a_collider_moves_as_animated(module, tmp_path):
    obj = sheet(kind="COLLIDER")
    animate(obj, "location", {10: (0.0, 0.0, 0.0), 12: (0.0, 0.0, 6.0)})
    sheet("Cloth")
    set_range(10, 12)
    item = inputs_of(module, tmp_path).scene.objects["Sheet"]
    for frame in (10, 11, 12):
        close(item.positions((frame - 10) / 24), vertices_of(obj) + (0, 0, 3 * (frame - 10)))


def test_objects_that_share_one_mesh_have_positions_of_their_own(module):
    first = sheet("First")
    second = mesh_object("Second", None, None, data=first.data)
    second.location = (0, 0, 5)
    objects = start_of(module).objects
    close(objects["Second"].positions - objects["First"].positions, np.tile([0, 0, 5], (9, 1)))


def test_edits_that_are_not_yet_applied_count_and_edit_mode_comes_back(module):
    import bmesh

    obj = sheet()
    obj.modifiers.new("Lift", "DISPLACE").mid_level = 0
    obj.modifiers["Lift"].show_in_editmode = False
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    edited = bmesh.from_edit_mesh(obj.data)
    for vertex in edited.verts:
        vertex.co.x += 10

    item = start_of(module).objects["Sheet"]

    assert item.positions[:, 0].min() == pytest.approx(10)
    close(item.positions[:, 2], np.ones(9))
    assert obj.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_materials_carry_over(module):
    cloth, prop = sheet("Cloth"), mesh_object("Prop", TETRAHEDRON, OUTWARD_FACES, "RIGID")
    materials = module("solver.materials")
    asked = {field.name: 0.01 * (1 + number) for number, field in enumerate(fields(materials.ClothMaterial))}
    asked["cloth_law"] = "springs"
    for name, value in asked.items():
        setattr(cloth.stiction, name, value)
    prop.stiction.density, prop.stiction.air_drag = 700.0, 0.5
    objects = start_of(module).objects
    read = vars(objects["Cloth"].material)
    assert read.pop("cloth_law") == asked.pop("cloth_law")
    assert read == pytest.approx(asked)
    assert objects["Prop"].material == materials.RigidMaterial(700.0, 0.5)
    assert type(objects["Prop"]).__name__ == "RigidBody"


def test_a_mesh_made_by_nodes_is_read(module):
    obj = sheet()
    add_nodes(obj, "Lift", "GeometryNodeTransform", Translation=(0, 0, 4))
    close(start_of(module).objects["Sheet"].positions, vertices_of(obj) + (0, 0, 4))
