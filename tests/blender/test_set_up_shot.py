"""Set Up Shot: what it guesses, what it says, and one undo."""

import bpy
import pytest

from tests.blender.reading_scenes import mesh_object, sheet
from tests.blender.shots import make_hair, select


def set_up(*objects):
    bpy.ops.object.select_all(action="DESELECT")
    for obj in objects:
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj
    return bpy.ops.stiction.set_up_shot()


def grid(name="Shirt", **options):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, **options)
    bpy.context.object.name = name
    return bpy.context.object


def ball(name="Body", **options):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=6, **options)
    bpy.context.object.name = name
    return bpy.context.object


def kinds():
    return {obj.name: obj.stiction.kind for obj in bpy.context.scene.objects}


def rig(obj):
    """An armature that deforms an object, as a character's does."""
    armature = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(armature)
    obj.modifiers.new("Armature", "ARMATURE").object = armature
    return obj


def test_a_groom_a_garment_and_a_body_are_told_apart():
    hair = make_hair()
    hair.stiction.kind = "NONE"
    light = bpy.data.objects.new("Light", bpy.data.lights.new("Light", "SUN"))
    bpy.context.collection.objects.link(light)
    assert set_up(hair, grid(), rig(ball()), light) == {"FINISHED"}
    expected = {"Groom": "HAIR", "Shirt": "CLOTH", "Body": "COLLIDER", "Sphere": "COLLIDER", "Light": "NONE"}
    assert {name: kind for name, kind in kinds().items() if name != "Rig"} == expected
    notes = bpy.context.scene.stiction.set_up_notes.split("\n")
    assert '"Shirt": Cloth (an open mesh)' in notes and '"Sphere": Collider (hair grows on it)' in notes
    assert '"Body": Collider (a closed mesh that is animated)' in notes


def test_a_skinned_garment_is_cloth_and_a_mirrored_half_is_closed(blend_path):
    shirt = rig(grid())
    half = ball()
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.bisect(plane_co=(0, 0, 0), plane_no=(1, 0, 0), clear_inner=True)
    bpy.ops.object.mode_set(mode="OBJECT")
    half.modifiers.new("Mirror", "MIRROR")
    set_up(shirt, half)
    assert kinds() | {"Rig": "NONE"} == {"Shirt": "CLOTH", "Body": "COLLIDER", "Rig": "NONE"}


def test_solids_alone_are_props_on_the_widest_of_them():
    bpy.ops.mesh.primitive_cube_add(size=1, scale=(5, 5, 0.2))
    floor = bpy.context.object
    set_up(floor, ball("Ball"), ball("Marble"))
    assert kinds() == {"Cube": "COLLIDER", "Ball": "RIGID", "Marble": "RIGID"}


def test_a_plane_is_a_floor():
    bpy.ops.mesh.primitive_plane_add(size=10)
    set_up(bpy.context.object, ball("Ball"))
    assert kinds() == {"Plane": "COLLIDER", "Ball": "RIGID"}


def test_props_stand_on_the_floor_that_is_marked_already():
    bpy.ops.mesh.primitive_plane_add(size=10)
    bpy.ops.stiction.add(kind="COLLIDER")
    set_up(ball("Ball"), ball("Boulder", radius=2))
    assert kinds() == {"Plane": "COLLIDER", "Ball": "RIGID", "Boulder": "RIGID"}


def test_a_fine_sheet_below_all_others_is_a_backdrop():
    set_up(grid("Backdrop", size=12, location=(0, 0, -1)), ball("Ball"))
    assert kinds() == {"Backdrop": "COLLIDER", "Ball": "RIGID"}
    notes = bpy.context.scene.stiction.set_up_notes.split("\n")
    assert '"Backdrop": Collider (an open mesh below all the others, as a backdrop)' in notes


@pytest.mark.parametrize("size, height", [(12, 1.5), (3, -1)], ids=["above", "not wide"])
def test_a_sheet_over_a_ball_or_a_napkin_below_it_is_cloth(size, height):
    set_up(grid("Sheet", size=size, location=(0, 0, height)), ball("Ball"))
    assert kinds() == {"Sheet": "CLOTH", "Ball": "COLLIDER"}


