"""A wedge: the same shot with a grid of settings, each variant baked into a folder of its own."""

import hashlib
import json
import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import bpy

from ..solver.errors import CacheError, StictionError
from ..solver.frame_store import FrameStore
from ..solver.manifest import Manifest
from ..solver.pages.bake_report import bake_measures
from .change_settings import setting_choices

PARENT = "stiction_wedge"
VARIANT_NAME = "variant.json"
STILL_NAME = "still.png"
LOG_NAME = "log.txt"
MOST_VARIANTS = 1000


@dataclass(frozen=True)
class Variant:
    """One combination of settings, and where it is baked."""

    settings: tuple[str, ...]  # "Object.property=value"
    folder: Path

    @property
    def title(self) -> str:
        return ", ".join(self.settings)

    @property
    def still(self) -> Path:
        return self.folder / STILL_NAME

    def write(self) -> None:
        """So that the variant can be found and used later."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / VARIANT_NAME).write_text(json.dumps({"settings": self.settings}))

    def measures(self) -> dict | None:
        """Numbers of its bake; None while there is none."""
        if not (self.folder / Manifest.FILE_NAME).exists():
            return None
        store = FrameStore.open(self.folder)
        return {"complete": store.is_complete, **bake_measures(store)}


def wedge_folder(blend_path: str | Path) -> Path:
    """Beside the file, as its cache is."""
    path = Path(blend_path)
    return path.absolute().parent / PARENT / path.stem


def plan_wedge(scene: bpy.types.Scene, texts: list[str], folder: Path) -> list[Variant]:
    """All combinations of the values that each text has for its setting, in order."""
    if not texts:
        raise StictionError("Nothing is varied. Say what, for example Shirt.friction=0.1,0.3,0.5.")
    axes = [setting_choices(scene, text) for text in texts]
    combinations = list(product(*axes))
    if len(combinations) > MOST_VARIANTS:
        raise StictionError(f"These are {len(combinations)} variants; at most {MOST_VARIANTS} are baked at once.")
    return [Variant(settings, folder / _folder_name(settings)) for settings in combinations]


def find_variants(folder: Path) -> list[Variant]:
    """The variants that a folder holds, in the order of their names."""
    paths = sorted(folder.glob(f"*/{VARIANT_NAME}")) if folder.is_dir() else []
    return [read_variant(path.parent) for path in paths]


def read_variant(folder: Path) -> Variant:
    try:
        settings = json.loads((folder / VARIANT_NAME).read_text())["settings"]
        return Variant(tuple(str(text) for text in settings), folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CacheError(f'"{folder}" holds no variant of a wedge.') from error


def _folder_name(settings):
    """What people can read, and what no other combination has."""
    text = " ".join(settings)
    words = re.sub(r"[^\w\-.= ]", "_", text, flags=re.ASCII)[:60].strip(". ")
    return f"{words} {hashlib.blake2b(text.encode(), digest_size=3).hexdigest()}"
