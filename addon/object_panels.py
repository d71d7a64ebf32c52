"""The sidebar panels of the active object: one for each matter, and only what applies to its kind."""

from dataclasses import fields

import bpy

from .operators.attachment import has_attachments
from .operators.preset import kind_with_presets
from .panel_rows import draw_setting, keyable, plain, settings_column, wrapped
from .properties import KINDS, SIMULATED_KINDS
from .read_settings import MATERIALS, SOLID_KINDS

FIRST = {  # of each kind's material: what is changed most; the rest is under Advanced
    "HAIR": ("radius", "bending_modulus"),
    "CLOTH": ("area_density", "warp_bending", "weft_bending"),
    "SOFT": ("density", "youngs_modulus"),
    "RIGID": ("density",),
}


class STICTION_PT_object(bpy.types.Panel):
    bl_label = "Object"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"

    def draw(self, context):
        obj = context.object
        if obj is None or obj.stiction.kind == "NONE":
            self._draw_kinds(obj)
            return
        row = self.layout.row()
        _, name, _, icon, _ = next(item for item in KINDS if item[0] == obj.stiction.kind)
        row.label(text=f"{obj.name}: {name}", icon=icon)
        row.operator("stiction.remove", text="", icon="X")

    def _draw_kinds(self, obj):
        row = self.layout.row()
        row.scale_y = 1.4
        row.operator("stiction.set_up_shot", icon="SHADERFX")
        self.layout.label(text=f"Or mark {obj.name} as" if obj else "Or select an object and mark it as")
        column = self.layout.column(align=True)
        for identifier, name, _, icon, _ in KINDS[1:]:
            column.operator("stiction.add", text=name, icon=icon).kind = identifier


class STICTION_PT_notes(bpy.types.Panel):
    bl_label = "What Was Guessed"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"
    bl_parent_id = "STICTION_PT_object"

    @classmethod
    def poll(cls, context):
        return bool(context.scene.stiction.set_up_notes)

    def draw(self, context):
        column = self.layout.column(align=True)
        for line in context.scene.stiction.set_up_notes.split("\n"):
            wrapped(column, line, context)


