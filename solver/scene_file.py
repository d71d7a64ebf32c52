"""A scene in one file: arrays plus JSON."""

from dataclasses import fields, is_dataclass

import numpy as np

from . import attachment, filling, force_fields, materials, scene
from .array_file import read_array_file, write_array_file
from .errors import CacheError, Problem, SceneRefused
from .motion import SampledMotion, sample_motion
from .motion_file import StoredSamples
from .version import VERSION

FORMAT = "stiction scene 10"
CLASSES = {
    kind.__name__: kind
    for kind in (
        *(scene.Cloth, scene.Hair, scene.SoftBody, scene.RigidBody, scene.Collider),
        *(scene.SoftPins, scene.Roots, attachment.Attachment, scene.PairFriction, SampledMotion, filling.Filling),
        *(force_fields.ForceField, force_fields.Falloff),
        *(materials.HairMaterial, materials.ClothMaterial, materials.SolidMaterial, materials.RigidMaterial),
    )
}


def save_scene(whole: scene.Scene, path, last_frame=None) -> None:
    arrays: dict[str, np.ndarray] = {}
    times = _step_times(whole, last_frame)
    header = {"format": FORMAT, "version": VERSION, "settings": _settings(whole, arrays, times)}
    header["objects"] = [_encode(item, f"{i}", arrays, times) for i, item in enumerate(whole.objects.values())]
    header["attachments"] = [_encode(item, f"a{i}", arrays, times) for i, item in enumerate(whole.attachments)]
    header["pair_friction"] = [_encode(item, f"p{i}", arrays, times) for i, item in enumerate(whole.pair_friction)]
    header["force_fields"] = [_encode(item, f"f{i}", arrays, times) for i, item in enumerate(whole.force_fields)]
    write_array_file(path, header, arrays)


def load_scene(path) -> scene.Scene:
    header, arrays = read_array_file(path)
    if header.get("format") != FORMAT:
        raise CacheError(f'"{path}" is not a scene file of this version (wanted "{FORMAT}").')
    whole = scene.Scene(**{name: _decode(value, arrays) for name, value in header["settings"].items()})
    for encoded in header["objects"]:
        whole.add(_decode(encoded, arrays))
    whole.attachments += [_decode(encoded, arrays) for encoded in header["attachments"]]
    whole.pair_friction += [_decode(encoded, arrays) for encoded in header["pair_friction"]]
    whole.force_fields += [_decode(encoded, arrays) for encoded in header["force_fields"]]
    return whole


def _settings(whole, arrays, times):
    lists = ("objects", "attachments", "pair_friction", "force_fields")
    names = [item.name for item in fields(whole) if item.name not in lists]
    return {name: _encode(getattr(whole, name), f"s.{name}", arrays, times) for name in names}


def _step_times(whole, last_frame):
    if last_frame is None:
        return None
    steps = (last_frame - whole.start_frame) * whole.steps_per_frame
    return np.arange(steps + 1) * whole.time_step  # as the simulation counts, to the last bit


def _encode(value, name, arrays, times):
    """JSON for one value; arrays go to `arrays` and leave their name behind."""
    if isinstance(value, np.ndarray | StoredSamples):
        arrays[name] = value
        return {"array": name}
    if is_dataclass(value) and type(value).__name__ in CLASSES:
        encoded = {item.name: _encode(getattr(value, item.name), f"{name}.{item.name}", arrays, times)
                   for item in fields(value)}  # fmt: skip
        return {"class": type(value).__name__, "fields": encoded}
    if callable(value):
        if times is None:
            raise SceneRefused([_needs_last_frame()])
        return _encode(sample_motion(value, times), name, arrays, times)
    return value


def _decode(encoded, arrays):
    if not isinstance(encoded, dict):
        return tuple(encoded) if isinstance(encoded, list) else encoded
    if "array" in encoded:
        return arrays[encoded["array"]]
    values = {name: _decode(value, arrays) for name, value in encoded["fields"].items()}
    return CLASSES[encoded["class"]](**values)


def _needs_last_frame():
    return Problem("", "A motion given by a function can only be saved up to a last frame: name one.")
