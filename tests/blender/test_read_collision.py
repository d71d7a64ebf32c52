"""Friction, thickness and groups reach the solver, painted ones vertex by vertex."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.reading_scenes import add_nodes, animate, hair_object, mesh_object, refusal_of, sheet, start_of
from tests.blender.test_read_ropes import rope


def paint(obj, values, name="Rough", domain="POINT", kind="FLOAT"):
    """An attribute of an object's own data, and the friction map that names it."""
    obj.data.attributes.new(name, kind, domain).data.foreach_set("value", np.asarray(values))
    obj.stiction.friction_map = name


def paint_group(obj, weights, name="Rough"):
    group = obj.vertex_groups.new(name=name)
    for vertex, weight in weights.items():
        group.add([vertex], weight, "REPLACE")
    obj.stiction.friction_map = name


def friction_of(module, name):
    return start_of(module).objects[name].friction


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT", "RIGID", "COLLIDER"])
def test_untouched_settings_are_the_solvers_defaults(module, kind):
    sheet("Thing", kind)
    item = start_of(module).objects["Thing"]
    settings = module("solver.contact_settings").ContactSettings()
    assert item.friction == pytest.approx(settings.friction)
    for name in (
        "kinetic_friction",
        "cohesion",
        "compliance",
        "restitution",
        "thickness",
        "collision_groups",
        "self_collision",
    ):
        assert getattr(item, name) == getattr(settings, name)


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT", "RIGID", "COLLIDER"])
def test_settings_reach_the_solver_in_its_units(module, kind):
    obj = sheet("Thing", kind)
    bpy.context.scene.unit_settings.scale_length = 0.01
    settings = obj.stiction
    settings.friction, settings.thickness, settings.self_collision = 0.75, 0.5, False
    settings.collision_groups = [group in (0, 2, 19) for group in range(20)]
    item = start_of(module).objects["Thing"]
    assert (item.friction, item.self_collision, item.collision_groups) == (0.75, False, 1 | 1 << 2 | 1 << 19)
    assert item.thickness == pytest.approx(0.005)


@pytest.mark.parametrize("kind", ["RIGID", "COLLIDER"])
def test_untouched_solids_spin_and_slide_alike_in_all_directions(module, kind):
    sheet("Thing", kind)
    item = start_of(module).objects["Thing"]
    settings = module("solver.contact_settings").SolidContactSettings()
    for name in ("spin_friction", "friction_ratio", "friction_direction", "own_axes"):
        assert getattr(item, name) == getattr(settings, name)


@pytest.mark.parametrize("kind", ["RIGID", "COLLIDER"])
def test_patches_and_directions_reach_the_solver(module, kind):
    """The direction is in the object's own axes: one that was turned by a right angle points elsewhere."""
    obj = sheet("Thing", kind)
    bpy.context.scene.unit_settings.scale_length = 0.01
    obj.rotation_euler, obj.scale = (0.0, 0.0, np.pi / 2.0), (2.0, 1.0, 1.0)
    settings = obj.stiction
    settings.spin_friction, settings.friction_ratio, settings.friction_direction = 0.5, 4.0, (1.0, 0.0, 0.0)
    item = start_of(module).objects["Thing"]
    assert item.spin_friction == pytest.approx(0.005)
    assert (item.friction_ratio, item.friction_direction) == (4.0, (1.0, 0.0, 0.0))
    assert item.start_direction / np.linalg.norm(item.start_direction) == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT"])
def test_what_is_soft_has_neither_patch_nor_direction(module, kind):
    sheet("Thing", kind).stiction.spin_friction = 0.5
    assert not hasattr(start_of(module).objects["Thing"], "spin_friction")


def test_patches_and_directions_can_be_set_by_name(module):
    change = module("addon.change_settings").change_setting
    settings = sheet("Thing", "RIGID").stiction
    for text in ("spin_friction=0.25", "friction_ratio=0.5", "friction_direction=0,2,0"):
        change(bpy.context.scene, f"Thing.{text}")
    assert (settings.spin_friction, settings.friction_ratio) == (0.25, 0.5)
    assert tuple(settings.friction_direction) == (0.0, 2.0, 0.0)
    with pytest.raises(module("solver.errors").SceneRefused, match="out of range"):
        change(bpy.context.scene, "Thing.spin_friction=-1")


