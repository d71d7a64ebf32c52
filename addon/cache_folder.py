"""Where the bake of a scene lies."""

import os
from pathlib import Path

import bpy

from .. import __package__ as base_package
from ..solver.errors import CacheError
from ..solver.manifest import Manifest

DEFAULT_PARENT = "stiction_cache"
KERNELS_VARIABLE = "STICTION_KERNELS"


def cache_folder(scene: bpy.types.Scene) -> Path | None:
    """The folder of the scene's bake; None for a file that was never saved, with no folder chosen."""
    text = scene.stiction.cache_folder or _default_folder(scene)
    if not text or (text.startswith("//") and not bpy.data.filepath):
        return None
    return Path(os.path.normpath(bpy.path.abspath(text)))


def has_bake(scene: bpy.types.Scene) -> bool:
    """Whether a bake of the scene was begun, at least."""
    folder = cache_folder(scene)
    return folder is not None and (folder / Manifest.FILE_NAME).exists()


def settle_cache_folder(scene: bpy.types.Scene) -> Path:
    """The folder, written into the settings so that renaming the file does not lose the bake."""
    folder = cache_folder(scene)
    if folder is None:
        raise CacheError("The file has not been saved yet, so there is no place for the bake. "
                         "Save it, or choose a cache folder.")  # fmt: skip
    if not scene.stiction.cache_folder:
        scene.stiction.cache_folder = _default_folder(scene)
    return folder


def kernel_folder() -> Path | None:
    """Where compiled kernels are kept; None outside an installed extension (the solver then has its own place).

    A folder of the user's choice lets the hosts of a farm, or a row of tests, compile them once.
    """
    if os.environ.get(KERNELS_VARIABLE):
        return Path(os.environ[KERNELS_VARIABLE]).absolute()
    if not base_package.startswith("bl_ext."):
        return None
    return Path(bpy.utils.extension_path_user(base_package, path="kernels", create=True))


def _default_folder(scene):
    if not bpy.data.filepath:
        return ""
    name = Path(bpy.data.filepath).stem
    if len(bpy.data.scenes) > 1:
        name += f" {scene.name}"
    return f"//{DEFAULT_PARENT}/{bpy.path.clean_name(name)}"
