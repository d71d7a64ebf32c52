"""The manifest of a bake: what it was made from and which files hold it."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import ClassVar, NamedTuple

from .errors import CacheDamaged, CacheError, InputsChanged
from .fingerprint import changes
from .version import VERSION

FORMAT = "stiction bake 1"
DEVICE_NAMES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{i}" for port in ("COM", "LPT") for i in range(10))}  # of Windows


class ObjectEntry(NamedTuple):
    file_name: str
    point_count: int


class _ManifestFields(NamedTuple):
    first_frame: int
    last_frame: int
    objects: dict[str, ObjectEntry]
    inputs: dict  # the description of the scene (see fingerprint.py)
    version: str = VERSION
    rebakes: list = []  # frames from which it was baked again from a changed scene, each with what had changed


class Manifest(_ManifestFields):
    FILE_NAME: ClassVar[str] = "bake.json"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Atomically: the manifest is there whole, or not at all."""
    content = {"format": FORMAT, **manifest._asdict()}
    content["objects"] = {name: entry._asdict() for name, entry in manifest.objects.items()}
    content["checksum"] = _checksum(content)
    unfinished = folder / (Manifest.FILE_NAME + ".part")
    unfinished.write_text(json.dumps(content, indent=1))
    os.replace(unfinished, folder / Manifest.FILE_NAME)


def read_manifest(folder: Path, check_version: bool = True) -> Manifest:
    path = folder / Manifest.FILE_NAME
    if not path.exists():
        raise CacheError(f'There is no bake in "{folder}".')
    content = _parse(path)
    if content.pop("format", None) != FORMAT or content.pop("checksum", None) is None:
        raise CacheDamaged(_damaged(path))
    if check_version and content["version"] != VERSION:
        raise InputsChanged(f'"{folder}" was baked by Stiction {content["version"]}, and this is {VERSION}. '
                            "It still plays; free it and bake again to change it.")  # fmt: skip
    content["objects"] = {name: _entry(entry, path) for name, entry in content["objects"].items()}
    return Manifest(**content)


def refuse_changed_inputs(manifest: Manifest, inputs: dict) -> None:
    """Raise InputsChanged, naming each change, if the scene is not what was baked."""
    found = changes(manifest.inputs, inputs)
    if found:
        raise InputsChanged("The scene has changed since the bake: " + "; ".join(found)
                            + ". Free the bake and bake again, or undo the changes.", found)  # fmt: skip


def file_names(object_names) -> dict[str, str]:
    """A file name for each object that every system accepts, and that no other object has."""
    names: dict[str, str] = {}
    taken = set()
    for name in object_names:
        stem = re.sub(r"[^\w\-. ]", "_", name, flags=re.ASCII).strip(". ")[:60]
        if stem != name or stem.lower() in taken or not stem:
            stem = f"{stem}-{hashlib.blake2b(name.encode(), digest_size=4).hexdigest()}"
        if stem.partition(".")[0].strip().upper() in DEVICE_NAMES:
            stem = f"object {stem}"
        taken.add(stem.lower())
        names[name] = f"{stem}.pc2"
    return names


def _parse(path):
    try:
        content = json.loads(path.read_text())
        intact = content["checksum"] == _checksum(content)
    except (ValueError, KeyError, TypeError) as error:
        raise CacheDamaged(_damaged(path)) from error
    if not intact:
        raise CacheDamaged(_damaged(path))
    return content


def _entry(entry, path):
    """A manifest is only a file: it must not lead out of its folder."""
    if entry["file_name"] != Path(entry["file_name"]).name or not entry["file_name"].endswith(".pc2"):
        raise CacheDamaged(_damaged(path))
    return ObjectEntry(**entry)


def _checksum(content):
    body = {name: value for name, value in content.items() if name != "checksum"}
    return hashlib.blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=12).hexdigest()


def _damaged(path):
    return f'"{path}" is damaged. Move the folder away or delete it, and bake again.'
