"""Legacy curves become strands through the points that Blender draws."""

from itertools import pairwise

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import (
    TOLERANCE,
    animate,
    hair_object,
    inputs_of,
    link,
    rotation,
    set_range,
    sheet,
    start_of,
)

CONTROL_POINTS = np.array([(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 1), (4, 0, 2)], float)
RESOLUTION = 6


def rope(kind, bevel=0.0):
    curve = bpy.data.curves.new("Rope", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.resolution_u = "3D", bevel, RESOLUTION
    spline = curve.splines.new(kind)
    if kind == "BEZIER":
        spline.bezier_points.add(len(CONTROL_POINTS) - 1)
        for name, offset in (("co", 0), ("handle_left", -0.4), ("handle_right", 0.4)):
            spline.bezier_points.foreach_set(name, (CONTROL_POINTS + (offset, 0, 0)).astype(np.float32).ravel())
        for point in spline.bezier_points:
            point.handle_left_type = point.handle_right_type = "FREE"
    else:
        spline.points.add(len(CONTROL_POINTS) - 1)
        spline.points.foreach_set("co", np.insert(CONTROL_POINTS, 3, 1, axis=1).astype(np.float32).ravel())
        spline.order_u, spline.use_endpoint_u = 4, True
    obj = link(bpy.data.objects.new("Rope", curve))
    obj.stiction.kind = "HAIR"
    return obj


def bezier_points():
    """The cubic pieces by Bernstein's formula, RESOLUTION points each, and the end."""
    t = (np.arange(RESOLUTION) / RESOLUTION)[:, None]
    handle = np.array([0.4, 0, 0])
    pieces = [
        (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * (a + handle) + 3 * t**2 * (1 - t) * (b - handle) + t**3 * b
        for a, b in pairwise(CONTROL_POINTS)
    ]
    return np.concatenate([*pieces, CONTROL_POINTS[-1:]])


def nurbs_points(count):
    """A clamped cubic spline of two spans, at evenly spaced parameters."""
    from scipy.interpolate import BSpline

    knots = [0, 0, 0, 0, 1, 2, 2, 2, 2]
    return BSpline(knots, CONTROL_POINTS, 3)(np.linspace(0, 2, count))


def close(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("bevel", [0.0, 0.1])
def test_poly_splines_keep_their_points_with_and_without_bevel(module, bevel):
    rope("POLY", bevel)
    item = start_of(module).objects["Rope"]
    close(item.positions, CONTROL_POINTS)
    assert item.strand_offsets.tolist() == [0, 5]


@pytest.mark.parametrize("bevel", [0.0, 0.1])
def test_bezier_splines_become_the_points_that_are_drawn(module, bevel):
    rope("BEZIER", bevel)
    close(start_of(module).objects["Rope"].positions, bezier_points())


def test_nurbs_splines_become_the_points_that_are_drawn(module):
    rope("NURBS", 0.1)
    positions = start_of(module).objects["Rope"].positions
    assert len(positions) > 2 * RESOLUTION
    close(positions, nurbs_points(len(positions)))


def test_several_splines_are_several_strands_in_order(module):
    obj = rope("POLY")
    second = obj.data.splines.new("POLY")
    second.points.add(1)
    second.points.foreach_set("co", [0, 5, 0, 1, 1, 5, 0, 1])
    item = start_of(module).objects["Rope"]
    assert item.strand_offsets.tolist() == [0, 5, 7]
    close(item.positions[5:], [(0, 5, 0), (1, 5, 0)])


@pytest.mark.parametrize(("ends", "pinned"), [("START", [0, 1]), ("END", [3, 4]), ("BOTH", [0, 1, 3, 4]), ("NONE", [])])
def test_pinned_ends_are_the_outermost_segments(module, ends, pinned):
    rope("POLY").stiction.pinned_ends = ends
    item = start_of(module).objects["Rope"]
    assert item.pinned.tolist() == pinned
    assert (item.pin_motion is None) == (not pinned)


def test_pinned_ends_follow_the_animated_object_in_position_and_direction(module, tmp_path):
    obj = rope("POLY", bevel=0.1)
    obj.stiction.pinned_ends, obj.location = "BOTH", (0, 0, 2)
    animate(obj, "rotation_euler", {1: 0.0, 5: 2.0}, index=2)
    set_range(1, 5, samples=2)
    item = inputs_of(module, tmp_path).scene.objects["Rope"]
    for half_frame in range(9):
        expected = CONTROL_POINTS[[0, 1, 3, 4]] @ rotation(2.0 * half_frame / 8, 2).T + (0, 0, 2)
        close(item.pin_motion(half_frame / 2 / 24), expected)


def test_pinned_ends_follow_shape_keys_of_the_curve(module, tmp_path):
    obj = rope("POLY")
    obj.shape_key_add(name="Basis")
    key = obj.shape_key_add(name="Lifted")
    for point, position in zip(key.data, CONTROL_POINTS):
        point.co = position + (0, 0, 3)
    animate(key, "value", {1: 0.0, 3: 1.0})
    set_range(1, 3)
    motion = inputs_of(module, tmp_path).scene.objects["Rope"].pin_motion
    for frame in (1, 2, 3):
        close(motion((frame - 1) / 24), CONTROL_POINTS[:2] + (0, 0, 1.5 * (frame - 1)))


def test_hooks_move_pinned_ends(module, tmp_path):
    obj = rope("POLY")
    handle = link(bpy.data.objects.new("Handle", None))
    hook = obj.modifiers.new("Hook", "HOOK")
    hook.object, hook.strength = handle, 1.0
    hook.vertex_indices_set([0, 1])
    animate(handle, "location", {1: (0.0, 0.0, 0.0), 2: (0.0, 2.0, 0.0)})
    set_range(1, 2)
    motion = inputs_of(module, tmp_path).scene.objects["Rope"].pin_motion
    close(motion(1 / 24), CONTROL_POINTS[:2] + (0, 2, 0))


def test_radius_is_given_in_metres(module):
    bpy.context.scene.unit_settings.scale_length = 0.01
    obj = rope("POLY")
    obj.stiction.radius, obj.stiction.density = 0.5, 800.0
    material = start_of(module).objects["Rope"].material
    assert material.radius == pytest.approx(0.005)
    assert (material.density, material.air_drag) == (800.0, 0.5)


@pytest.mark.parametrize("system", ["METRIC", "NONE"])
def test_hair_and_ropes_are_marked_with_the_same_radius_at_any_unit_scale(module, system):
    units = bpy.context.scene.unit_settings
    units.system, units.scale_length = system, 0.01
    hair = hair_object("Hair", [np.array([(0, 0, 0), (0, 0, 1.0)])])
    cable = rope("POLY")
    for obj in (hair, cable):
        module("addon.operators.mark").mark(bpy.context, obj, "HAIR")
    objects = start_of(module).objects
    assert objects["Hair"].material.radius == pytest.approx(4e-5)
    assert objects["Rope"].material.radius == pytest.approx(0.005)


def test_a_cyclic_rope_is_refused(module):
    rope("POLY").data.splines[0].use_cyclic_u = True
    with pytest.raises(module("solver.errors").SceneRefused, match='Hair "Rope": curve 0 is cyclic'):
        start_of(module)


def test_a_modifier_that_makes_a_mesh_of_the_rope_is_refused(module):
    rope("POLY", 0.1).modifiers.new("Bend", "SIMPLE_DEFORM")
    with pytest.raises(module("solver.errors").SceneRefused, match="turns it into a mesh"):
        start_of(module)


def test_hair_must_be_made_of_curves(module):
    sheet(kind="HAIR")
    with pytest.raises(module("solver.errors").SceneRefused, match="neither hair curves nor a curve"):
        start_of(module)
