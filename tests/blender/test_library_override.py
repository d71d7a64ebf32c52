"""An object of another file can be simulated through a library override, and stays so."""

import bpy

from .shots import make_sheet, select


def library_with_a_sheet(path):
    make_sheet("Sheet")
    bpy.ops.stiction.remove()
    collection = bpy.data.collections.new("Asset")
    collection.objects.link(bpy.data.objects["Sheet"])
    bpy.data.libraries.write(str(path), {collection})
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def overridden_sheet(library):
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.collections = ["Asset"]
    scene, view_layer = bpy.context.scene, bpy.context.view_layer
    scene.collection.children.link(bpy.data.collections["Asset"])
    bpy.data.collections["Asset"].override_hierarchy_create(scene, view_layer)
    return next(obj for obj in bpy.data.objects if obj.override_library)


def test_settings_of_an_override_are_there_after_saving_and_opening(tmp_path):
    library_with_a_sheet(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    obj = overridden_sheet(tmp_path / "library.blend")
    select(obj)
    bpy.ops.stiction.add(kind="CLOTH")
    obj.stiction.pin_group, obj.stiction.air_drag, obj.stiction.start_velocity = "Pins", 3.0, (0, 0, 1)
    bpy.context.scene.frame_end = 5
    bpy.ops.stiction.bake()
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    settings = next(obj for obj in bpy.data.objects if obj.override_library).stiction
    assert (settings.kind, settings.pin_group, settings.air_drag) == ("CLOTH", "Pins", 3.0)
    assert tuple(settings.start_velocity) == (0, 0, 1)
    bpy.context.scene.frame_end = 8
    assert bpy.ops.stiction.bake(resume=True) == {"FINISHED"}
