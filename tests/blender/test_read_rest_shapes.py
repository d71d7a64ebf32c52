"""Rest shapes: shape keys of garments and ropes, and sewing patterns laid out as UV maps."""

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import (
    TOLERANCE,
    hair_object,
    inputs_of,
    refusal_of,
    set_range,
    sheet,
    start_of,
    vertices_of,
)
from tests.blender.test_read_ropes import CONTROL_POINTS, bezier_points, rope


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=2 * TOLERANCE)


def new_key(obj, name):
    """A shape key that is not shown."""
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name=name)
    key.value = 0.0  # Blender 5 shows new keys at once
    obj.stiction.rest_shape_key = name
    return key


def add_key(obj, positions, name="Rest"):
    new_key(obj, name).data.foreach_set("co", np.asarray(positions, np.float32).ravel())


def add_pattern(obj, name="Pattern"):
    """The sheet laid flat on the unit square."""
    layer = obj.data.uv_layers.new(name=name)
    corners = np.empty(len(obj.data.loops), np.int32)
    obj.data.loops.foreach_get("vertex_index", corners)
    layer.uv.foreach_set("vector", (vertices_of(obj)[corners, :2] / 2).astype(np.float32).ravel())
    obj.stiction.rest_uv_map = name


def test_a_shape_key_is_the_rest_shape_in_the_space_of_the_object(module):
    bpy.context.scene.unit_settings.scale_length = 0.1
    obj = sheet()
    shrunk = vertices_of(obj) * (0.5, 0.8, 1)
    add_key(obj, shrunk)
    obj.location, obj.scale = (1, 2, 3), (-2, 1, 1)
    item = start_of(module).objects["Sheet"]
    close(item.positions, (vertices_of(obj) * (-2, 1, 1) + (1, 2, 3)) * 0.1)
    close(item.rest_positions, (shrunk * (-2, 1, 1) + (1, 2, 3)) * 0.1)


def test_a_shape_key_that_does_not_fit_the_modifiers_is_refused(module):
    obj = sheet()
    add_key(obj, vertices_of(obj))
    obj.modifiers.new("Subdivision", "SUBSURF").render_levels = 1
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert 'its shape key "Rest" has 9 vertices, but with the modifiers above Stiction it has 25' in sentence
    module("addon.playback_modifier").add_playback_modifier(obj)
    assert len(start_of(module).objects["Sheet"].rest_positions) == 9


@pytest.mark.parametrize("scale", [(2, 1, 1), (-2, 1, 1)])
def test_a_uv_map_is_the_pattern_of_each_triangle_with_the_area_of_the_mesh(module, scale):
    obj = sheet()
    add_pattern(obj)
    obj.scale = scale
    item = start_of(module).objects["Sheet"]
    side = np.sqrt(8.0)  # of a square with the area of the sheet, four times two
    close(item.rest_corners, vertices_of(obj)[item.triangles][:, :, :2] / 2 * side)
    assert module("solver.validation").check_scene(start_of(module)) == []


def test_a_pattern_can_have_a_size_of_its_own(module):
    bpy.context.scene.unit_settings.scale_length = 0.01
    obj = sheet()
    add_pattern(obj)
    obj.stiction.uv_scale = 300.0
    item = start_of(module).objects["Sheet"]
    close(item.rest_corners, vertices_of(obj)[item.triangles][:, :, :2] / 2 * 3.0)


def test_a_pattern_passes_through_modifiers_above_the_simulation(module):
    obj = sheet()
    add_pattern(obj)
    obj.modifiers.new("Subdivision", "SUBSURF").render_levels = 1
    item = start_of(module).objects["Sheet"]
    assert item.rest_corners.shape == (len(item.triangles), 3, 2) == (32, 3, 2)


def test_a_pattern_without_area_is_refused_by_the_validation(module):
    obj = sheet()
    add_pattern(obj)
    uv = obj.data.uv_layers["Pattern"].uv
    uv.foreach_set("vector", np.zeros(2 * len(uv), np.float32))
    (problem,) = module("solver.validation").check_scene(start_of(module))
    assert "its sewing pattern has no area" in problem.sentence


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rest_shape_key": "Nowhere"}, 'it has no shape key "Nowhere" for its rest shape'),
        ({"rest_uv_map": "Nowhere"}, 'it has no UV map "Nowhere" for its rest shape'),
        ({"rest_uv_map": "A", "rest_shape_key": "B"}, "it has two rest shapes"),
    ],
)
def test_rest_shapes_that_are_not_there_are_refused(module, settings, words):
    obj = sheet()
    for name, value in settings.items():
        setattr(obj.stiction, name, value)
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith(f'Cloth "Sheet": {words}')


def test_a_shape_key_is_the_rest_shape_of_a_rope_and_does_not_move_it(module, tmp_path):
    obj = rope("POLY", bevel=0.1)
    coiled = CONTROL_POINTS * (0.5, 1, 1)
    for point, position in zip(new_key(obj, "Coiled").data, coiled):
        point.co = position
    obj.location = (0, 0, 2)
    set_range(1, 2)
    item = inputs_of(module, tmp_path).scene.objects["Rope"]
    close(item.positions, CONTROL_POINTS + (0, 0, 2))
    close(item.rest_positions, coiled + (0, 0, 2))
    close(item.pin_motion(1 / 24), CONTROL_POINTS[:2] + (0, 0, 2))
    assert not obj.show_only_shape_key


def test_the_rest_shape_of_a_rope_has_the_points_that_are_drawn(module):
    obj = rope("BEZIER")
    for point in new_key(obj, "Lifted").data:
        for name in ("co", "handle_left", "handle_right"):
            getattr(point, name).z += 1
    item = start_of(module).objects["Rope"]
    close(item.positions, bezier_points())
    close(item.rest_positions, bezier_points() + (0, 0, 1))


def test_hair_curves_have_no_shape_keys(module):
    hair_object("Hair", [np.array([(0, 0, 0), (0, 0, 1.0)])]).stiction.rest_shape_key = "Rest"
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert "hair curves have no shape keys" in sentence
