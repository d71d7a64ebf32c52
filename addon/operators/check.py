"""Look for problems before a bake."""

from collections.abc import Generator
from pathlib import Path

import bpy

from ...solver.errors import Problem, SceneRefused
from ...solver.scene import Scene, SoftBody
from ...solver.validation import check_scene
from ..cache_folder import kernel_folder
from ..ignored_settings import ignored_settings
from ..in_background import in_background, result_of
from ..progress import READING, Progress
from ..read_scene import read_start_in_steps
from . import at_work
from .bake import TIMER_SECONDS, next_progress

_found: dict[int, list[Problem]] = {}  # what the last check of each scene found, for the panel


class STICTION_OT_check(bpy.types.Operator):
    """List what would keep the scene from being baked, and what intersects at its first frame"""

    bl_idname = "stiction.check"
    bl_label = "Check"

    @classmethod
    def poll(cls, context):
        cls.poll_message_set(at_work.why_busy())
        return not at_work.why_busy()

    def execute(self, context):
        """Without a window: look for problems, waiting."""
        return self._tell(context.scene.session_uid, find_problems(context))

    def invoke(self, context, event):
        if bpy.app.background:
            return self.execute(context)
        self._scene = context.scene.session_uid
        self._steps = find_in_steps(context.scene, context.view_layer)
        self._is_reading = True  # the file is not to be changed, saved or undone meanwhile
        self._timer = context.window_manager.event_timer_add(TIMER_SECONDS, window=context.window)
        self._window_manager = context.window_manager
        at_work.checks.append(self)
        context.window_manager.modal_handler_add(self)
        at_work.redraw_panel(context)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"RUNNING_MODAL"} if self._is_reading else {"PASS_THROUGH"}
        if self not in at_work.checks:
            return {"CANCELLED"}  # the file was closed, or the extension disabled
        try:
            self._is_reading = next_progress(self._steps).stage == READING
        except StopIteration as done:
            self.end()
            at_work.redraw_panel(context)
            return self._tell(self._scene, done.value)
        except BaseException:  # Blender prints it; another check must be possible all the same
            self.end()
            raise
        return {"RUNNING_MODAL"}

    def end(self):
        """Wait for the thread, and forget the check."""
        at_work.checks.remove(self)
        self._steps.close()
        self._window_manager.event_timer_remove(self._timer)

    def _tell(self, scene, problems):
        _found[scene] = problems
        for problem in problems:
            self.report({"WARNING"} if problem.is_warning else {"ERROR"}, problem.sentence)
        if not problems:
            self.report({"INFO"}, "No problems found.")
        return {"FINISHED"}


def found_problems(scene: bpy.types.Scene) -> list[Problem]:
    """What the last check of a scene found."""
    return _found.get(scene.session_uid, [])


def find_problems(context) -> list[Problem]:
    """All problems of the scene at its first frame, those of reading it included."""
    return result_of(find_in_steps(context.scene, context.view_layer))


def find_in_steps(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> Generator[Progress, None, list[Problem]]:
    """The same: the scene is read an object a step, and then a thread looks at it."""
    try:
        start = yield from read_start_in_steps(scene, view_layer)
    except SceneRefused as refused:
        return refused.problems
    unused = ignored_settings(scene)
    return (yield from in_background(Progress("Checking", 0, 1), _problems_of, start, unused, kernel_folder()))


def _problems_of(scene: Scene, unused: list[Problem], kernels: Path | None) -> list[Problem]:
    problems = check_scene(scene) + unused
    is_sound = all(problem.is_warning for problem in problems)
    return problems + _problems_of_start(scene, kernels) if is_sound else problems


def _problems_of_start(scene: Scene, kernels: Path | None) -> list[Problem]:
    """Which bodies cannot be filled, and where objects intersect; imported late, because of its kernels."""
    from ...solver import jit_cache

    if kernels:
        jit_cache.use_folder(kernels)
    from ...solver.collision.start_state import start_problems

    return _problems_of_surfaces(scene) + start_problems(scene)


def _problems_of_surfaces(scene: Scene) -> list[Problem]:
    if not any(isinstance(item, SoftBody) for item in scene.simulated):
        return []
    from ...solver.bodies.solid import surface_warnings

    return surface_warnings(scene)


CLASSES = (STICTION_OT_check,)
