"""Check tells what intersects at the first frame, and a click selects it."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import add_nodes, hair_object, mesh_object, sheet

POST = [(x, y, z) for x in (0.8, 1.2) for y in (0.7, 1.3) for z in (-0.4, 0.6)]
POST_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def sheet_and_post():
    """A sheet of 9 vertices; its middle one, number 4, is inside a post."""
    return sheet("Shirt"), mesh_object("Post", POST, POST_FACES, "COLLIDER")


class Layout(SimpleNamespace):
    """Stands for a UILayout: keeps the texts of its buttons."""

    def operator(self, name, text, icon):
        assert name.split(".")[1] in dir(bpy.ops.stiction)
        self.texts.append(text)
        return SimpleNamespace()

    def label(self, text, **_):
        self.texts.append(text)

    def column(self, **_):
        return self

    row = column


def checked(module):
    assert bpy.ops.stiction.check() == {"FINISHED"}
    return module("addon.operators.check").found_problems(bpy.context.scene)


def selected_in(obj):
    bpy.ops.object.mode_set(mode="OBJECT")
    flags = np.zeros(len(obj.data.vertices), bool)
    obj.data.vertices.foreach_get("select", flags)
    return np.flatnonzero(flags).tolist()


def test_check_tells_what_intersects(module):
    sheet_and_post()
    through, inside = checked(module)
    assert through.sentence.startswith('"Shirt" passes through "Post" in ')
    assert inside.sentence.startswith('1 vertex of "Shirt" is inside "Post", up to 0.2 m deep; the first is 4.')
    assert through.is_warning and inside.is_warning


def test_errors_come_alone(module):
    shirt, _ = sheet_and_post()
    shirt.stiction.area_density = 0.0
    with pytest.raises(RuntimeError, match="area density must be above zero"):  # a script meets errors so
        bpy.ops.stiction.check()
    (problem,) = module("addon.operators.check").found_problems(bpy.context.scene)
    assert not problem.is_warning


def test_a_click_selects_the_vertices_of_both_objects(module):
    shirt, post = sheet_and_post()
    (through, _) = checked(module)
    assert bpy.ops.stiction.select_problem(index=0) == {"FINISHED"}
    assert (shirt.mode, post.mode) == ("EDIT", "EDIT")
    assert bpy.context.object == shirt
    assert selected_in(shirt) == list(through.elements)
    assert selected_in(post) == list(through.others[0][1])


def test_another_click_selects_anew_from_edit_mode(module):
    shirt, post = sheet_and_post()
    checked(module)
    bpy.ops.stiction.select_problem(index=0)
    assert bpy.ops.stiction.select_problem(index=1) == {"FINISHED"}
    assert (shirt.mode, post.mode) == ("EDIT", "OBJECT")
    assert selected_in(shirt) == [4]


def test_points_of_hair_are_selected(module):
    strands = [[(0.1, 0.3, z) for z in (1.0, 0.5, -0.5, -1.0)], [(5, 5, z) for z in (0, 1, 2)]]
    hair = hair_object("Groom", strands)
    hair.stiction.pinned_ends = "NONE"
    sheet("Floor", "COLLIDER")
    (problem,) = checked(module)
    assert problem.sentence.startswith('"Groom" passes through "Floor" in 1 place, up to ')
    assert "; the first near point 1." in problem.sentence
    assert bpy.ops.stiction.select_problem(index=0) == {"FINISHED"}
    assert bpy.context.object == hair and hair.mode == "EDIT"
    bpy.ops.object.mode_set(mode="OBJECT")
    flags = np.zeros(7, bool)
    hair.data.attributes[".selection"].data.foreach_get("value", flags)
    assert np.flatnonzero(flags).tolist() == [1, 2]
    assert hair.data.selection_domain == "POINT"


def test_a_click_on_a_problem_of_a_whole_object_selects_it(module):
    shirt, post = sheet_and_post()
    shirt.stiction.area_density = 0.0
    with pytest.raises(RuntimeError, match="area density"):
        bpy.ops.stiction.check()
    bpy.context.view_layer.objects.active = post
    assert bpy.ops.stiction.select_problem(index=0) == {"FINISHED"}
    assert (bpy.context.object, bpy.context.selected_objects, shirt.mode) == (shirt, [shirt], "OBJECT")
    shirt.hide_set(True)
    assert bpy.ops.stiction.select_problem(index=0) == {"CANCELLED"}


def test_vertices_that_modifiers_made_cannot_be_selected(module):
    shirt, _ = sheet_and_post()
    add_nodes(shirt, "Grow", "GeometryNodeSubdivideMesh", Level=2)
    problems = checked(module)
    index = next(i for i, problem in enumerate(problems) if "inside" in problem.sentence)
    assert max(problems[index].elements) >= 9
    assert bpy.ops.stiction.select_problem(index=index) == {"CANCELLED"}


def test_objects_that_went_away_are_told(module):
    shirt, post = sheet_and_post()
    checked(module)
    shirt.stiction.kind = "NONE"
    assert bpy.ops.stiction.select_problem(index=1) == {"CANCELLED"}
    assert bpy.ops.stiction.select_problem(index=0) == {"FINISHED"}  # what is left
    assert bpy.context.object == post
    with pytest.raises(RuntimeError, match="There is no such problem"):
        bpy.ops.stiction.select_problem(index=9)


def test_there_is_nothing_to_select_before_a_check():
    sheet_and_post()
    assert not bpy.ops.stiction.select_problem.poll()


def test_a_sound_scene_has_no_problems(module):
    sheet("Shirt")
    assert checked(module) == []


def test_roots_of_hair_on_a_collider_are_no_problem(module):
    ball = mesh_object("Head", np.array(POST) - (1, 1, 0.6), POST_FACES, "COLLIDER")
    hair = hair_object("Groom", [[(0, 0, z) for z in np.linspace(-0.05, 1, 6)]])
    hair.data.surface = ball
    assert checked(module) == []


def test_the_panel_lists_the_problems_and_offers_to_select_those_with_vertices(module):
    sheet_and_post()
    panel = module("addon.panels").STICTION_PT_problems
    assert not panel.poll(bpy.context)
    problems = checked(module)
    assert panel.poll(bpy.context)
    layout = Layout(texts=[])
    panel.draw(SimpleNamespace(layout=layout), bpy.context)
    assert layout.texts == [problem.sentence for problem in problems]
    operator = module("addon.operators.select_problem").STICTION_OT_select_problem
    assert operator.description(bpy.context, SimpleNamespace(index=1)) == problems[1].sentence


def test_a_problem_of_the_whole_scene_is_shown_in_full(module):
    sheet("Shirt")
    scene = bpy.context.scene
    scene.stiction.relaxes_first, scene.stiction.contact_method = True, "ADMM"
    (problem,) = [problem for problem in checked(module) if not problem.object_name]
    layout, region = Layout(texts=[]), SimpleNamespace(width=200)
    preferences = SimpleNamespace(system=SimpleNamespace(ui_scale=1.0))  # zero without a window
    context = SimpleNamespace(scene=scene, region=region, preferences=preferences)
    module("addon.panels").STICTION_PT_problems.draw(SimpleNamespace(layout=layout), context)
    assert len(layout.texts) > 2 and problem.sentence in " ".join(layout.texts)
