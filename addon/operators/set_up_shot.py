"""Set up a shot in one click: guess what the selected objects are, and say what was guessed."""

import bpy

from ...solver.errors import StictionError
from ..guess_kinds import Guess, guess_kinds, pin_group_of
from ..guess_steps import set_guessed_steps
from ..properties import KINDS, SIMULATED_KINDS
from .mark import mark

KIND_NAMES = {item[0]: item[1] for item in KINDS}
REPLACED_PHYSICS = ("CLOTH", "SOFT_BODY")  # Blender's own simulation would be the input of ours


class STICTION_OT_set_up_shot(bpy.types.Operator):
    """Mark the selected objects as what they seem to be, with steps that suit the animation"""

    bl_idname = "stiction.set_up_shot"
    bl_label = "Set Up Shot"
    bl_description = (
        "Guess what each selected object is (hair, cloth, prop, collider), mark it so, and set steps that suit the "
        "animation. Undo takes it all back; objects that are marked already stay as they are"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("Select the groom, the garments, the body and the props first")
        return bool(context.selected_objects)

    def execute(self, context):
        unmarked = [obj for obj in context.selected_objects if obj.stiction.kind == "NONE"]
        guesses = guess_kinds(unmarked, context.evaluated_depsgraph_get())
        sentences = [sentence for guess in guesses for sentence in self._mark(context, guess)]
        if not sentences:
            self.report({"ERROR"}, "Nothing that is selected can be simulated, or all of it is marked already.")
            return {"CANCELLED"}
        sentences.append(set_guessed_steps(context.scene, context.view_layer))
        context.scene.stiction.set_up_notes = "\n".join(sentences)
        for sentence in sentences:
            self.report({"INFO"}, sentence)
        return {"FINISHED"}

    def _mark(self, context, guess: Guess):
        """Sentences on what was done; nothing for an object that is refused."""
        try:
            pins = pin_group_of(guess.obj)
            particles = _convert_particle_hair(context, guess.obj)
            obj = mark(context, guess.obj, guess.kind)
        except StictionError as error:
            self.report({"WARNING"}, str(error))
            return []
        if guess.kind in SIMULATED_KINDS and guess.kind != "HAIR":
            obj.stiction.pin_group = pins
        details = [guess.reason, *([f"pinned by {pins}"] if pins and guess.kind in SIMULATED_KINDS else [])]
        details += [f"{name} is switched off" for name in _switch_off_physics(obj, guess.kind)]
        return [*particles, f'"{obj.name}": {KIND_NAMES[guess.kind]} ({"; ".join(details)})']


def _convert_particle_hair(context, obj):
    """Hair of particles becomes curves; the mesh that it grows on is something of its own."""
    if not any(system.settings.type == "HAIR" for system in obj.particle_systems):
        return []
    hair = mark(context, obj, "HAIR")
    return [f'"{hair.name}": Hair (converted from the particles of "{obj.name}")']


def _switch_off_physics(obj, kind):
    """The names of Blender's own simulations on the object, which would move the input of ours."""
    if kind not in SIMULATED_KINDS:
        return []
    switched = [modifier for modifier in obj.modifiers if modifier.type in REPLACED_PHYSICS and modifier.show_viewport]
    for modifier in switched:
        modifier.show_viewport = modifier.show_render = False
    return [modifier.name for modifier in switched]


class STICTION_OT_guess_steps(bpy.types.Operator):
    """Set Steps per Frame and Motion Samples by the speed of the animation, as it is now"""

    bl_idname = "stiction.guess_steps"
    bl_label = "Steps from Animation"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("Nothing is part of the simulation yet")
        return any(obj.stiction.kind != "NONE" for obj in context.scene.objects)

    def execute(self, context):
        self.report({"INFO"}, f"{set_guessed_steps(context.scene, context.view_layer)}.")
        return {"FINISHED"}


CLASSES = (STICTION_OT_set_up_shot, STICTION_OT_guess_steps)
