"""Mark objects as parts of the simulation, and take them out again."""

from dataclasses import fields

import bpy

from ...solver.errors import StictionError
from ...solver.materials import HairMaterial, Material
from ..convert_particles import convert_particle_hair
from ..guess_steps import set_guessed_steps, steps_are_chosen
from ..playback_modifier import add_playback_modifier, remove_playback_modifier
from ..properties import KINDS, SIMULATED_KINDS
from ..read_settings import MATERIALS
from ..units import metres_per_unit

TYPES_OF_KIND = {"HAIR": {"CURVES", "CURVE"}, "COLLIDER": {"MESH", "CURVE", "SURFACE", "META", "FONT"}}
ROPE = HairMaterial(density=1000.0, radius=0.005, bending_modulus=1e6, stretching_modulus=1e8, damping=5e-3)


class STICTION_OT_add(bpy.types.Operator):
    """Make the selected objects part of the simulation"""

    bl_idname = "stiction.add"
    bl_label = "Add to Simulation"
    bl_options = {"REGISTER", "UNDO"}

    kind: bpy.props.EnumProperty(
        name="Kind", description="What the objects are in the simulation", items=KINDS[1:], default="CLOTH"
    )

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("Select an object first")
        return bool(context.selected_objects)

    def execute(self, context):
        marked = [obj for obj in list(context.selected_objects) if self._mark(context, obj)]
        if marked and not steps_are_chosen(context.scene):
            self._guess_steps(context)
        return {"FINISHED"} if marked else {"CANCELLED"}

    def _mark(self, context, obj):
        try:
            obj = mark(context, obj, self.kind)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return False
        if self.kind == "HAIR" and obj not in context.selected_objects:
            self.report({"INFO"}, f'The particle hair was converted to the hair curves "{obj.name}".')
        return True

    def _guess_steps(self, context):
        before = context.scene.stiction.steps_per_frame
        sentence = set_guessed_steps(context.scene, context.view_layer)
        if context.scene.stiction.steps_per_frame != before:
            self.report({"INFO"}, f"{sentence}.")


class STICTION_OT_remove(bpy.types.Operator):
    """Take the selected objects out of the simulation; a bake on disk stays there"""

    bl_idname = "stiction.remove"
    bl_label = "Remove from Simulation"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("No selected object is part of the simulation")
        return any(obj.stiction.kind != "NONE" for obj in context.selected_objects)

    def execute(self, context):
        for obj in context.selected_objects:
            remove_playback_modifier(obj)
            obj.stiction.kind = "NONE"
        return {"FINISHED"}


def mark(context, obj: bpy.types.Object, kind: str) -> bpy.types.Object:
    """Make an object part of the simulation; particle hair becomes hair curves, which are returned."""
    if kind == "HAIR" and obj.type == "MESH" and obj.particle_systems:
        obj = convert_particle_hair(obj, context)
    _refuse_wrong_type(obj, kind)
    remove_playback_modifier(obj)
    obj.stiction.kind = kind
    if kind in SIMULATED_KINDS:
        set_material(obj, ROPE if obj.type == "CURVE" else MATERIALS[kind](), metres_per_unit(context.scene))
        add_playback_modifier(obj)
    return obj


def set_material(obj: bpy.types.Object, material: Material, unit: float) -> None:
    """Write a material into an object's settings; `unit` is the length [m] of a Blender unit."""
    for item in fields(material):
        value = getattr(material, item.name)
        setattr(obj.stiction, item.name, value / unit if item.name == "radius" else value)


def _refuse_wrong_type(obj, kind):
    if obj.type not in TYPES_OF_KIND.get(kind, {"MESH"}):
        wanted = {"HAIR": "hair curves, a curve, or a mesh with particle hair"}.get(kind, "a mesh")
        words = next(item[1] for item in KINDS if item[0] == kind)
        raise StictionError(f'"{obj.name}" cannot be marked as {words}: that needs {wanted}.')
    if obj.library:
        raise StictionError(f'"{obj.name}" is linked from another file. Make a library override of it first.')


CLASSES = (STICTION_OT_add, STICTION_OT_remove)
