"""A beveled rope keeps its thickness and its materials while it plays."""

import bpy
import numpy as np
import pytest

from tests.blender.playback_scenes import (
    FIRST,
    TIMES,
    evaluated,
    go_to,
    link,
    make_bake,
    random_samples,
    read,
    rope,
    sample_at,
)


@pytest.fixture
def play(module, tmp_path):
    def connect(obj, samples=None):
        rest = module("addon.rope_outline").read_rope_outline(obj).positions
        samples = np.stack([rest, rest]) if samples is None else samples
        store = make_bake(module, tmp_path / "cache", {obj.name: samples})
        module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), FIRST, rest)
        return samples

    return connect


def tube(obj):
    geometry = evaluated(obj).evaluated_geometry()  # owns its mesh: keep it alive
    return read(geometry.mesh.vertices, "co"), [material and material.name for material in shown_materials(geometry)]


def shown_materials(geometry):
    slots = np.zeros(len(geometry.mesh.polygons), np.int32)
    geometry.mesh.polygons.foreach_get("material_index", slots)
    return [geometry.mesh.materials[slot] for slot in np.unique(slots)]


def assert_same_points(left, right, tolerance=1e-6):
    """Blender's bevel has its caps' vertices twice; so compare as sets."""
    distances = np.linalg.norm(left[:, None] - right[None], axis=2)
    assert max(distances.min(0).max(), distances.min(1).max()) < tolerance


# Blender tilts the rings of a Bezier spline by its tangents; a simulated rope has only its segments, which
# at this coarse resolution differ by up to 10 degrees.
@pytest.mark.parametrize(("kind", "tolerance"), [("POLY", 1e-6), ("BEZIER", 0.02)])
def test_at_rest_it_looks_as_without_the_bake(play, kind, tolerance):
    obj = rope(kind, bevel=0.1)
    obj.data.bevel_resolution, obj.data.use_fill_caps = 3, True
    spline = obj.data.splines[0]
    (spline.bezier_points if kind == "BEZIER" else spline.points)[1].radius = 2.5
    before, materials = tube(obj)
    play(obj)
    go_to(FIRST)
    after, materials_after = tube(obj)
    assert_same_points(before, after, tolerance)
    assert materials_after == materials == ["A", "B"]


def test_the_profile_of_another_object_is_used_as_blender_does(play):
    profile = rope(name="Profile")
    profile.data.dimensions, profile.data.splines[0].points[2].co = "2D", (0.3, 0.8, 0, 1)
    profile.data.splines.remove(profile.data.splines[1])
    profile.scale = (0.1, 0.2, 1.0)
    obj = rope()
    for spline in obj.data.splines:
        spline.points.foreach_set("tilt", np.full(4, 0.7, np.float32))
    obj.data.bevel_mode, obj.data.bevel_object = "OBJECT", profile
    before, _ = tube(obj)
    play(obj)
    assert_same_points(before, tube(obj)[0])


def test_the_tube_follows_the_points(play):
    obj = rope(bevel=0.1)
    samples = play(obj, random_samples(8))
    for time in TIMES:
        go_to(time)
        rings = tube(obj)[0].reshape(8, -1, 3)
        np.testing.assert_allclose(rings.mean(1), sample_at(samples, time), atol=1e-6)
        np.testing.assert_allclose(np.linalg.norm(rings - rings.mean(1)[:, None], axis=2), 0.1, atol=1e-6)


@pytest.mark.parametrize("sides", [4, 6, 12])
def test_textures_stay_where_they_were(play, sides):
    obj = rope(bevel=0.1)
    obj.data.bevel_resolution = (sides - 4) // 2
    before = corners(obj)
    play(obj)
    after = corners(obj)
    assert after.shape == before.shape
    assert_same_points(before, after)


def corners(obj):
    """Of each face corner: its position, the middle of its face, and its UV coordinates (n, 8)."""
    geometry = evaluated(obj).evaluated_geometry()  # owns its mesh: keep it alive
    mesh = geometry.mesh
    vertices = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", vertices)
    uv = np.empty((len(mesh.loops), 2), np.float32)
    mesh.uv_layers["UVMap"].data.foreach_get("uv", uv.ravel())
    middles = np.repeat(read(mesh.polygons, "center"), 4, axis=0)
    return np.hstack([read(mesh.vertices, "co")[vertices], middles, uv])


def test_a_material_assigned_after_the_bake_shows(play):
    obj = rope(bevel=0.1)
    play(obj)
    obj.material_slots[1].material = bpy.data.materials.new("Hemp")
    assert tube(obj)[1] == ["A", "Hemp"]


def test_modifiers_above_the_playback_are_part_of_the_rope(module, play):
    obj = rope()
    hook = link(bpy.data.objects.new("Hook", None))
    modifier = obj.modifiers.new("Hook", "HOOK")
    modifier.object, modifier.use_apply_on_spline = hook, True
    modifier.vertex_indices_set([0])
    bpy.context.view_layer.update()
    hook.location.z = 2.0
    outline = module("addon.rope_outline").read_rope_outline(obj)
    assert outline.positions[0, 2] == pytest.approx(2.0)
    play(obj)


def test_a_rope_with_another_number_of_points_is_refused(module, tmp_path):
    obj = rope()
    with pytest.raises(module("solver.errors").StictionError, match="8 points now, but 5"):
        module("addon.write_playback").connect_playback(obj, tmp_path / "x.pc2", FIRST, np.zeros((5, 3)))
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == (1, 0)
