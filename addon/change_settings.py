"""Change a setting by its name and a text, as on the command line."""

import bpy

from ..solver.errors import Problem, SceneRefused
from .animated_settings import animated_settings


def change_setting(scene: bpy.types.Scene, text: str) -> None:
    """`Object.property=value` for an object, `property=value` for the scene."""
    owner, rna, value = _found(scene, text)
    setattr(owner, rna.identifier, _parse(rna, value, text))


def setting_choices(scene: bpy.types.Scene, text: str) -> list[str]:
    """`Object.property=value,value,…` as a text for each value; semicolons part those that have commas in them."""
    _, rna, value = _found(scene, text)
    mark = ";" if ";" in value or getattr(rna, "is_array", False) or rna.type == "STRING" else ","
    path = text.partition("=")[0]
    choices = [f"{path}={part.strip()}" for part in value.split(mark)]
    for choice in choices:
        _parse(rna, choice.partition("=")[2], choice)
    return list(dict.fromkeys(choices))


def _found(scene, text):
    """The owner of a setting, the setting, and the text of its value."""
    path, equals, value = text.partition("=")
    object_name, _, name = path.rpartition(".")  # names of objects may have dots in them
    if not equals or not name:
        raise _refused(object_name, f'"{text}" is not of the form Object.property=value.')
    owner = _owner(scene, object_name)
    known = {rna.identifier: rna for rna in owner.bl_rna.properties if _is_setting(rna)}
    if name not in known:
        words = ", ".join(sorted(known))
        raise _refused(object_name, f'There is no setting "{name}" in "{text}". There are: {words}.')
    if name in animated_settings(owner.id_data):
        raise _refused(
            object_name, f'"{path}" is animated, and its keyframes or driver would undo "{text}". Clear them.'
        )
    return owner, known[name], value


def _is_setting(rna):
    """A text can be its value, and it matters to a bake."""
    return rna.type not in {"POINTER", "COLLECTION"} and not rna.is_hidden and rna.identifier != "name"


def _owner(scene, object_name):
    if not object_name:
        return scene.stiction
    obj = scene.objects.get(object_name)
    if obj is None:
        raise _refused(object_name, f'There is no object "{object_name}" in the scene "{scene.name}".')
    if obj.stiction.kind == "NONE":
        raise _refused(object_name, f'"{object_name}" is not part of the simulation.')
    return obj.stiction


def _parse(rna, value, text):
    try:
        if getattr(rna, "is_array", False):
            values = tuple(_parse_one(rna, part, text) for part in value.split(","))
            if len(values) != rna.array_length:
                raise ValueError
            return values
        return _parse_one(rna, value, text)
    except (ValueError, KeyError):
        raise _refused("", f'The value in "{text}" does not fit: it must be {_wanted(rna)}.') from None


def _parse_one(rna, value, text):
    if rna.type in {"FLOAT", "INT"}:
        return _number(rna, value, text)
    if rna.type == "BOOLEAN":
        return {"true": True, "1": True, "false": False, "0": False}[value.lower()]
    if rna.type == "ENUM" and value not in rna.enum_items:
        raise KeyError
    return value


def _number(rna, value, text):
    """Blender would clamp without a word, and the result would silently differ from what was asked."""
    number = int(value) if rna.type == "INT" else float(value)
    if not rna.hard_min <= number <= rna.hard_max:
        raise _refused("", f'The value in "{text}" is out of range: {rna.hard_min:g} to {rna.hard_max:g}.')
    return number


def _wanted(rna):
    if rna.type == "ENUM":
        return "one of " + ", ".join(rna.enum_items.keys())
    if getattr(rna, "is_array", False):
        return f"{rna.array_length} {'times true or false' if rna.type == 'BOOLEAN' else 'numbers'} with commas"
    return {"FLOAT": "a number", "INT": "a whole number", "BOOLEAN": "true or false"}.get(rna.type, "a text")


def _refused(object_name, sentence):
    return SceneRefused([Problem(object_name, sentence)])
