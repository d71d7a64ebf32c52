"""The Bake button: modal in a window, synchronous without one."""

import time

import bpy

from ...solver.errors import Interrupted, StictionError
from ..bake_session import READING, BakeSession

TIMER_SECONDS = 0.05
_running: list["STICTION_OT_bake"] = []  # at most one


class STICTION_OT_bake(bpy.types.Operator):
    """Simulate and store all frames; Esc stops and keeps what is done"""

    bl_idname = "stiction.bake"
    bl_label = "Bake"

    resume: bpy.props.BoolProperty(name="Resume", description="Go on where an earlier bake stopped")
    overwrite: bpy.props.BoolProperty(name="Bake Anew", description="Free an earlier bake first")

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("A bake is running")
        return not _running

    def execute(self, context):
        """Without a window: bake to the end, waiting."""
        try:
            session = BakeSession(context, self.resume, self.overwrite)
            for progress in session.run():
                if progress.stage != READING:
                    time.sleep(TIMER_SECONDS)
        except Interrupted as stopped:
            self.report({"WARNING"}, str(stopped))
            return {"CANCELLED"}
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._report_end(session)
        push_undo_step()
        return {"FINISHED"}

    def invoke(self, context, event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self.session = BakeSession(context, self.resume, self.overwrite)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._steps = self.session.run()
        self._timer = context.window_manager.event_timer_add(TIMER_SECONDS, window=context.window)
        self._window_manager = context.window_manager
        self._stop_asked = False
        self._is_reading = True  # the file is not to be changed, saved or undone meanwhile
        _running.append(self)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self._stop_asked = True
        if event.type != "TIMER":
            return {"RUNNING_MODAL"} if self._is_reading else {"PASS_THROUGH"}
        if self not in _running:
            return {"CANCELLED"}  # the file was closed, or the extension disabled
        return self._step(context)

    def _step(self, context):
        try:
            if self._stop_asked:
                raise Interrupted("The bake was stopped; all finished frames are kept.")
            progress = next(self._steps)
        except StopIteration:
            self._report_end(self.session)
            return self._finish(context, "FINISHED")
        except Interrupted as stopped:
            self.report({"WARNING"}, str(stopped))
            return self._finish(context, "CANCELLED")
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return self._finish(context, "CANCELLED")
        except BaseException:  # Blender prints it; another bake must be possible all the same
            self._finish(context, "CANCELLED")
            raise
        self._is_reading = progress.stage == READING
        show_progress(context, progress)
        return {"RUNNING_MODAL"}

    def _finish(self, context, result):
        self.end()
        push_undo_step()
        redraw_panel(context)
        return {result}

    def end(self):
        """Stop the worker, connect what is done, and forget the bake and its progress."""
        _running.remove(self)
        hide_progress()
        self._steps.close()
        self._window_manager.event_timer_remove(self._timer)

    def ask_to_stop(self):
        self._stop_asked = True

    def _report_end(self, session):
        for sentence in session.warnings:
            self.report({"WARNING"}, sentence)
        self.report({"INFO"}, f'Baked {session.store.frames_done} frames into "{session.folder}".')


class STICTION_OT_stop_bake(bpy.types.Operator):
    """Stop the running bake and keep what is done"""

    bl_idname = "stiction.stop_bake"
    bl_label = "Stop"

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("No bake is running")
        return bool(_running)

    def execute(self, context):
        _running[0].ask_to_stop()
        return {"FINISHED"}


def push_undo_step():
    """So that undoing what comes after does not take the playback away; a stopped bake plays, too.

    The flag UNDO of an operator does it only for one that has finished, and not when a script calls it.
    """
    if bpy.ops.ed.undo_push.poll():  # type: ignore[call-arg]  # the stubs are wrong
        bpy.ops.ed.undo_push(message="Bake")


def current_progress():
    """The Progress of the running bake, or None."""
    return _shown[0] if _running and _shown else None


_shown: list = []


def show_progress(context, progress):
    _shown[:] = [progress]
    context.workspace.status_text_set(f"Stiction: {progress.text}   (Esc stops)")
    redraw_panel(context)


def hide_progress():
    """In all workspaces: the artist may have gone through some of them meanwhile, and each keeps its text."""
    _shown.clear()
    for workspace in bpy.data.workspaces:
        with bpy.context.temp_override(workspace=workspace):  # Blender takes that of the context
            workspace.status_text_set(None)


def redraw_panel(context):
    """Only what shows the progress: redrawing all areas would slow the bake down."""
    for area in context.window.screen.areas:
        for region in area.regions:
            if area.type == "VIEW_3D" and region.type == "UI":
                region.tag_redraw()


def stop_running_bake():
    """Before the file or the extension goes away."""
    for operator in list(_running):
        operator.end()


@bpy.app.handlers.persistent
def _stop_before_load(*_):
    stop_running_bake()


def register():
    bpy.app.handlers.load_pre.append(_stop_before_load)


def unregister():
    bpy.app.handlers.load_pre.remove(_stop_before_load)
    stop_running_bake()


CLASSES = (STICTION_OT_bake, STICTION_OT_stop_bake)
