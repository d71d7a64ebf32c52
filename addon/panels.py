"""The sidebar panel: draws, decides nothing."""

from dataclasses import fields

import bpy

from ..solver.materials import ClothMaterial, HairMaterial, RigidMaterial, SolidMaterial
from .bake_status import BakeStatus, bake_status
from .operators.bake import current_progress
from .properties import KINDS, SIMULATED_KINDS


class STICTION_PT_object(bpy.types.Panel):
    bl_label = "Object"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"

    def draw(self, context):
        obj = context.object
        if obj is None:
            self.layout.label(text="Select an object")
            return
        self.layout.label(text=obj.name, icon="OBJECT_DATA")
        if obj.stiction.kind == "NONE":
            self._draw_kinds()
        else:
            self._draw_settings(context, obj)

    def _draw_kinds(self):
        column = self.layout.column(align=True)
        for identifier, name, _, icon, _ in KINDS[1:]:
            column.operator("stiction.add", text=name, icon=icon).kind = identifier

    def _draw_settings(self, context, obj):
        row = self.layout.row()
        row.label(text=next(item[1] for item in KINDS if item[0] == obj.stiction.kind))
        row.operator("stiction.remove", text="", icon="X")
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        for name in settings_of(obj.stiction.kind):
            column.prop(obj.stiction, name)
        if obj.stiction.kind in SIMULATED_KINDS and obj.type == "MESH":
            column.prop_search(obj.stiction, "pin_group", obj, "vertex_groups")


def names_of(material: type) -> list[str]:
    """The settings of a material, by the solver's own names."""
    return [item.name for item in fields(material)]


def settings_of(kind: str) -> tuple[str, ...]:
    """The settings that have an effect for a kind."""
    return {
        "HAIR": ("pinned_ends", *names_of(HairMaterial), "start_velocity"),
        "CLOTH": (*names_of(ClothMaterial), "start_velocity"),
        "SOFT": (*names_of(SolidMaterial), "start_velocity"),
        "RIGID": (*names_of(RigidMaterial), "start_velocity"),
    }.get(kind, ())


class STICTION_PT_bake(bpy.types.Panel):
    bl_label = "Bake"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"

    def draw(self, context):
        progress = current_progress()
        if progress:
            self.layout.progress(factor=progress.factor, text=progress.text)
            self.layout.operator("stiction.stop_bake", icon="CANCEL")
            return
        self._draw_buttons(bake_status(context.scene))
        self._draw_scene_settings(context.scene)

    def _draw_buttons(self, status: BakeStatus):
        for sentence in status.sentences:
            self.layout.label(text=sentence, icon="INFO")
        row = self.layout.row(align=True)
        row.scale_y = 1.4
        if status.can_resume:
            row.operator("stiction.bake", text="Resume", icon="PLAY").resume = True
        elif status.frames_done == 0:
            row.operator("stiction.bake", icon="REC")
        if status.frames_done:
            row.operator("stiction.bake", text="Bake Anew", icon="FILE_REFRESH").overwrite = True
            row.operator("stiction.free_bake", text="", icon="TRASH")
        row = self.layout.row(align=True)
        row.operator("stiction.check", icon="CHECKMARK")
        row.operator("stiction.to_shape_keys", text="Shape Keys", icon="SHAPEKEY_DATA")
        row.operator("stiction.export", text="Export", icon="EXPORT")

    def _draw_scene_settings(self, scene):
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        settings = scene.stiction
        for name in ("steps_per_frame", "motion_samples", "wind", "cache_folder", "use_custom_range"):
            column.prop(settings, name)
        if settings.use_custom_range:
            column.prop(settings, "first_frame")
            column.prop(settings, "last_frame")


CLASSES = (STICTION_PT_object, STICTION_PT_bake)
