"""What of the scene is no longer as it was baked, as far as that can be told without evaluating it.

A panel asks this many times a second, so only settings, names and vertex counts are compared; a resume compares the
animation as well.
"""

import bpy

from ..solver.errors import StictionError
from ..solver.fingerprint import changes, describe
from ..solver.manifest import Manifest
from .marked_object import KIND_CLASSES, MarkedObject, marked_objects
from .playback_problems import playback_problems
from .read_settings import contact_settings, empty_scene, simulation_settings

LONGEST_LIST = 6  # sentences; more do not help


def changed_settings(scene: bpy.types.Scene, manifest: Manifest, plays: bool) -> list[str]:
    """A sentence for each difference between a scene and what was baked of it, and what does not play as it should."""
    try:
        described = describe(empty_scene(scene))
    except StictionError as error:  # a range without frames, or stretched time
        return [str(error)]
    marked = marked_objects(scene)
    now = {
        name: value
        for name, value in described.items()
        if _is_plain(value) and not _is_over_time(manifest.inputs.get(name))
    }
    known = manifest.inputs.get("objects", {})
    now["objects"] = {item.name: _described(item, known.get(item.name, {})) for item in marked}
    found = changes(manifest.inputs, now) + (playback_problems(scene, manifest) if plays else [])
    return found[:LONGEST_LIST] + ([f"and {len(found) - LONGEST_LIST} more"] if len(found) > LONGEST_LIST else [])


def _described(marked: MarkedObject, known: dict):
    """The settings of an object, without those that were baked as more than a setting, such as over time."""
    settings = simulation_settings(marked) if marked.is_simulated else contact_settings(marked)
    described = {name: describe(value) for name, value in settings.items()}
    return {"kind": KIND_CLASSES[marked.settings.kind].__name__, **_where_plain(described, known)}


def _where_plain(now: dict, known: dict) -> dict:
    """Those entries of a description, and of the tables in it, that were baked as plain values and still are."""
    found = {}
    for name, value in now.items():
        if isinstance(value, dict) and isinstance(known.get(name), dict):
            found[name] = _where_plain(value, known[name])
        elif _is_plain(value) and _is_plain(known.get(name)):
            found[name] = value
    return found


def _is_over_time(value):
    return isinstance(value, dict) and "times" in value


def _is_plain(value):
    """Numbers and words, and lists and tables of them; but nothing over time, and no digests of arrays."""
    if isinstance(value, dict):
        return not _is_over_time(value) and all(_is_plain(item) for item in value.values())
    if isinstance(value, list):
        return bool(value) and all(_is_plain(item) for item in value)
    return value is None or (isinstance(value, bool | int | float | str) and not str(value).startswith("digest"))
