"""Named materials that come with the extension: `presets/materials.toml`."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from ..solver.errors import StictionError
from ..solver.material_validation import LAWS
from ..solver.materials import Material
from .read_settings import MATERIALS

PRESETS_FILE = Path(__file__).parent / "presets" / "materials.toml"
TEXTS = ("label", "source")


@dataclass(frozen=True)
class Preset:
    name: str  # unique among all kinds
    kind: str  # of the objects that it is for, as in the settings: HAIR, CLOTH…
    label: str  # for the interface
    source: str  # where its numbers come from
    material: Material


@cache
def material_presets(path: Path = PRESETS_FILE) -> Mapping[str, Preset]:
    """All presets by name, in the file's order; a file that is not right is refused with a sentence."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _refused(path, f"it cannot be read: {error}") from error
    presets: dict[str, Preset] = {}
    for kind, entries in tables.items():
        for name, entry in _entries(path, kind, entries):
            if name in presets:
                raise _refused(path, f'there are two presets "{name}".')
            presets[name] = _preset(path, kind, name, entry)
    return presets


def _entries(path, kind, entries):
    if kind.upper() not in MATERIALS:
        known = ", ".join(known.lower() for known in MATERIALS)
        raise _refused(path, f'there is no kind "{kind}"; there are {known}.')
    if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
        raise _refused(path, f'"{kind}" must hold nothing but tables, one a preset.')
    return entries.items()


def _preset(path, kind, name, entry):
    material = MATERIALS[kind.upper()]
    wanted = [*TEXTS, *(item.name for item in fields(material))]
    unknown, missing = sorted(entry.keys() - set(wanted)), [key for key in wanted if key not in entry]
    if unknown:
        raise _refused(path, f'"{name}" has the unknown setting "{unknown[0]}".')
    if missing:
        raise _refused(path, f'"{name}" lacks the setting "{missing[0]}".')
    for key in wanted:
        _refuse_bad_value(path, name, key, entry[key])
    values = {item.name: entry[item.name] for item in fields(material)}
    values = {key: value if key in LAWS else float(value) for key, value in values.items()}
    return Preset(name, kind.upper(), entry["label"], entry["source"], material(**values))


def _refuse_bad_value(path, name, key, value):
    if key in TEXTS:
        is_right, wanted = isinstance(value, str) and bool(value.strip()), "a text"
    elif key in LAWS:
        is_right, wanted = value in LAWS[key], "one of " + ", ".join(LAWS[key])
    else:
        is_right, wanted = _is_number(value, may_be_negative=key == "poisson_ratio"), "a finite number, not negative"
    if not is_right:
        raise _refused(path, f'"{key}" of "{name}" must be {wanted} (it is {value!r}).')


def _is_number(value, may_be_negative):
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and (may_be_negative or value >= 0)


def _refused(path, sentence):
    return StictionError(f'The presets "{path.name}" cannot be used: {sentence}')
