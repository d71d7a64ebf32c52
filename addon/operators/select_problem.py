"""Show where a problem is: select its vertices, or its object if it is about all of it."""

import bpy

from ...solver.errors import StictionError
from ..marked_object import marked_objects
from ..select_vertices import edit_selected, select_vertices
from .check import found_problems


class STICTION_OT_select_problem(bpy.types.Operator):
    """Select the vertices or the object that a problem is about"""

    bl_idname = "stiction.select_problem"
    bl_label = "Select Problem"
    bl_options = {"REGISTER", "UNDO"}

    index: bpy.props.IntProperty(
        name="Problem", description="Its place in the list of the last check", min=0, soft_max=1000
    )

    @classmethod
    def description(cls, context, properties):
        problems = found_problems(context.scene)
        return problems[properties.index].sentence if properties.index < len(problems) else cls.__doc__

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("Check the scene first")
        return bool(found_problems(context.scene))

    def execute(self, context):
        problems = found_problems(context.scene)
        if self.index >= len(problems):
            self.report({"ERROR"}, "There is no such problem. Check the scene again.")
            return {"CANCELLED"}
        problem = problems[self.index]
        if context.object and context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        if not problem.elements:
            return self._select_object(context, problem.object_name)
        selected = self._select(context, {problem.object_name: problem.elements, **dict(problem.others)})
        if selected:
            edit_selected(context, selected)
        return {"FINISHED"} if selected else {"CANCELLED"}

    def _select(self, context, elements):
        """The objects whose vertices are selected now; says why of the others."""
        by_name = {marked.name: marked.obj for marked in marked_objects(context.scene)}
        selected = []
        for name, vertices in elements.items():
            try:
                if name not in by_name:
                    raise StictionError(f'"{name}" is no longer part of the simulation. Check the scene again.')
                select_vertices(by_name[name], vertices)
                selected.append(by_name[name])
            except StictionError as error:
                self.report({"WARNING"}, str(error))
        return selected

    def _select_object(self, context, name):
        obj = next((marked.obj for marked in marked_objects(context.scene) if marked.name == name), None)
        if obj is None or not obj.visible_get():
            self.report({"WARNING"}, f'"{name}" is hidden, or no longer part of the simulation.')
            return {"CANCELLED"}
        bpy.ops.object.select_all(action="DESELECT")
        obj.select_set(True)
        context.view_layer.objects.active = obj
        return {"FINISHED"}


CLASSES = (STICTION_OT_select_problem,)
