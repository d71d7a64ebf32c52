"""Let denser meshes and hair follow what is simulated."""

import bpy

from ...solver.errors import StictionError
from ..properties import SIMULATED_KINDS
from ..read_settings import frame_range
from ..write_binding import bind_mesh, moved_twice
from ..write_guidance import guide_hair


class STICTION_OT_bind(bpy.types.Operator):
    """Let the other selected objects follow the active simulated one: denser meshes a mesh, denser hair its guides.
    Both are taken as they are at the first frame, before the simulation"""

    bl_idname = "stiction.bind"
    bl_label = "Bind to Simulated"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("Select what is to follow, and then, as the last one, the simulated object")
        return _is_leading(context.object) and len(context.selected_objects) > 1

    def execute(self, context):
        bound = [obj for obj in context.selected_objects if obj != context.object and self._bind(context, obj)]
        return {"FINISHED"} if bound else {"CANCELLED"}

    def _bind(self, context, obj):
        try:
            follow = guide_hair if context.object.type == "CURVES" else bind_mesh
            follow(obj, context.object, context.scene, frame_range(context.scene)[0])
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return False
        for name in moved_twice(obj):
            sentence = (
                f'The modifier "{name}" of "{obj.name}" moves it once more than "{context.object.name}". Switch it off.'
            )
            self.report({"WARNING"}, sentence)
        return True


def _is_leading(obj):
    return obj is not None and obj.stiction.kind in SIMULATED_KINDS and obj.type in ("MESH", "CURVES")


CLASSES = (STICTION_OT_bind,)
