"""The sidebar panels: draw, decide nothing."""

import bpy

from . import object_panels
from .bake_status import BakeStatus, bake_status
from .operators.bake import current_progress
from .operators.check import found_problems


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
        for name in (
            "contact_method",
            "steps_per_frame",
            "motion_samples",
            "relaxes_first",
            "cache_folder",
            "use_custom_range",
        ):
            column.prop(settings, name)
        if settings.use_custom_range:
            column.prop(settings, "first_frame")
            column.prop(settings, "last_frame")


class STICTION_PT_problems(bpy.types.Panel):
    bl_label = "Problems"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"
    bl_parent_id = "STICTION_PT_bake"

    @classmethod
    def poll(cls, context):
        return bool(found_problems(context.scene))

    def draw(self, context):
        column = self.layout.column(align=True)
        for index, problem in enumerate(found_problems(context.scene)):
            row = column.row()
            row.alert = not problem.is_warning
            if problem.elements:
                row.operator("stiction.select_problem", text=problem.sentence, icon="RESTRICT_SELECT_OFF").index = index
            else:
                row.label(text=problem.sentence, icon="ERROR")


class STICTION_PT_air(bpy.types.Panel):
    bl_label = "Air"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"

    def draw(self, context):
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        settings = context.scene.stiction
        column.prop(settings, "wind")
        column.prop(settings, "turbulence")
        gusts = column.column()
        gusts.active = settings.turbulence > 0.0
        gusts.prop(settings, "turbulence_size")
        gusts.prop(settings, "turbulence_seed")
        column.prop(settings, "use_force_fields")


CLASSES = (*object_panels.CLASSES, STICTION_PT_air, STICTION_PT_bake, STICTION_PT_problems)
