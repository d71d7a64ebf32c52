"""Look for problems before a bake."""

import bpy

from ...solver.errors import Problem, SceneRefused
from ...solver.validation import check_scene
from ..read_scene import read_start


class STICTION_OT_check(bpy.types.Operator):
    """List what would keep the scene from being baked"""

    bl_idname = "stiction.check"
    bl_label = "Check"

    def execute(self, context):
        problems = find_problems(context)
        for problem in problems:
            self.report({"WARNING"} if problem.is_warning else {"ERROR"}, problem.sentence)
        if not problems:
            self.report({"INFO"}, "No problems found.")
        return {"FINISHED"}


def find_problems(context) -> list[Problem]:
    """All problems of the scene at its first frame, those of reading it included."""
    try:
        return check_scene(read_start(context.scene, context.view_layer))
    except SceneRefused as refused:
        return refused.problems


CLASSES = (STICTION_OT_check,)