@pytest.mark.parametrize("kind", ["RIGID", "COLLIDER"])
def test_the_panel_names_what_changed_of_them_since_the_bake(module, kind):
    obj = sheet("Thing", kind)
    sheet("Other")
    obj.rotation_euler, obj.stiction.friction_ratio = (0.0, 0.0, 1.0), 4.0
    baked = SimpleNamespace(inputs=module("solver.fingerprint").describe(start_of(module)))
    changed = module("addon.changed_settings").changed_settings
    assert changed(bpy.context.scene, baked, plays=False) == []
    obj.stiction.spin_friction, obj.stiction.friction_direction = 0.25, (0.0, 1.0, 0.0)
    assert changed(bpy.context.scene, baked, plays=False) == [
        '"Thing": spin friction was 0.0, is 0.25',
        '"Thing": friction direction was [1.0, 0.0, 0.0], is [0.0, 1.0, 0.0]',
    ]


def test_check_says_which_method_knows_them(module):
    sheet("Thing", "COLLIDER").stiction.spin_friction = 0.5
    sheet("Other", "CLOTH")
    check = module("solver.validation").check_scene
    bpy.context.scene.stiction.contact_method = "ADMM"
    (problem,) = check(start_of(module))
    assert problem.sentence.startswith('"Thing" has spin friction, which is known to PROX only, not to ADMM.')
    bpy.context.scene.stiction.contact_method = "PROX"
    assert check(start_of(module)) == []


@pytest.mark.parametrize("kind", ["CLOTH", "COLLIDER"])
def test_what_slides_sticks_and_gives_way_reaches_the_solver(module, kind):
    settings = sheet("Thing", kind).stiction
    settings.kinetic_friction, settings.cohesion, settings.compliance = 0.125, 0.5, 0.25
    item = start_of(module).objects["Thing"]
    assert (item.kinetic_friction, item.cohesion, item.compliance) == (None, 0.5, 0.25)
    settings.use_kinetic_friction = True
    assert start_of(module).objects["Thing"].kinetic_friction == 0.125