def test_blenders_own_physics_decides_and_is_switched_off():
    flag, jelly, prop = grid("Flag"), ball("Jelly"), ball("Prop")
    group = flag.vertex_groups.new(name="Mast")
    group.add([0, 1], 1.0, "REPLACE")
    cloth = flag.modifiers.new("Cloth", "CLOTH")
    cloth.settings.vertex_group_mass = "Mast"
    jelly.modifiers.new("Soft", "SOFT_BODY")
    select(prop)
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    set_up(flag, jelly, prop)
    assert kinds() == {"Flag": "CLOTH", "Jelly": "SOFT", "Prop": "RIGID"}
    assert flag.stiction.pin_group == "Mast" and not cloth.show_viewport
    notes = bpy.context.scene.stiction.set_up_notes
    assert "pinned by Mast; Cloth is switched off" in notes


def test_particle_hair_becomes_curves_on_a_collider():
    head = ball("Head")
    head.modifiers.new("Hair", "PARTICLE_SYSTEM")
    head.particle_systems[0].settings.type, head.particle_systems[0].settings.count = "HAIR", 5
    set_up(head)
    hair = next(obj for obj in bpy.context.scene.objects if obj.type == "CURVES")
    assert (hair.stiction.kind, head.stiction.kind) == ("HAIR", "COLLIDER")


def move(obj, way):
    """Way [m] from frame 1 to 2, and then rest."""
    for frame, x in ((1, 0.0), (2, way), (10, way)):
        obj.location.x = x
        obj.keyframe_insert("location", frame=frame)


@pytest.mark.parametrize(("way", "steps", "samples"), [(0.0, 4, 1), (0.158, 8, 2), (9.0, 16, 4)])
def test_steps_follow_the_speed_of_the_animation(way, steps, samples):
    body, scene = ball(), bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 10
    move(body, way)
    scene.frame_set(4)
    set_up(body, grid())
    assert (scene.stiction.steps_per_frame, scene.stiction.motion_samples) == (steps, samples)
    assert scene.frame_current == 4
    assert f"{steps} steps a frame" in scene.stiction.set_up_notes


def mark(obj, kind):
    select(obj)
    bpy.ops.stiction.add(kind=kind)
    return bpy.context.scene.stiction.steps_per_frame


def test_steps_follow_the_animation_of_what_is_marked_one_by_one():
    shirt, body, prop = grid(), ball(), ball("Prop")
    move(body, 0.158)
    move(prop, 0.298)
    assert [mark(shirt, "CLOTH"), mark(body, "COLLIDER"), mark(prop, "COLLIDER")] == [4, 8, 15]
    assert bpy.context.scene.stiction.motion_samples == 4


@pytest.mark.parametrize("name", ["steps_per_frame", "motion_samples"])
@pytest.mark.parametrize("guesses_before", [False, True])
def test_steps_that_the_artist_has_chosen_stay(name, guesses_before):
    shirt, body, settings = grid(), ball(), bpy.context.scene.stiction
    move(body, 0.158)
    if guesses_before and name == "steps_per_frame":
        mark(shirt, "CLOTH")
    setattr(settings, name, 5)
    mark(body, "COLLIDER")
    assert getattr(settings, name) == 5


def test_a_button_looks_at_the_animation_anew():
    body, settings = ball(), bpy.context.scene.stiction
    assert not bpy.ops.stiction.guess_steps.poll()
    mark(body, "COLLIDER")
    settings.steps_per_frame, settings.motion_samples = 5, 7
    move(body, 0.158)
    assert bpy.ops.stiction.guess_steps() == {"FINISHED"}
    assert (settings.steps_per_frame, settings.motion_samples) == (8, 2)


def test_marked_objects_stay_as_they_are_and_nothing_left_is_told():
    cloth = sheet("Flag", "CLOTH")
    with pytest.raises(RuntimeError, match="or all of it is marked already"):
        set_up(cloth)
    with pytest.raises(RuntimeError, match="Select the groom"):
        set_up()
    empty = mesh_object("Empty", [], [], "NONE")
    with pytest.raises(RuntimeError, match="Nothing that is selected can be simulated"):
        set_up(empty)


def test_one_undo_takes_all_of_it_back(blend_path):
    grid()
    ball(location=(0, 0, -2))
    bpy.context.scene.stiction.steps_per_frame = 7
    bpy.ops.ed.undo_push(message="before")
    set_up(bpy.data.objects["Shirt"], bpy.data.objects["Body"])
    bpy.ops.ed.undo_push(message="Set Up Shot")
    assert kinds() == {"Shirt": "CLOTH", "Body": "COLLIDER"}
    bpy.ops.ed.undo()
    assert kinds() == {"Shirt": "NONE", "Body": "NONE"}
    assert list(bpy.data.objects["Shirt"].modifiers) == []
    assert (bpy.context.scene.stiction.steps_per_frame, bpy.context.scene.stiction.set_up_notes) == (7, "")
