"""Inside the Blender with a window: what the installed extension does at the moment, and what it has stored."""

import importlib

import bpy

MODULE = "bl_ext.user_default.stiction"
LAST_FRAME = 48


def module(name):
    return importlib.import_module(f"{MODULE}.{name}")


def at_work():
    return module("addon.operators.at_work")


def is_baking():
    return bool(at_work().bakes)


def is_checking():
    return bool(at_work().checks)


def is_prepared():
    progress = at_work().current_progress()
    return progress is not None and progress.stage == "Frame"


def problems():
    return [problem.sentence for problem in module("addon.operators.check").found_problems(bpy.context.scene)]


def frames_stored():
    journal = _folder() / "frames.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def cache_bytes():
    return {path.name: path.read_bytes() for path in _folder().glob("*.pc2")}


def _folder():
    return module("addon.cache_folder").cache_folder(bpy.context.scene)
