"""What the artist has set, but the simulation does not look at: said, so that nobody waits for its effect."""

import bpy

from ..solver.errors import Problem
from ..solver.validation import KIND_WORDS
from .animated_settings import animated_settings
from .marked_object import KIND_CLASSES, marked_objects
from .read_force_fields import unused_field_settings
from .read_keys import followed_settings

FOLLOWED_OF_SCENE = {"wind"}  # settings whose keys have an effect


def ignored_settings(scene: bpy.types.Scene) -> list[Problem]:
    """A warning for each force field and each animated setting of which something is not used."""
    problems = [*unused_field_settings(scene)]
    problems += _animation_problems("", "The scene", scene, FOLLOWED_OF_SCENE)
    for marked in marked_objects(scene):
        title = f'{KIND_WORDS[KIND_CLASSES[marked.settings.kind]]} "{marked.name}"'
        problems += _animation_problems(marked.name, title, marked.obj, followed_settings(marked.settings.kind))
    return problems


def _animation_problems(name, title, owner, followed) -> list[Problem]:
    """Other settings are read once, whatever their keyframes and drivers say later."""
    ignored = sorted(animated_settings(owner) - followed)
    labels = [owner.stiction.bl_rna.properties[setting].name for setting in ignored]
    sentences = [
        f"{title}: {label} is animated, but is read at the first frame only. Clear its keyframes or its driver."
        for label in labels
    ]
    return [Problem(name, sentence, is_warning=True) for sentence in sentences]
