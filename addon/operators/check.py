"""Look for problems before a bake."""

import bpy

from ...solver.errors import Problem, SceneRefused
from ...solver.scene import Scene, SoftBody
from ...solver.validation import check_scene
from ..cache_folder import kernel_folder
from ..ignored_settings import ignored_settings
from ..read_scene import read_start

_found: dict[int, list[Problem]] = {}  # what the last check of each scene found, for the panel


class STICTION_OT_check(bpy.types.Operator):
    """List what would keep the scene from being baked, and what intersects at its first frame"""

    bl_idname = "stiction.check"
    bl_label = "Check"

    def execute(self, context):
        problems = find_problems(context)
        _found[context.scene.session_uid] = problems
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
    try:
        scene = read_start(context.scene, context.view_layer)
    except SceneRefused as refused:
        return refused.problems
    problems = check_scene(scene) + ignored_settings(context.scene)
    is_sound = all(problem.is_warning for problem in problems)
    return problems + _problems_of_start(scene) if is_sound else problems


def _problems_of_start(scene: Scene) -> list[Problem]:
    """Which bodies cannot be filled, and where objects intersect; imported late, because of its kernels."""
    from ...solver import jit_cache

    folder = kernel_folder()
    if folder:
        jit_cache.use_folder(folder)
    from ...solver.collision.start_state import start_problems

    return _problems_of_surfaces(scene) + start_problems(scene)


def _problems_of_surfaces(scene: Scene) -> list[Problem]:
    if not any(isinstance(item, SoftBody) for item in scene.simulated):
        return []
    from ...solver.bodies.solid import surface_warnings

    return surface_warnings(scene)


CLASSES = (STICTION_OT_check,)
