"""The panels of the scene: draw, decide nothing."""

import bpy

from . import object_panels
from .bake_status import BakeStatus, bake_status
from .operators.at_work import checks, current_progress
from .operators.check import found_problems
from .operators.pair import has_pair
from .operators.wedge import found_variants
from .panel_rows import keyable, plain, settings_column, wrapped


class SidebarPanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"


class STICTION_PT_bake(SidebarPanel, bpy.types.Panel):
    bl_label = "Bake"

    def draw(self, context):
        progress = current_progress()
        if progress:
            self.layout.progress(factor=progress.factor, text=progress.text)
            wrapped(self.layout.column(align=True), progress.details, context)
            self.layout.operator("stiction.stop_bake", icon="CANCEL")
            return
        status = bake_status(context.scene)
        self._draw_status(status, context)
        self._draw_buttons(status, context.scene)
        column = settings_column(self.layout)
        column.prop(context.scene.stiction, "contact_method")
        row = column.row(align=True)
        row.prop(context.scene.stiction, "steps_per_frame")
        row.operator("stiction.guess_steps", text="", icon="FILE_REFRESH")
        column.prop(context.scene.stiction, "relaxes_first")

    def _draw_status(self, status: BakeStatus, context):
        for sentence in status.sentences:
            wrapped(self.layout.column(align=True), sentence, context, icon="INFO")
        if not status.changed:
            return
        box = self.layout.box().column(align=True)
        box.label(text="Changed since the bake:", icon="ERROR")
        for sentence in status.changed:
            wrapped(box, sentence, context)

    def _draw_buttons(self, status: BakeStatus, scene):
        row = self.layout.row(align=True)
        row.scale_y = 1.4
        if status.can_resume:
            row.operator("stiction.bake", text="Resume", icon="PLAY").resume = True
        elif status.frames_done == 0:
            row.operator("stiction.bake", icon="REC")
        if status.frames_done:
            row.operator("stiction.bake", text="Bake Anew", icon="FILE_REFRESH").overwrite = True
            row.operator("stiction.free_bake", text="", icon="TRASH")
        if scene.frame_start < scene.frame_current <= scene.frame_end:
            self._draw_playhead_buttons(status, scene.frame_current)
        row = self.layout.row(align=True)
        row.operator("stiction.check", text="Checking…" if checks else "Check", icon="CHECKMARK")
        row.operator("stiction.report", icon="GRAPH")

    def _draw_playhead_buttons(self, status, frame):
        """To the frame that is shown, and again from it."""
        row = self.layout.row(align=True)
        if status.can_resume or status.frames_done == 0:
            to = row.operator("stiction.bake", text=f"To Frame {frame}", icon="NEXT_KEYFRAME")
            to.to_playhead, to.resume = True, status.can_resume
        if status.frames_done:
            row.operator("stiction.bake", text=f"Again from {frame}", icon="PREV_KEYFRAME").from_playhead = True


class STICTION_PT_problems(SidebarPanel, bpy.types.Panel):
    bl_label = "Problems"
    bl_parent_id = "STICTION_PT_bake"

    @classmethod
    def poll(cls, context):
        return bool(found_problems(context.scene))

    def draw(self, context):
        column = self.layout.column(align=True)
        for index, problem in enumerate(found_problems(context.scene)):
            row = column.row()
            row.alert = not problem.is_warning
            if problem.object_name:
                row.operator("stiction.select_problem", text=problem.sentence, icon="RESTRICT_SELECT_OFF").index = index
            else:
                wrapped(row.column(align=True), problem.sentence, context, icon="ERROR")


class STICTION_PT_bake_advanced(SidebarPanel, bpy.types.Panel):
    bl_label = "Advanced"
    bl_parent_id = "STICTION_PT_bake"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        settings = context.scene.stiction
        column = settings_column(self.layout)
        column.prop(settings, "linearizations")
        contact = column.column()
        contact.active = settings.contact_method != "NONE"
        plain(contact, settings, "contact_iterations")
        plain(contact, settings, "contact_tolerance")
        column.prop(settings, "motion_samples")
        column.prop(settings, "keeps_measures")
        shows = column.column()
        shows.active = settings.keeps_measures
        shows.prop(settings, "shows_contacts")
        shows.prop(settings, "force_line")
        column.prop(settings, "cache_folder")
        column.prop(settings, "use_custom_range")
        frames = column.column()
        frames.active = settings.use_custom_range
        frames.prop(settings, "first_frame")
        frames.prop(settings, "last_frame")


class STICTION_PT_wedge(SidebarPanel, bpy.types.Panel):
    bl_label = "Wedge"
    bl_parent_id = "STICTION_PT_bake"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        self.layout.operator("stiction.wedge", text="Wedge…", icon="LIGHTPROBE_VOLUME")
        column = self.layout.column(align=True)
        for title, folder in found_variants():
            column.operator("stiction.use_variant", text=title, icon="IMPORT").folder = folder


class STICTION_PT_result(SidebarPanel, bpy.types.Panel):
    bl_label = "Send Elsewhere"
    bl_parent_id = "STICTION_PT_bake"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        self.layout.operator("stiction.bind", icon="LINKED")
        self.layout.operator("stiction.to_shape_keys", text="To Shape Keys", icon="SHAPEKEY_DATA")
        self.layout.operator("stiction.export", text="Export Alembic or USD", icon="EXPORT")


class STICTION_UL_pairs(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index, flt_flag):
        names = [obj.name if obj else "…" for obj in (item.first, item.second)]
        layout.label(text=" on ".join(names))
        layout.prop(item, "friction", text="", emboss=False)


class STICTION_PT_pairs(SidebarPanel, bpy.types.Panel):
    bl_label = "Friction of Pairs"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        settings = context.scene.stiction
        row = self.layout.row()
        row.template_list("STICTION_UL_pairs", "", settings, "pairs", settings, "active_pair", rows=2)
        buttons = row.column(align=True)
        buttons.operator("stiction.pair_add", text="", icon="ADD")
        buttons.operator("stiction.pair_remove", text="", icon="REMOVE")
        if has_pair(context.scene):
            column = settings_column(self.layout)
            for name in ("first", "second", "friction"):
                column.prop(settings.pairs[settings.active_pair], name)


class STICTION_PT_air(SidebarPanel, bpy.types.Panel):
    bl_label = "Air"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        column = settings_column(self.layout)
        settings = context.scene.stiction
        keyable(column, settings, "wind")
        column.prop(settings, "turbulence")
        gusts = column.column()
        gusts.active = settings.turbulence > 0.0
        gusts.prop(settings, "turbulence_size")
        gusts.prop(settings, "turbulence_seed")
        column.prop(settings, "use_force_fields")


CLASSES = (
    STICTION_PT_bake,  # first, so that it is in sight however long the panels of the object are
    STICTION_PT_problems,
    STICTION_PT_bake_advanced,
    STICTION_PT_wedge,
    STICTION_PT_result,
    *object_panels.CLASSES,
    STICTION_UL_pairs,
    STICTION_PT_pairs,
    STICTION_PT_air,
)
