"""What works in the background at the moment, and how the window shows it.

One bake or check at a time: kernels are not to be called from two threads at once.
"""

import time

import bpy

from ..progress import Progress

REDRAW_SECONDS = 0.2  # between redraws for progress: each takes time from the bake
bakes: list = []  # running operators, at most one
checks: list = []
_shown: list[Progress] = []  # at most one
_last_redraw = 0.0


def why_busy() -> str:
    """Why neither a bake nor a check can begin now; empty if they can."""
    if bakes:
        return "A bake is running"
    return "A check is running" if checks else ""


def current_progress() -> Progress | None:
    """How far the running bake was when it was shown last."""
    return _shown[0] if _shown else None


def show_progress(context, progress: Progress) -> None:
    """What is new, a few times a second; a new stage at once."""
    global _last_redraw
    is_new_stage = not _shown or _shown[0].stage != progress.stage
    if _shown == [progress] or not (is_new_stage or time.monotonic() - _last_redraw >= REDRAW_SECONDS):
        return
    _last_redraw = time.monotonic()
    _shown[:] = [progress]
    details = f"   {progress.details}" if progress.details else ""
    context.workspace.status_text_set(f"Stiction: {progress.text}{details}   (Esc stops)")
    redraw_panel(context)


def hide_progress() -> None:
    """In all workspaces: the artist may have gone through some of them meanwhile, and each keeps its text."""
    _shown.clear()
    for workspace in bpy.data.workspaces:
        with bpy.context.temp_override(workspace=workspace):  # Blender takes that of the context
            workspace.status_text_set(None)


def redraw_panel(context) -> None:
    """Only what shows the progress: redrawing all areas would slow the bake down."""
    for area in context.window.screen.areas:
        for region in area.regions:
            if area.type == "VIEW_3D" and region.type == "UI":
                region.tag_redraw()


def end_all(running: list) -> None:
    """End running operators; of one that Blender has freed, when it quits, letting go of it ends its work."""
    for operator in list(running):
        try:
            operator.end()
        except ReferenceError:
            running.clear()


def stop_all() -> None:
    """Before the file or the extension goes away."""
    end_all(bakes)
    end_all(checks)


@bpy.app.handlers.persistent
def _stop_before_load(*_):
    stop_all()


def register():
    bpy.app.handlers.load_pre.append(_stop_before_load)


def unregister():
    bpy.app.handlers.load_pre.remove(_stop_before_load)
    stop_all()
