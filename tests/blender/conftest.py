"""Tests in a real Blender (the bpy wheel), a fresh file each.

With STICTION_ZIP set, that extension zip is installed into an isolated Blender and enabled,
and the tests see nothing of the working tree; otherwise the package `stiction` of the
environment is registered, for a quick run while editing.
"""

import importlib
import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="stiction-blender-"))

import bpy
import pytest

ZIP = os.environ.get("STICTION_ZIP")
PACKAGE = "bl_ext.user_default.stiction" if ZIP else "stiction"


def pytest_configure(config):
    if ZIP:
        bpy.ops.extensions.package_install_files(filepath=ZIP, repo="user_default", enable_on_install=True)
    else:
        importlib.import_module(PACKAGE).register()


def pytest_unconfigure(config):
    """A class that is still registered makes the bpy module of Blender 4.5 hang at exit."""
    if ZIP:
        bpy.ops.preferences.addon_disable(module=PACKAGE)
    else:
        importlib.import_module(PACKAGE).unregister()


@pytest.fixture(autouse=True)
def fresh_file():
    """Without contacts, as their kernels take a while: tests of contacts ask for them."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.stiction.contact_method = "NONE"


@pytest.fixture
def module():
    """Import a module of the extension by its name inside the package."""
    return lambda name: importlib.import_module(f"{PACKAGE}.{name}")


@pytest.fixture
def blend_path(tmp_path) -> Path:
    """The current file, saved into a folder of its own."""
    path = tmp_path / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.fixture
def context() -> SimpleNamespace:
    """Stands for the context of a modal operator, with a window that has no areas."""
    window = SimpleNamespace(screen=SimpleNamespace(areas=[]))
    return SimpleNamespace(window=window, workspace=SimpleNamespace(status_text_set=lambda text: None))