def read_all(module, tmp_path):
    """The solver's scene with all that is animated."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 5
    reader = module("addon.read_scene").SceneReader(bpy.context.scene, bpy.context.view_layer, tmp_path / "motion")
    list(reader.read())
    return reader.inputs.scene


@pytest.mark.parametrize("kind", ["CLOTH", "COLLIDER"])
def test_keyed_friction_reaches_the_solver(module, tmp_path, kind):
    obj = sheet("Thing", kind)
    sheet("Other")
    animate(obj.stiction, "friction", {1: 0.5, 5: 1.5})
    obj.stiction.use_kinetic_friction, obj.stiction.kinetic_friction = True, 0.25
    scene = read_all(module, tmp_path)
    item = scene.objects["Thing"]
    assert [float(item.friction(scene.time_of(frame))) for frame in (1, 3, 5)] == pytest.approx([0.5, 1.0, 1.5])
    assert (item.kinetic_friction, scene.objects["Other"].friction) == (0.25, pytest.approx(0.3))


def test_keyed_friction_multiplies_the_paint(module, tmp_path):
    obj = sheet("Thing")
    paint(obj, np.arange(9.0))
    animate(obj.stiction, "friction", {1: 0.5, 5: 1.5})
    scene = read_all(module, tmp_path)
    assert scene.objects["Thing"].friction(scene.time_of(3)) == pytest.approx(np.arange(9.0))


def test_hair_and_ropes_have_them_too(module):
    hair = hair_object("Groom", [[(0, 0, 0), (0, 0, 1)]])
    hair.stiction.friction, hair.stiction.collision_groups[0] = 0.125, False
    rope("POLY").stiction.thickness = 0.25
    objects = start_of(module).objects
    assert (objects["Groom"].friction, objects["Groom"].collision_groups) == (0.125, 0)
    assert objects["Rope"].thickness == 0.25


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT", "RIGID", "COLLIDER"])
def test_a_painted_group_multiplies_the_friction(module, kind):
    obj = sheet("Thing", kind)
    obj.stiction.friction = 0.5
    paint_group(obj, {0: 1.0, 4: 0.5})
    modifiers = len(obj.modifiers)
    assert friction_of(module, "Thing") == pytest.approx([0.5, 0, 0, 0, 0.25, 0, 0, 0, 0])
    assert len(obj.modifiers) == modifiers


@pytest.mark.parametrize("kind", ["CLOTH", "COLLIDER"])
def test_an_attribute_multiplies_the_friction_beyond_one(module, kind):
    obj = sheet("Thing", kind)
    obj.stiction.friction = 0.5
    paint(obj, np.arange(9.0))
    assert friction_of(module, "Thing") == pytest.approx(0.5 * np.arange(9))


def test_paint_passes_through_a_mirror_above_the_simulation(module):
    obj = mesh_object("Thing", [(1, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0)], [(0, 1, 2, 3)])
    obj.modifiers.new("Mirror", "MIRROR")
    paint_group(obj, {1: 1.0})
    item = start_of(module).objects["Thing"]
    assert len(item.friction) == 8
    assert np.sort(item.positions[item.friction > 0, 0]).tolist() == [-2, 2]


def test_modifiers_can_make_the_attribute(module):
    obj = sheet("Thing")
    node = add_nodes(obj, "Paint", "GeometryNodeStoreNamedAttribute", Name="Made", Value=2.0)
    node.domain = "POINT"
    obj.stiction.friction, obj.stiction.friction_map = 0.25, "Made"
    assert friction_of(module, "Thing") == pytest.approx([0.5] * 9)


def test_strands_are_painted_by_point_or_as_a_whole(module):
    obj = hair_object("Groom", [[(0, 0, 0), (0, 0, 1)], [(1, 0, 0), (1, 0, 1), (1, 0, 2)]])
    obj.stiction.friction = 0.5
    paint(obj, [0, 1, 2, 3, 4], "Points")
    assert friction_of(module, "Groom") == pytest.approx([0, 0.5, 1, 1.5, 2])
    paint(obj, [1, 3], "Strands", domain="CURVE")
    assert friction_of(module, "Groom") == pytest.approx([0.5, 0.5, 1.5, 1.5, 1.5])


def test_a_map_that_is_missing_or_no_number_is_refused(module):
    obj = sheet("Thing")
    obj.stiction.friction_map = "Gone"
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence == (
        'Cloth "Thing": it has no vertex group and no attribute "Gone" to multiply its friction by. '
        "Choose another, or clear the field."
    )
    paint(obj, np.arange(4.0), "Faces", domain="FACE")
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert 'its attribute "Faces" has no number for each vertex or strand' in sentence


def test_negative_paint_is_a_problem_that_names_the_vertices(module):
    obj = sheet("Thing")
    paint(obj, [1, 1, -1, 1, 1, 1, 1, 1, -2])
    problems = module("solver.validation").check_scene(start_of(module))
    assert [problem.elements for problem in problems] == [(2, 8)]


def test_the_search_offers_groups_and_numbers(module):
    obj = sheet("Thing")
    paint_group(obj, {0: 1.0})
    paint(obj, np.arange(9.0), "Number")
    paint(obj, np.arange(9), "Whole", kind="INT")
    offered = module("addon.collision_properties")._friction_maps(obj.stiction, bpy.context, "")
    assert "Rough" in offered and "Number" in offered and "Whole" not in offered


def test_groups_can_be_set_by_name(module):
    change = module("addon.change_settings").change_setting
    obj = sheet("Thing")
    change(bpy.context.scene, "Thing.collision_groups=" + ",".join("01" * 10))
    assert [bool(is_in) for is_in in obj.stiction.collision_groups] == [False, True] * 10
    with pytest.raises(module("solver.errors").SceneRefused, match="20 times true or false with commas"):
        change(bpy.context.scene, "Thing.collision_groups=1,0")
    with pytest.raises(module("solver.errors").SceneRefused, match="3 numbers with commas"):
        change(bpy.context.scene, "Thing.start_velocity=1,0")


def linked_collider(path, paint_it):
    """A painted collider that lies in another file."""
    obj = sheet("Thing", "COLLIDER")
    paint_it(obj)
    bpy.data.libraries.write(str(path), {obj})
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = ["Thing"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Thing"])
    sheet("Cloth")


def test_an_attribute_of_a_linked_collider_is_read(module, tmp_path):
    linked_collider(tmp_path / "library.blend", lambda obj: paint(obj, np.arange(9.0)))
    assert friction_of(module, "Thing") == pytest.approx(0.3 * np.arange(9))


def test_a_vertex_group_of_a_linked_collider_is_refused(module, tmp_path):
    linked_collider(tmp_path / "library.blend", lambda obj: paint_group(obj, {0: 1.0}))
    (sentence,) = refusal_of(module, lambda: start_of(module))
    assert sentence.startswith('Collider "Thing": it is linked from another file, so the vertex group "Rough" cannot')
