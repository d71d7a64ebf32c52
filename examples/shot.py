"""From a module to a .blend file, its bake and its pictures."""

import contextlib
import importlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import bpy

from tools.quiet import quiet

from .studio import set_render

NAMES = (
    *("long_hair_on_shirt", "turning_skirt", "scarf", "furry_creature"),
    *("rope_and_pulley", "stack_of_props", "wet_hair"),
)


class Shot(NamedTuple):
    """What a module of an example has as SHOT."""

    build: Callable[[float], None]  # makes the scene in the empty file; takes the share of strands and vertices
    last_frame: int
    pictures: tuple[int, ...]  # frames that are rendered


def load_shot(name: str) -> Shot:
    return importlib.import_module(f"{__package__}.{name}").SHOT


def make_file(name: str, folder: Path, detail: float = 1.0) -> Shot:
    """Build a shot and save it as `folder`/`name`.blend."""
    shot = load_shot(name)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, shot.last_frame
    shot.build(detail)
    set_render(scene)
    folder.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))
    return shot


def bake() -> None:
    bpy.ops.stiction.bake(overwrite=True)
    bpy.ops.wm.save_mainfile()


def render(name: str, folder: Path, frames: tuple[int, ...]) -> list[Path]:
    """Pictures of frames of the open shot."""
    scene, pictures = bpy.context.scene, []
    for frame in frames:
        scene.frame_set(frame)
        pictures.append(folder / f"{name}_{frame:04}.png")
        scene.render.filepath = str(pictures[-1])
        with quiet():
            bpy.ops.render.render(write_still=True)
    return pictures


@contextlib.contextmanager
def timed(title: str):
    start = time.perf_counter()
    yield
    print(f"{title:<32} {time.perf_counter() - start:6.1f} s", flush=True)
