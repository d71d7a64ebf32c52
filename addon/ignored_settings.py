"""What the artist has set, but the simulation does not look at: said, so that nobody waits for its effect."""

from collections.abc import Iterable, Iterator

import bpy

from ..solver.errors import Problem
from ..solver.validation import KIND_WORDS
from .marked_object import KIND_CLASSES, marked_objects
from .read_force_fields import unused_field_settings

PREFIX = "stiction."
FOLLOWED = {"friction", "kinetic_friction"}  # settings whose keys have an effect


def ignored_settings(scene: bpy.types.Scene) -> list[Problem]:
    """A warning for each force field and each animated setting of which something is not used."""
    problems = [*unused_field_settings(scene)]
    problems += _animation_problems("", "The scene", scene, scene.stiction)
    for marked in marked_objects(scene):
        title = f'{KIND_WORDS[KIND_CLASSES[marked.settings.kind]]} "{marked.name}"'
        problems += _animation_problems(marked.name, title, marked.obj, marked.settings)
    return problems


def _animation_problems(name, title, owner, settings) -> list[Problem]:
    """Settings are read once, whatever their keyframes and drivers say later."""
    ignored = sorted(_animated_settings(owner) - FOLLOWED)
    labels = [settings.bl_rna.properties[setting].name for setting in ignored]
    sentences = [
        f"{title}: {label} is animated, but is read at the first frame only. Clear its keyframes or its driver."
        for label in labels
    ]
    return [Problem(name, sentence, is_warning=True) for sentence in sentences]


def _animated_settings(owner) -> set[str]:
    """Names of the settings of an object or a scene that have keyframes or drivers."""
    animation = owner.animation_data
    if animation is None:
        return set()
    paths = [curve.data_path for curve in (*animation.drivers, *_curves(animation))]
    names = {path.removeprefix(PREFIX).partition("[")[0].partition(".")[0] for path in paths if path.startswith(PREFIX)}
    return names & set(owner.stiction.bl_rna.properties.keys())


def _curves(animation: bpy.types.AnimData) -> Iterator[bpy.types.FCurve]:
    yield from _curves_of_slot(animation.action, animation.action_slot_handle)
    for track in animation.nla_tracks:
        for strip in track.strips:
            yield from _curves_of_slot(strip.action, strip.action_slot_handle)


def _curves_of_slot(action, slot_handle) -> Iterable[bpy.types.FCurve]:
    if action is None:
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if bag.slot_handle == slot_handle:
                    yield from bag.fcurves
