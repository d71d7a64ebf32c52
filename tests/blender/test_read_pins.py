"""Pinned vertices follow the animation, also between frames; painted weights make springs."""

import numpy as np

from tests.blender.reading_scenes import (
    TOLERANCE,
    add_group,
    add_nodes,
    animate,
    bend_with_bone,
    inputs_of,
    mesh_object,
    refusal_of,
    set_range,
    sheet,
    start_of,
    turned_about_hinge,
    vertices_of,
)


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


def test_shape_keys_move_pins_with_their_animated_value(module, tmp_path):
    obj = sheet()
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Raised")
    raised = vertices_of(obj) + (0, 0, 2)
    key.data.foreach_set("co", raised.astype(np.float32).ravel())
    animate(key, "value", {1: 0.0, 5: 1.0})
    add_group(obj, {0: 1.0, 8: 1.0})
    set_range(1, 5)

    item = inputs_of(module, tmp_path).scene.objects["Sheet"]

    close(item.positions, vertices_of(obj))
    for frame in range(1, 6):
        share = (frame - 1) / 4
        close(item.pin_motion((frame - 1) / 24), vertices_of(obj)[[0, 8]] + (0, 0, 2 * share))


def test_pins_follow_a_bone_also_between_frames(module, tmp_path):
    obj = sheet()
    right_side = np.flatnonzero(vertices_of(obj)[:, 0] >= 1)
    bend_with_bone(obj, right_side, {1: 0.0, 3: 1.6})
    add_group(obj, {2: 1.0, 5: 0.5, 8: 0.7})
    set_range(1, 3, samples=4)

    item = inputs_of(module, tmp_path).scene.objects["Sheet"]

    assert (item.pinned.tolist(), item.soft_pins.vertices.tolist()) == ([2], [5, 8])
    for quarter in range(9):
        expected = turned_about_hinge(vertices_of(obj)[[2, 5, 8]], 1.6 * quarter / 8)
        close(item.pin_motion(quarter / 4 / 24), expected[:1])
        close(item.soft_pins.motion(quarter / 4 / 24), expected[1:])


def test_one_motion_sample_a_frame_is_a_straight_line_between_frames(module, tmp_path):
    obj = sheet()
    bend_with_bone(obj, range(9), {1: 0.0, 3: 1.6})
    add_group(obj, {2: 1.0})
    set_range(1, 3)

    motion = inputs_of(module, tmp_path).scene.objects["Sheet"].pin_motion

    corner = vertices_of(obj)[[2]]
    middle = (turned_about_hinge(corner, 0.0) + turned_about_hinge(corner, 0.8)) / 2
    close(motion(0.5 / 24), middle)


def test_full_weight_pins_and_less_is_a_spring(module):
    obj = sheet()
    add_group(obj, {0: 0.25, 1: 0.5, 2: 1.0, 3: 0.0, 4: 0.9995, 5: 0.9})
    obj.stiction.pin_stiffness = 30.0
    item = start_of(module).objects["Sheet"]
    assert item.pinned.tolist() == [2, 4]
    assert item.soft_pins.vertices.tolist() == [0, 1, 5]
    np.testing.assert_allclose(item.soft_pins.stiffness, [10, 30, 270], rtol=1e-5)
    close(item.soft_pins.motion, vertices_of(obj)[[0, 1, 5]])


def test_springs_alone_guard_the_number_of_vertices(module, tmp_path):
    obj = sheet()
    add_group(obj, {0: 0.5})
    node = add_nodes(obj, "Grow", "GeometryNodeSubdivideMesh", Level=0)
    animate(node.inputs["Level"], "default_value", {1: 0, 3: 2})
    set_range(1, 3)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert sentence.startswith('Cloth "Sheet": it has 9 vertices at frame 1 but')


def test_pin_weights_pass_through_a_mirror_above_the_simulation(module):
    obj = mesh_object("Sheet", [(1, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0)], [(0, 1, 2, 3)])
    obj.modifiers.new("Mirror", "MIRROR")
    add_group(obj, {1: 1.0})

    item = start_of(module).objects["Sheet"]

    assert len(item.positions) == 8
    close(np.sort(item.positions[item.pinned, 0]), [-2, 2])
    close(item.positions[item.pinned, 1:], np.zeros((2, 2)))
