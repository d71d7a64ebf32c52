"""`python -m examples [NAME …] [--no-render]`: make, bake and render example shots, all if none is named."""

import argparse
import os
import tempfile
from pathlib import Path

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="stiction-examples-"))

import bpy

from .shot import NAMES, bake, load_shot, make_file, render, timed

FOLDER = Path(__file__).resolve().parents[1] / "out" / "examples"


def main() -> None:
    import stiction

    arguments = _arguments()
    stiction.register()
    try:
        for name in arguments.names or NAMES:
            make(name, arguments)
    finally:
        stiction.unregister()


def make(name: str, arguments: argparse.Namespace) -> None:
    if arguments.only_render:
        bpy.ops.wm.open_mainfile(filepath=str(FOLDER / f"{name}.blend"))
    else:
        with timed(f"{name}: make"):
            make_file(name, FOLDER, arguments.detail)
        with timed(f"{name}: bake"):
            bake()
    if not arguments.no_render:
        with timed(f"{name}: render"):
            pictures = render(name, FOLDER, arguments.frames or load_shot(name).pictures)
        print(*pictures, sep="\n", flush=True)


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m examples", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--detail", type=float, default=1.0, help="share of the strands and vertices (1)")
    parser.add_argument("--frames", type=int, nargs="+", help="to render, in place of the shot's own")
    parser.add_argument("--no-render", action="store_true", help="only make and bake")
    parser.add_argument("--only-render", action="store_true", help="of what is baked already")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no shot {unknown[0]!r}; there are {', '.join(NAMES)}")
    return arguments


if __name__ == "__main__":
    main()
