"""Keep a bake inside the .blend file, as shape keys."""

import bpy

from ...solver.errors import StictionError
from ...solver.frame_store import FrameStore
from ..cache_folder import cache_folder, has_bake
from ..marked_object import marked_objects
from ..write_shape_keys import bytes_needed_for_shape_keys, to_shape_keys

LARGE_BYTES = 500e6  # above this the report becomes a warning


class STICTION_OT_to_shape_keys(bpy.types.Operator):
    """Store the bake of the selected objects as shape keys, one a frame, so that the file needs no cache"""

    bl_idname = "stiction.to_shape_keys"
    bl_label = "Bake to Shape Keys"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        is_baked = has_bake(context.scene)
        cls.poll_message_set("Select a simulated object first" if is_baked else "There is no bake yet")
        return is_baked and any(marked.is_simulated for marked in _selected(context))

    def invoke(self, context, event):
        """Say what it will cost before it is paid."""
        try:
            needed = sum(_bytes_of(store, marked) for store, marked in _baked(context))
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        message = f"This adds about {needed / 1e6:.0f} MB to the file and to memory."
        return context.window_manager.invoke_confirm(self, event, title="Bake to Shape Keys", message=message)

    def execute(self, context):
        try:
            baked = list(_baked(context))
            if baked:
                baked[0][0].refuse_damage()
            for store, marked in baked:
                self._report_size(_bytes_of(store, marked))
                to_shape_keys(marked.obj, store, marked.name)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def _report_size(self, needed):
        text = f"The shape keys add about {needed / 1e6:.0f} MB to the file and to memory."
        self.report({"WARNING" if needed > LARGE_BYTES else "INFO"}, text)


def _selected(context):
    return [marked for marked in marked_objects(context.scene) if marked.obj.select_get()]


def _baked(context):
    """The store, with each selected simulated object; refuses what was not baked."""
    folder = cache_folder(context.scene)
    if folder is None:
        raise StictionError("There is no bake yet. Bake first.")
    store = FrameStore.open(folder)
    for marked in _selected(context):
        if marked.is_simulated:
            if marked.name not in store.manifest.objects:
                raise StictionError(f'"{marked.name}" is not part of the bake. Bake again.')
            yield store, marked


def _bytes_of(store, marked):
    return bytes_needed_for_shape_keys(store.manifest.objects[marked.name].point_count, store.frames_done)


CLASSES = (STICTION_OT_to_shape_keys,)
