"""Delete a bake from disk."""

import bpy

from ...solver.errors import CacheError, StictionError
from ...solver.free_bake import free_bake
from ..cache_folder import cache_folder, has_bake
from ..motion_folder import drop_abandoned_motion
from ..properties import SIMULATED_KINDS
from ..write_playback import disconnect_playback


class STICTION_OT_free_bake(bpy.types.Operator):
    """Delete the bake of this scene from disk, and show the objects as they were"""

    bl_idname = "stiction.free_bake"
    bl_label = "Free Bake"

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("There is no bake")
        return has_bake(context.scene)

    def invoke(self, context, event):
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, context):
        try:
            freed = free_scene(context.scene)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Freed {freed / 1e6:.3g} MB.")
        return {"FINISHED"}


def free_scene(scene: bpy.types.Scene) -> int:
    """Delete the scene's bake; returns the bytes freed."""
    folder = cache_folder(scene)
    if folder is None:
        raise CacheError("The file has not been saved yet, so there is no bake to free.")
    drop_abandoned_motion(folder)
    freed = free_bake(folder)
    for obj in scene.objects:
        if obj.stiction.kind in SIMULATED_KINDS:
            disconnect_playback(obj)
    return freed


CLASSES = (STICTION_OT_free_bake,)
