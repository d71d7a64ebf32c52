"""What a bake was made from, in a form that can name what changed since."""

import hashlib
import zlib
from dataclasses import fields, is_dataclass

import numpy as np

from .array_file import byte_chunks
from .motion import SampledMotion


def describe(value):
    """A scene as plain JSON: numbers as they are, arrays as digests of their bytes."""
    if isinstance(value, SampledMotion):
        return describe_samples(value.times, value.rows, value.samples)
    if is_dataclass(value):
        return {item.name: describe(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, np.ndarray):
        return digest(value)
    if isinstance(value, dict):
        return {name: {"kind": type(item).__name__, **describe(item)} for name, item in value.items()}
    if callable(value):
        return "a function"
    return [describe(item) for item in value] if isinstance(value, tuple | list) else value


def describe_samples(times, rows, samples) -> dict:
    """A motion, sample by sample, so that a longer shot can be compared over what both have."""
    sums = [f"{zlib.crc32(np.ascontiguousarray(sample).data):08x}" for sample in samples]
    return {"times": [f"{time:.6f}" for time in times], "sums": [sums[row] for row in rows]}


def digest(array: np.ndarray) -> str:
    """A digest of the shape and the bytes of an array (it may be a memory map)."""
    total = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=12)
    for chunk in byte_chunks(array):
        total.update(chunk)
    return f"digest {total.hexdigest()}"


def changes(before: dict, after: dict) -> list[str]:
    """What differs between two descriptions of scenes, a sentence each."""
    old_objects, new_objects = before.get("objects", {}), after.get("objects", {})
    found = _changed_fields(_without_objects(before), _without_objects(after))
    found += [f'"{name}" was not part of the bake' for name in new_objects if name not in old_objects]
    found += [f'"{name}" is no longer there' for name in old_objects if name not in new_objects]
    for name in new_objects:
        if name in old_objects:
            found += [f'"{name}": {text}' for text in _changed_fields(old_objects[name], new_objects[name])]
    return found


def _without_objects(description):
    return {name: value for name, value in description.items() if name != "objects"}


def _changed_fields(before, after, prefix=""):
    found = []
    for name, new in after.items():
        old, words = before.get(name), prefix + name.replace("_", " ")
        if _is_motion(old) and _is_motion(new):
            found += _changed_motion(words, old, new)
        elif isinstance(old, dict) and isinstance(new, dict):
            found += _changed_fields(old, new, f"{words} ")
        elif _are_items(old) and _are_items(new) and len(old) == len(new):
            for old_item, new_item in zip(old, new):
                found += _changed_fields(old_item, new_item, f'{words}, "{new_item["name"]}": ')
        elif old != new:
            found.append(f"{words} {_was_is(old, new)}")
    return found


def _changed_motion(words, old, new):
    for old_time, new_time, old_sum, new_sum in zip(old["times"], new["times"], old["sums"], new["sums"]):
        if old_time != new_time:
            return [f"{words} is sampled at other times"]
        if old_sum != new_sum:
            return [f"{words} changed at {float(new_time):.3f} s"]
    return []


def _was_is(old, new):
    if not all(value is None or _is_plain(value) for value in (old, new)):
        return "changed"
    rounded = _rounded(old), _rounded(new)
    before, after = rounded if rounded[0] != rounded[1] else (old, new)
    return f"was {before}, is {after}"


def _rounded(value):
    """Blender's numbers are of single precision: 0.3, not 0.30000001192092896."""
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _is_plain(value):
    if isinstance(value, list):
        return all(_is_plain(item) for item in value)
    return isinstance(value, int | float) or (isinstance(value, str) and not value.startswith("digest"))


def _are_items(value):
    """A list of things with names, such as force fields."""
    return isinstance(value, list) and all(isinstance(item, dict) and "name" in item for item in value)


def _is_motion(value):
    return isinstance(value, dict) and value.keys() == {"times", "sums"}
