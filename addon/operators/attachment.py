"""Add attachments to the active object, and remove them."""

import bpy

from ..properties import SIMULATED_KINDS


def has_attachments(obj: bpy.types.Object) -> bool:
    """Whether there is an attachment under the list's cursor."""
    return 0 <= obj.stiction.active_attachment < len(obj.stiction.attachments)


class STICTION_OT_attachment_add(bpy.types.Operator):
    """Attach the active object to another simulated object"""

    bl_idname = "stiction.attachment_add"
    bl_label = "Add Attachment"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("The active object is not simulated")
        return context.object is not None and context.object.stiction.kind in SIMULATED_KINDS

    def execute(self, context):
        settings = context.object.stiction
        settings.attachments.add()
        settings.active_attachment = len(settings.attachments) - 1
        return {"FINISHED"}


class STICTION_OT_attachment_remove(bpy.types.Operator):
    """Remove the chosen attachment"""

    bl_idname = "stiction.attachment_remove"
    bl_label = "Remove Attachment"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("The active object has no attachment")
        return context.object is not None and has_attachments(context.object)

    def execute(self, context):
        settings = context.object.stiction
        settings.attachments.remove(settings.active_attachment)
        settings.active_attachment = max(0, settings.active_attachment - 1)
        return {"FINISHED"}


CLASSES = (STICTION_OT_attachment_add, STICTION_OT_attachment_remove)
