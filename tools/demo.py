"""The demo: install the built zip, make a small hair-and-cloth shot, bake it, render it.

Usage: python tools/demo.py ZIP   (in an environment that has the bpy wheel)
"""

import sys
import time
from contextlib import contextmanager
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent / "out"
MODULE = "bl_ext.user_default.stiction"
LAST_FRAME = 24
STILL_FRAMES = (1, 12, 24)


@contextmanager
def timed(title):
    start = time.perf_counter()
    yield
    print(f"demo: {title:<28} {time.perf_counter() - start:6.1f} s", flush=True)


def main(zip_path):
    OUT.mkdir(exist_ok=True)
    blend = OUT / "demo.blend"
    with timed("start Blender"):
        import bpy
    with timed("install the extension"):
        bpy.ops.extensions.package_install_files(filepath=zip_path, repo="user_default", enable_on_install=True)
    try:
        with timed("make the shot"):
            make_shot(blend)
        with timed("bake"):
            bpy.ops.stiction.bake(overwrite=True)
            bpy.ops.wm.save_mainfile()
        with timed("render"):
            pictures = render(blend)
    finally:
        bpy.ops.preferences.addon_disable(module=MODULE)
    print("demo: the shot is", blend)
    for picture in pictures:
        print("demo: see", picture)


def make_shot(blend):
    import bpy
    from demo_shot import build

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    build(LAST_FRAME)
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))


def render(blend):
    import bpy
    from quiet import quiet

    scene = bpy.context.scene
    pictures = []
    for frame in STILL_FRAMES:
        scene.frame_set(frame)
        path = OUT / f"demo_{frame:04}.png"
        scene.render.filepath = str(path)
        with quiet():
            bpy.ops.render.render(write_still=True)
        pictures.append(path)
    return pictures


if __name__ == "__main__":
    main(sys.argv[1])
