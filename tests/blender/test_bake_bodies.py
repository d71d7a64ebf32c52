"""Soft and rigid bodies, and hair on cloth, through a whole bake."""

import bpy
import numpy as np

from .reading_scenes import hair_object
from .shots import evaluated_world, fallen, select

LAST_FRAME = 4
SINGLE_PRECISION = 2e-6  # [m] of a few metres, as the cache stores them


def mark(obj, kind):
    select(obj)
    bpy.ops.stiction.add(kind=kind)
    return obj


def open_cube():
    """A cube without its top face: it cannot be filled."""
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    mesh = bpy.data.meshes.new("Jelly")
    mesh.from_pydata(corners, [], [(0, 2, 3, 1), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)])
    obj = bpy.data.objects.new("Jelly", mesh)
    bpy.context.collection.objects.link(obj)
    return obj


def test_soft_and_rigid_bodies_play_as_surfaces_and_the_cage_is_told(blend_path, module):
    jelly = mark(open_cube(), "SOFT")
    bpy.ops.mesh.primitive_cube_add(location=(3, 0, 2), rotation=(0.3, 0.2, 0.1), scale=(0.5, 1, 2))
    brick = mark(bpy.context.object, "RIGID")
    jelly.stiction.resolution = 2
    bpy.context.scene.frame_end = LAST_FRAME
    starts = {obj: evaluated_world(obj) for obj in (jelly, brick)}
    session = module("addon.bake_session").BakeSession(bpy.context)
    list(session.run())
    (warning,) = session.warnings
    assert '"Jelly"' in warning and "cage of cubes" in warning
    for frame in range(1, LAST_FRAME + 1):
        bpy.context.scene.frame_set(frame)
        for obj, start in starts.items():
            np.testing.assert_allclose(evaluated_world(obj), start - [0, 0, fallen(frame)], atol=1e-5)


def test_check_tells_of_the_cage_as_the_bake_does(blend_path, module):
    mark(open_cube(), "SOFT")
    bpy.context.scene.frame_end = 2
    bpy.ops.stiction.check()
    (problem,) = module("addon.operators.check").found_problems(bpy.context.scene)
    assert problem.is_warning and problem.elements == (4, 5, 6, 7), "the rim, for a click to select it"
    session = module("addon.bake_session").BakeSession(bpy.context)
    list(session.run())
    assert session.warnings == [problem.sentence]


def test_hair_on_cloth_goes_where_the_cloth_goes(blend_path, module):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=3, y_subdivisions=3, size=1)
    cloth = mark(bpy.context.object, "CLOTH")
    cloth.vertex_groups.new(name="Pins").add([0, 1, 2, 3], 1.0, "REPLACE")
    cloth.vertex_groups["Pins"].add([4, 5], 0.5, "REPLACE")
    cloth.stiction.pin_group = "Pins"
    root = np.array([0.11, 0.32, 0.0])
    hair = hair_object("Groom", [root + [0, 0, 0.05] * np.arange(4)[:, None]])
    hair.data.surface = cloth
    mark(hair, "HAIR")
    bpy.context.scene.frame_end = LAST_FRAME
    roots = module("addon.read_scene").read_start(bpy.context.scene, bpy.context.view_layer).objects["Groom"].roots
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    bpy.context.scene.frame_set(LAST_FRAME)
    points, sheet = evaluated_world(hair), evaluated_world(cloth)
    place = roots.weights[0] @ sheet[roots.triangles[0]]
    assert place[2] < -0.5 * fallen(LAST_FRAME)
    np.testing.assert_allclose(points[0], place, atol=SINGLE_PRECISION)