class PartPanel:
    """A part of the object's panel, shown for some kinds."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Stiction"
    bl_parent_id = "STICTION_PT_object"
    kinds: tuple[str, ...] = SIMULATED_KINDS

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.stiction.kind in cls.kinds

    def draw(self, context):
        self.draw_settings(settings_column(self.layout), context.object, context.object.stiction)


class STICTION_PT_material(PartPanel, bpy.types.Panel):
    bl_label = "Material"

    def draw_settings(self, column, obj, settings):
        if kind_with_presets(obj):
            column.operator_menu_enum("stiction.apply_preset", "preset", icon="PRESET")
        for name in FIRST[settings.kind]:
            draw_setting(column, settings, name)


class STICTION_PT_material_advanced(PartPanel, bpy.types.Panel):
    bl_label = "Advanced"
    bl_parent_id = "STICTION_PT_material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_settings(self, column, obj, settings):
        for item in fields(MATERIALS[settings.kind]):
            if item.name not in FIRST[settings.kind]:
                draw_setting(column, settings, item.name)
        column.prop(settings, "start_velocity")


class STICTION_PT_pins(PartPanel, bpy.types.Panel):
    bl_label = "Pins"

    def draw_settings(self, column, obj, settings):
        if settings.kind == "HAIR":
            column.prop(settings, "pinned_ends")
        else:
            column.prop_search(settings, "pin_group", obj, "vertex_groups")
        strength = column.column()
        strength.active = settings.pinned_ends != "NONE" if settings.kind == "HAIR" else bool(settings.pin_group)
        strength.prop(settings, "pin_stiffness")
        keyable(strength, settings, "pin_strength")


class STICTION_PT_collision(PartPanel, bpy.types.Panel):
    bl_label = "Collision"
    kinds = (*SIMULATED_KINDS, "COLLIDER")

    def draw_settings(self, column, obj, settings):
        keyable(column, settings, "friction")
        if settings.kind in SIMULATED_KINDS:
            column.prop(settings, "self_collision")


class STICTION_PT_collision_advanced(PartPanel, bpy.types.Panel):
    bl_label = "Advanced"
    bl_parent_id = "STICTION_PT_collision"
    bl_options = {"DEFAULT_CLOSED"}
    kinds = (*SIMULATED_KINDS, "COLLIDER")

    def draw(self, context):
        column, obj = settings_column(self.layout), context.object
        self._draw_friction(column, obj, obj.stiction)
        if obj.stiction.kind in SOLID_KINDS:
            self._draw_ellipsoid(column.column(), obj.stiction, context.scene.stiction.contact_method == "PROX")
        self._draw_touch(column, obj.stiction)

    def _draw_friction(self, column, obj, settings):
        if not (settings.kind == "HAIR" and obj.type == "CURVE"):  # a rope's points are not those of its curve
            column.prop(settings, "friction_map")
        column.prop(settings, "use_kinetic_friction")
        kinetic = column.column()
        kinetic.active = settings.use_kinetic_friction
        keyable(kinetic, settings, "kinetic_friction")

    def _draw_touch(self, column, settings):
        column.prop(settings, "cohesion")
        column.prop(settings, "compliance")
        column.prop(settings, "restitution")
        column.prop(settings, "thickness")
        column.prop(settings, "collision_groups")

    def _draw_ellipsoid(self, column, settings, is_known):
        column.active = is_known
        column.prop(settings, "spin_friction")
        column.prop(settings, "friction_ratio")
        direction = column.column()
        direction.active = settings.friction_ratio != 1.0
        plain(direction, settings, "friction_direction")


class STICTION_PT_rest_shape(PartPanel, bpy.types.Panel):
    bl_label = "Rest Shape"
    bl_options = {"DEFAULT_CLOSED"}
    kinds = ("HAIR", "CLOTH")

    def draw_settings(self, column, obj, settings):
        column.prop(settings, "is_sag_free")
        keys = getattr(obj.data, "shape_keys", None)
        if keys:
            column.prop_search(settings, "rest_shape_key", keys, "key_blocks")
        elif obj.type != "CURVES":  # hair curves have no shape keys
            column.prop(settings, "rest_shape_key")
        if settings.kind != "CLOTH":
            return
        column.prop_search(settings, "rest_uv_map", obj.data, "uv_layers", icon="GROUP_UVS")
        scale = column.column()
        scale.active = bool(settings.rest_uv_map)
        scale.prop(settings, "uv_scale")


class STICTION_PT_body(PartPanel, bpy.types.Panel):
    bl_label = "Body"
    bl_options = {"DEFAULT_CLOSED"}
    kinds = ("SOFT",)

    def draw_settings(self, column, obj, settings):
        column.prop(settings, "resolution")
        column.prop(settings, "frame_count")


class STICTION_PT_pressure(PartPanel, bpy.types.Panel):
    bl_label = "Pressure"
    bl_options = {"DEFAULT_CLOSED"}
    kinds = ("CLOTH",)

    def draw_settings(self, column, obj, settings):
        column.prop(settings, "pressure")
        column.prop(settings, "is_sealed")


class STICTION_UL_attachments(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index, flt_flag):
        layout.label(text=item.target.name if item.target else "No target", icon="LINKED")


class STICTION_PT_attachments(PartPanel, bpy.types.Panel):
    bl_label = "Attachments"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_settings(self, column, obj, settings):
        row = column.row()
        row.template_list("STICTION_UL_attachments", "", settings, "attachments", settings, "active_attachment", rows=2)
        buttons = row.column(align=True)
        buttons.operator("stiction.attachment_add", text="", icon="ADD")
        buttons.operator("stiction.attachment_remove", text="", icon="REMOVE")
        if has_attachments(obj):
            self._draw_attachment(column, obj, settings.attachments[settings.active_attachment])
        if settings.kind == "CLOTH":
            self._draw_seams(column, settings)

    def _draw_attachment(self, column, obj, attachment):
        column.prop(attachment, "target")
        if obj.stiction.kind == "HAIR":  # ends of strands are tied firmly
            column.prop(attachment, "ends")
            return
        column.prop_search(attachment, "vertex_group", obj, "vertex_groups")
        column.prop(attachment, "stiffness")
        column.prop(attachment, "keeps_distance")

    def _draw_seams(self, column, settings):
        column.prop(settings, "use_seams")
        stiffness = column.column()
        stiffness.active = settings.use_seams
        stiffness.prop(settings, "seam_stiffness")


CLASSES = (
    STICTION_UL_attachments,
    STICTION_PT_object,
    STICTION_PT_notes,
    STICTION_PT_material,
    STICTION_PT_material_advanced,
    STICTION_PT_pins,
    STICTION_PT_collision,
    STICTION_PT_collision_advanced,
    STICTION_PT_rest_shape,
    STICTION_PT_body,
    STICTION_PT_pressure,
    STICTION_PT_attachments,
)
