"""What cannot be baked is refused in the artist's words, and nothing else is."""

import bpy
import pytest

from tests.blender.reading_scenes import (
    add_nodes,
    animate,
    inputs_of,
    link,
    mesh_object,
    refusal_of,
    set_range,
    sheet,
    start_of,
)


def test_an_empty_frame_range_is_refused(module):
    scene = bpy.context.scene
    scene.stiction.use_custom_range, scene.stiction.first_frame, scene.stiction.last_frame = True, 10, 9
    sentences = refusal_of(module, lambda: start_of(module))
    assert sentences == ["There are no frames to bake: the last frame (9) is before the first (10)."]


def test_stretched_time_is_refused(module):
    sheet()
    bpy.context.scene.render.frame_map_new = 200
    sentences = refusal_of(module, lambda: start_of(module))
    assert sentences == ["Time Stretching is on (100 to 200). Set Old and New to the same in the output properties."]


def test_all_refusals_of_the_start_frame_come_at_once(module):
    sheet("Flat").scale = (1, 0, 1)
    sheet("Unpinned").stiction.pin_group = "Nowhere"
    link(bpy.data.objects.new("Empty", None)).stiction.kind = "CLOTH"
    sentences = refusal_of(module, lambda: start_of(module))
    assert sentences[0].startswith('Cloth "Flat": its scale is zero along an axis')
    assert sentences[1].startswith('Cloth "Unpinned": it has no vertex group "Nowhere"')
    assert sentences[2].startswith('Cloth "Empty": it is not a mesh.')


def test_other_points_in_a_render_than_in_the_viewport_are_refused(module):
    obj = sheet()
    subdivision = obj.modifiers.new("Subdivision", "SUBSURF")
    subdivision.levels, subdivision.render_levels = 1, 2
    obj.modifiers.new("Cast", "CAST").show_render = False  # moves points, but does not add any
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith('Cloth "Sheet": it has 25 points in the viewport but 81 in a render')
    assert (subdivision.levels, obj.modifiers["Cast"].show_viewport) == (1, True)
    subdivision.render_levels = 1
    assert len(start_of(module).objects["Sheet"].positions) == 25


def test_a_parent_of_scale_zero_is_refused_too(module):
    parent = link(bpy.data.objects.new("Parent", None))
    parent.scale, parent.rotation_euler = (1, 1, 0), (0.4, 0.5, 0.6)
    obj = sheet()
    obj.parent, obj.rotation_euler = parent, (0.3, 0.2, 0.1)
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert "its scale is zero along an axis" in sentence


def test_a_changing_vertex_count_is_refused_with_frame_and_counts(module, tmp_path):
    obj = sheet(kind="COLLIDER")
    obj.modifiers.new("Array", "ARRAY")
    animate(obj.modifiers["Array"], "count", {1: 1, 4: 2})
    sheet("Cloth")
    set_range(1, 6)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert sentence.startswith('Collider "Sheet": it has 9 vertices at frame 1 but 18 at frame')


def test_cloth_without_pins_that_changes_its_vertices_is_refused(module, tmp_path):
    node = add_nodes(sheet(), "Grow", "GeometryNodeSubdivideMesh", Level=0)
    animate(node.inputs["Level"], "default_value", {1: 0, 3: 2})
    set_range(1, 3)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert sentence.startswith('Cloth "Sheet": it has 9 vertices at frame 1 but')


@pytest.mark.parametrize("kind", ["CLOTH", "COLLIDER"])
def test_what_keys_disable_in_viewports_is_refused_with_its_frame(module, tmp_path, kind):
    animate(sheet("Prop", kind), "hide_viewport", {1: False, 3: True})
    sheet("Cloth")
    set_range(1, 4)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert '"Prop": it, or its collection, is disabled in viewports at frame 3' in sentence


def test_an_animation_that_is_not_finite_is_refused_with_its_frame(module, tmp_path):
    obj = sheet(kind="COLLIDER")
    far = (0.0, 0.0, 3e38)  # twice that is beyond the greatest number of single precision
    add_nodes(obj, "Far", "GeometryNodeTransform", Translation=far)
    too_far = add_nodes(obj, "Too Far", "GeometryNodeTransform").inputs["Translation"]
    animate(too_far, "default_value", {1: (0.0, 0.0, 0.0), 3: (0.0, 0.0, 0.0), 4: far})
    sheet("Cloth")
    set_range(1, 6)
    (sentence,) = refusal_of(module, lambda: inputs_of(module, tmp_path))
    assert sentence.startswith('Collider "Sheet": its animation is not finite at frame 4.')


@pytest.mark.parametrize("way", ["exclude", "hide collection", "disable object"])
def test_an_object_that_blender_does_not_evaluate_is_refused(module, way):
    collection = bpy.data.collections.new("Hidden")
    bpy.context.scene.collection.children.link(collection)
    obj = mesh_object("Shirt", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    bpy.context.scene.collection.objects.unlink(obj)
    collection.objects.link(obj)
    if way == "exclude":
        bpy.context.view_layer.layer_collection.children["Hidden"].exclude = True
    elif way == "hide collection":
        collection.hide_viewport = True
    else:
        obj.hide_viewport = True
    (sentence,) = refusal_of(module, lambda: start_of(module))
    words = "not in the view layer" if way == "exclude" else "disabled in viewports"
    assert sentence.startswith('Cloth "Shirt"')
    assert words in sentence


def test_an_object_hidden_with_the_eye_still_takes_part(module):
    sheet().hide_set(True)
    assert len(start_of(module).objects["Sheet"].positions) == 9


def link_from_library(module, tmp_path, kind):
    """A file with an object "Sheet" of its own, and another of that name from a library."""
    path = str(tmp_path / "library.blend")
    original = sheet(kind=kind)
    original.location = (0, 0, 5)
    bpy.data.libraries.write(path, {original})
    bpy.data.objects.remove(original)
    sheet()
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.objects = ["Sheet"]
    return link(wanted.objects[0])


def test_a_linked_collider_may_share_its_name_with_a_local_object(module, tmp_path):
    linked = link_from_library(module, tmp_path, "COLLIDER")
    objects = start_of(module).objects
    assert set(objects) == {"Sheet", linked.name_full}
    assert objects[linked.name_full].positions[:, 2] == pytest.approx(5)


def test_a_linked_simulated_object_is_refused(module, tmp_path):
    link_from_library(module, tmp_path, "CLOTH")
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert "it is linked from another file. Make a library override of it." in sentence


def test_a_mesh_without_vertices_is_left_to_the_validation(module):
    mesh_object("Nothing", [], [])
    scene = start_of(module)
    (problem,) = module("solver.validation").check_scene(scene)
    assert problem.sentence.startswith('Cloth "Nothing": it is empty.')
