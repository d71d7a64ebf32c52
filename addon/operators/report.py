"""The report of a bake, as a page in the browser."""

from pathlib import Path

import bpy

from ...solver.errors import CacheError, StictionError
from ..cache_folder import cache_folder, has_bake


class STICTION_OT_report(bpy.types.Operator):
    """Write a page about the bake (time, contacts, residual and intersections of each frame) and show it"""

    bl_idname = "stiction.report"
    bl_label = "Report"

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("There is no bake yet")
        return has_bake(context.scene)

    def execute(self, context):
        try:
            path = write_scene_report(context.scene)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if not bpy.app.background:
            bpy.ops.wm.url_open(url=path.as_uri())
        self.report({"INFO"}, f'Wrote "{path}".')
        return {"FINISHED"}


def write_scene_report(scene: bpy.types.Scene, path: Path | None = None) -> Path:
    """Write the report of the scene's bake; returns where."""
    from ...solver.pages.bake_report import write_report

    folder = cache_folder(scene)
    if folder is None:
        raise CacheError("There is no bake yet. Bake first.")
    return write_report(folder, path)


CLASSES = (STICTION_OT_report,)
