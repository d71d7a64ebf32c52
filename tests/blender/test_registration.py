"""Disable and enable again leaves nothing behind."""

import threading

import bpy
import pytest

from .conftest import PACKAGE, ZIP
from .shots import make_shot


def switch(on):
    if ZIP:
        operator = bpy.ops.preferences.addon_enable if on else bpy.ops.preferences.addon_disable
        operator(module=PACKAGE)
    else:
        import stiction

        (stiction.register if on else stiction.unregister)()


def traces():
    """Everything of ours that Blender holds on to."""
    classes = {name for name in dir(bpy.types) if name.lower().startswith("stiction")}
    properties = {kind.__name__ for kind in (bpy.types.Object, bpy.types.Scene) if hasattr(kind, "stiction")}
    handlers = {
        name
        for name in dir(bpy.app.handlers)
        if isinstance(getattr(bpy.app.handlers, name), list)
        for function in getattr(bpy.app.handlers, name)
        if function.__module__.startswith(PACKAGE)
    }
    threads = {thread.name for thread in threading.enumerate() if "stiction" in thread.name}
    operators = set(dir(bpy.ops.stiction))
    return classes | properties | handlers | threads | operators


@pytest.fixture
def switched_off():
    switch(False)
    yield
    switch(True)


def test_enabled_extension_is_seen():
    found = traces()
    assert {"STICTION_OT_bake", "STICTION_PT_bake", "Object", "Scene", "load_pre", "bake", "add"} <= found


def test_disabled_extension_leaves_nothing(blend_path, switched_off):
    assert traces() == set()


def test_disable_after_a_bake_leaves_nothing(blend_path):
    make_shot()
    bpy.ops.stiction.bake()
    switch(False)
    assert traces() == set()
    switch(True)
    assert "STICTION_OT_bake" in traces()
    assert bpy.ops.stiction.bake(overwrite=True) == {"FINISHED"}


@pytest.mark.skipif(ZIP is None, reason="only an installed extension brings its own libraries")
def test_libraries_come_from_the_extension():
    import numba
    import numpy
    import scipy

    for library in (numba, scipy):
        assert "extensions/.local" in library.__file__.replace("\\", "/")
    assert "extensions/.local" not in numpy.__file__.replace("\\", "/")


@pytest.mark.skipif(ZIP is None, reason="only an installed extension must not write beside its sources")
def test_kernels_are_kept_in_the_user_folder_or_where_the_user_wants_them(module, blend_path, monkeypatch):
    make_shot()
    bpy.ops.stiction.bake()
    folder = module("solver.jit_cache").cache_folder()
    assert folder.parent == module("addon.cache_folder").kernel_folder()
    assert list(folder.rglob("*.nbi"))
    monkeypatch.delenv("STICTION_KERNELS", raising=False)
    user_folder = bpy.utils.extension_path_user(PACKAGE)
    assert str(module("addon.cache_folder").kernel_folder()).startswith(user_folder)
    sources = module("solver.jit_cache").SOURCES
    assert not list(sources.rglob("*.nbi"))


def test_a_new_shot_collides():
    assert bpy.data.scenes.new("another").stiction.contact_method == "ADMM"
