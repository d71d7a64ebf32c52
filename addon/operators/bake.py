"""The Bake button: modal in a window, synchronous without one."""

import time
from collections.abc import Iterator

import bpy

from ...solver.errors import Interrupted, StictionError
from ..bake_session import BakeSession
from ..bake_wish import BakeWish
from ..cache_folder import cache_folder
from ..progress import READING, Progress
from ..properties import SIMULATED_KINDS
from . import at_work

TIMER_SECONDS = 0.05
FORGOTTEN = {"SKIP_SAVE"}  # or Blender gives a button the properties that another one had before it
READING_SECONDS = 0.004  # of each event that go to reading the animation; the window stands still meanwhile


class STICTION_OT_bake(bpy.types.Operator):
    """Simulate and store all frames; Esc stops and keeps what is done"""

    bl_idname = "stiction.bake"
    bl_label = "Bake"

    resume: bpy.props.BoolProperty(name="Resume", description="Go on where an earlier bake stopped", options=FORGOTTEN)
    overwrite: bpy.props.BoolProperty(name="Bake Anew", description="Free an earlier bake first", options=FORGOTTEN)
    to_playhead: bpy.props.BoolProperty(
        name="To the Playhead",
        description="Stop after the frame that is shown; Resume goes on from there",
        options=FORGOTTEN,
    )
    from_playhead: bpy.props.BoolProperty(
        name="From the Playhead",
        description="Keep the frames before the one that is shown, and bake it and all after it again, also after a "
        "change of settings. It may begin up to ten frames earlier, where the state was kept",
        options=FORGOTTEN,
    )

    @classmethod
    def poll(cls, context):
        reason = why_not(context.scene)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    @classmethod
    def description(cls, context, properties):
        """Of the button that is pointed at."""
        for name in ("from_playhead", "to_playhead", "resume", "overwrite"):
            if getattr(properties, name):
                return cls.bl_rna.properties[name].description
        return cls.__doc__

    def _new_session(self, context):
        frame = context.scene.frame_current
        return BakeSession(
            context,
            BakeWish(
                self.resume,
                self.overwrite,
                to_frame=frame if self.to_playhead else None,
                from_frame=frame if self.from_playhead else None,
            ),
        )

    def execute(self, context):
        """Without a window: bake to the end, waiting."""
        try:
            session = self._new_session(context)
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
            self.session = self._new_session(context)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._steps = self.session.run()
        self._timer = context.window_manager.event_timer_add(TIMER_SECONDS, window=context.window)
        self._window_manager = context.window_manager
        self._stop_asked = False
        self._is_reading = True  # the file is not to be changed, saved or undone meanwhile
        at_work.bakes.append(self)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self._stop_asked = True
        if event.type != "TIMER":
            return {"RUNNING_MODAL"} if self._is_reading else {"PASS_THROUGH"}
        if self not in at_work.bakes:
            return {"CANCELLED"}  # the file was closed, or the extension disabled
        return self._step(context)

    def _step(self, context):
        try:
            if self._stop_asked:
                raise Interrupted("The bake was stopped; all finished frames are kept.")
            progress = next_progress(self._steps)
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
        at_work.show_progress(context, progress)
        return {"RUNNING_MODAL"}

    def _finish(self, context, result):
        self.end()
        push_undo_step()
        at_work.redraw_panel(context)
        return {result}

    def end(self):
        """Stop the worker, connect what is done, and forget the bake and its progress."""
        at_work.bakes.remove(self)
        at_work.hide_progress()
        self._steps.close()
        self._window_manager.event_timer_remove(self._timer)

    def ask_to_stop(self):
        self._stop_asked = True

    def _report_end(self, session):
        for sentence in session.warnings:
            self.report({"WARNING"}, sentence)
        self.report({"INFO"}, f'Baked {session.store.frames_done} frames into "{session.folder}".')


def next_progress(steps: Iterator[Progress]) -> Progress:
    """One step of a bake, or, while the animation is read, as many as fit between two redraws of the window."""
    end = time.perf_counter() + READING_SECONDS
    progress = next(steps)
    while progress.stage == READING and time.perf_counter() < end:
        progress = next(steps)
    return progress


def why_not(scene: bpy.types.Scene) -> str:
    """Why nothing can be baked at the moment, for the tooltip of a button that is greyed out; empty if it can."""
    if at_work.why_busy():
        return at_work.why_busy()
    if not any(obj.stiction.kind in SIMULATED_KINDS for obj in scene.objects):
        return "Nothing to simulate: select the objects and press Set Up Shot, or mark them one by one"
    if cache_folder(scene) is None:
        return "The file has not been saved yet, so there is no place for the bake. Save it, or choose a cache folder"
    return ""


class STICTION_OT_stop_bake(bpy.types.Operator):
    """Stop the running bake and keep what is done"""

    bl_idname = "stiction.stop_bake"
    bl_label = "Stop"

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("No bake is running")
        return bool(at_work.bakes)

    def execute(self, context):
        at_work.bakes[0].ask_to_stop()
        return {"FINISHED"}


def push_undo_step():
    """So that undoing what comes after does not take the playback away; a stopped bake plays, too.

    The flag UNDO of an operator does it only for one that has finished, and not when a script calls it.
    """
    if bpy.ops.ed.undo_push.poll():  # type: ignore[call-arg]  # the stubs are wrong
        bpy.ops.ed.undo_push(message="Bake")


CLASSES = (STICTION_OT_bake, STICTION_OT_stop_bake)
