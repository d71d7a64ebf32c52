"""Give objects the material of a preset."""

from functools import cache

import bpy

from ..material_presets import material_presets
from ..units import metres_per_unit
from .mark import set_material


def kind_with_presets(obj: bpy.types.Object | None) -> str | None:
    """The kind that chooses an object's presets; ropes are no hair, and have none."""
    if obj is None or (obj.stiction.kind == "HAIR" and obj.type == "CURVE"):
        return None
    return obj.stiction.kind if preset_items(obj.stiction.kind) else None


@cache
def preset_items(kind: str | None) -> list[tuple[str, str, str]]:
    """Of an enumeration; cached, because Blender does not keep the texts of items that a function returns."""
    return [(preset.name, preset.label, preset.source) for preset in material_presets().values() if preset.kind == kind]


def _items(operator, context):
    return preset_items(kind_with_presets(context.object if context else None))


class STICTION_OT_apply_preset(bpy.types.Operator):
    """Set the material of the selected objects of this kind to a preset"""

    bl_idname = "stiction.apply_preset"
    bl_label = "Material Preset"
    bl_options = {"REGISTER", "UNDO"}

    preset: bpy.props.EnumProperty(
        name="Preset", description="The material and where its numbers come from", items=_items
    )

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("The active object has no presets: mark it as hair, cloth or soft body")
        return kind_with_presets(context.object) is not None

    def execute(self, context):
        preset = material_presets()[self.preset]
        targets = {context.object, *context.selected_objects}
        for obj in targets:
            if kind_with_presets(obj) == preset.kind and obj.is_editable:
                set_material(obj, preset.material, metres_per_unit(context.scene))
        return {"FINISHED"}


CLASSES = (STICTION_OT_apply_preset,)
