"""Objects that collide, through a whole bake."""

import bpy
import numpy as np
import pytest

from .shots import evaluated_world, make_hair, select

LAST_FRAME = 16
THICKNESS = 0.01  # [m]


def mark(obj, kind):
    select(obj)
    bpy.ops.stiction.add(kind=kind)
    obj.stiction.thickness = THICKNESS
    return obj


@pytest.fixture
def shot(blend_path):
    """A sheet and a brick above a table that rises to meet them."""
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, -0.5))
    table = mark(bpy.context.object, "COLLIDER")
    for frame, height in ((1, -0.5), (LAST_FRAME, -0.45)):
        table.location.z = height
        table.keyframe_insert("location", frame=frame)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=0.8, location=(0, 0, 0.1))
    sheet = mark(bpy.context.object, "CLOTH")
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0.05, 0, 0.4))
    brick = mark(bpy.context.object, "RIGID")
    bpy.context.scene.frame_end = LAST_FRAME
    return table, sheet, brick


def lowest(obj):
    return evaluated_world(obj)[:, 2].min()


def baked(module):
    session = module("addon.bake_session").BakeSession(bpy.context)
    list(session.run())
    bpy.context.scene.frame_set(LAST_FRAME)


def test_what_falls_comes_to_lie_on_what_is_below(shot, module):
    table, sheet, brick = shot
    bpy.context.scene.stiction.contact_method = "ADMM"
    baked(module)
    top = evaluated_world(table)[:, 2].max()
    middle = np.abs(evaluated_world(sheet)[:, :2]).max(axis=1) < 0.3
    heights = evaluated_world(sheet)[middle, 2]
    # A touch is at the sum of both radii; the core of a tenth of that is what nothing may enter.
    assert heights.min() > top + 0.1 * THICKNESS
    assert heights.max() < top + 0.2
    assert lowest(brick) > heights.min()


def test_without_contact_everything_falls_through(shot, module):
    table, sheet, _ = shot
    baked(module)
    assert lowest(sheet) < evaluated_world(table)[:, 2].max() - 0.1


def test_resume_names_a_changed_contact_method(shot, module):
    baked(module)
    bpy.context.scene.stiction.contact_method = "ADMM"
    with pytest.raises(RuntimeError, match="contact method was none, is admm"):
        bpy.ops.stiction.bake(resume=True)


def test_the_menu_has_a_line_for_every_method_that_the_solver_knows(module):
    items = bpy.context.scene.stiction.bl_rna.properties["contact_method"].enum_items
    assert {item.identifier.lower() for item in items} == set(module("solver.scene").CONTACT_METHODS)
    assert all(20 < len(item.description) < 120 for item in items)


@pytest.mark.parametrize("method", ["CR", "PROX", "REGIONS", "ICA"])
def test_hair_is_known_to_every_method(blend_path, module, method):
    make_hair()
    bpy.context.scene.stiction.contact_method = method
    problems = module("addon.operators.check").find_problems(bpy.context)
    assert [problem.sentence for problem in problems if not problem.is_warning] == []
