"""The list of pairs with a friction of their own."""

import bpy
import pytest

from tests.blender.reading_scenes import sheet, start_of


def add_pair(*objects):
    bpy.ops.object.select_all(action="DESELECT")
    for obj in objects:
        obj.select_set(True)
    bpy.ops.stiction.pair_add()
    return bpy.context.scene.stiction.pairs[-1]


def pairs_of(module):
    return [(pair.first, pair.second, pair.friction) for pair in start_of(module).pair_friction]


def test_two_selected_objects_become_a_pair_and_reach_the_solver(module):
    shirt, coat, body = sheet("Shirt"), sheet("Coat"), sheet("Body", "COLLIDER")
    coat.location.z, body.location.z = 1.0, -1.0
    add_pair(shirt, body).friction = 0.75
    own = add_pair(coat)
    assert pairs_of(module) == [("Shirt", "Body", 0.75)] or pairs_of(module) == [("Body", "Shirt", 0.75)]
    own.first = own.second = coat
    own.friction = 0.5
    assert ("Coat", "Coat", 0.5) in pairs_of(module)


def test_pairs_are_removed_and_deleted_objects_drop_out(module):
    shirt, body = sheet("Shirt"), sheet("Body", "COLLIDER")
    body.location.z = -1.0
    add_pair(shirt, body)
    add_pair(shirt, body)
    bpy.ops.stiction.pair_remove()
    assert len(bpy.context.scene.stiction.pairs) == 1
    bpy.data.objects.remove(body)
    assert pairs_of(module) == []
    bpy.ops.stiction.pair_remove()
    with pytest.raises(RuntimeError, match="There is no pair"):
        bpy.ops.stiction.pair_remove()


def test_an_object_that_takes_no_part_is_named(module):
    shirt, body = sheet("Shirt"), sheet("Body", "COLLIDER")
    body.location.z = -1.0
    add_pair(shirt, body)
    body.stiction.kind = "NONE"
    with pytest.raises(RuntimeError, match="Body"):
        bpy.ops.stiction.check()
