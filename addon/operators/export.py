"""Export the baked objects to other programs."""

from pathlib import Path

import bpy
from bpy_extras.io_utils import ExportHelper

from ...solver.errors import StictionError
from ...solver.frame_store import FrameStore
from ..cache_folder import cache_folder, has_bake
from ..marked_object import marked_objects
from ..write_export import export


class STICTION_OT_export(bpy.types.Operator, ExportHelper):
    """Write the baked objects with their motion as Alembic (.abc) or USD (.usd, .usdc, .usda)"""

    bl_idname = "stiction.export"
    bl_label = "Export Bake"

    filename_ext = ".abc"
    check_extension = None  # the suffix is the artist's choice
    filter_glob: bpy.props.StringProperty(
        name="Files", description="Which files are listed", default="*.abc;*.usd;*.usdc;*.usda", options={"HIDDEN"}
    )
    overwrite: bpy.props.BoolProperty(
        name="Overwrite", description="Replace the file if it exists", options={"SKIP_SAVE"}
    )

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("There is no bake yet")
        return has_bake(context.scene)

    def execute(self, context):
        try:
            export_bake(context.scene, Path(bpy.path.abspath(self.filepath)), self.overwrite)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f'Wrote "{self.filepath}".')
        return {"FINISHED"}


def export_bake(scene: bpy.types.Scene, path: Path, overwrite: bool) -> None:
    """Write all objects of the scene's bake over its frames."""
    folder = cache_folder(scene)
    if folder is None:
        raise StictionError("There is no bake yet. Bake first.")
    store = FrameStore.open(folder)
    if store.last_frame_done is None:
        raise StictionError("No frame is baked yet. Bake first.")
    store.refuse_damage()  # Blender would write the objects without their motion, and not a word
    objects = [marked.obj for marked in marked_objects(scene) if marked.name in store.manifest.objects]
    export(objects, path, store.manifest.first_frame, store.last_frame_done, overwrite)


CLASSES = (STICTION_OT_export,)
