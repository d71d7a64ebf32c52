"""Add pairs of objects with a friction of their own, and remove them."""

import bpy


class STICTION_OT_pair_add(bpy.types.Operator):
    """Give two objects a friction on each other; the two that are selected, if they take part"""

    bl_idname = "stiction.pair_add"
    bl_label = "Add Pair"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        settings = context.scene.stiction
        pair = settings.pairs.add()
        chosen = [obj for obj in context.selected_objects if obj.stiction.kind != "NONE"]
        if len(chosen) == 2:
            pair.first, pair.second = chosen
        settings.active_pair = len(settings.pairs) - 1
        return {"FINISHED"}


class STICTION_OT_pair_remove(bpy.types.Operator):
    """Remove the chosen pair"""

    bl_idname = "stiction.pair_remove"
    bl_label = "Remove Pair"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("There is no pair")
        return has_pair(context.scene)

    def execute(self, context):
        settings = context.scene.stiction
        settings.pairs.remove(settings.active_pair)
        settings.active_pair = max(0, settings.active_pair - 1)
        return {"FINISHED"}


def has_pair(scene: bpy.types.Scene) -> bool:
    """Whether there is a pair under the list's cursor."""
    return 0 <= scene.stiction.active_pair < len(scene.stiction.pairs)


CLASSES = (STICTION_OT_pair_add, STICTION_OT_pair_remove)
