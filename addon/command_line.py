"""`blender --command stiction …`, and `stiction …` where bpy is a wheel: the same words, the same exit codes."""

import argparse
import os
import re
import shutil
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, TextIO

from ..solver.errors import Interrupted, SimulationFailed, StictionError

DONE, REFUSED, USAGE, FAILED, INTERRUPTED = 0, 1, 2, 3, 130

SOLVE = "solve"
NEGATIVE_FRAME = re.compile(r"-\d+(:-?\d+)?$")

DESCRIPTION = "Simulate hair, cloth, soft bodies and props of a .blend file."
EPILOG = """exit codes: 0 every asked frame is there; 1 the scene or the folder was refused; 2 wrong usage;
3 the simulation failed; 130 interrupted (finished frames are kept)"""


def main(arguments: list[str] | None = None) -> int:
    """A command in an environment with the bpy wheel; returns its exit code."""
    from .. import register, unregister

    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == [SOLVE]:  # needs nothing of Blender
        return run(arguments)
    register()
    try:
        return run(arguments)
    finally:
        unregister()  # a class that is still registered makes some bpy wheels hang at exit


def command() -> NoReturn:
    """What an environment runs as `stiction`: the process ends here.

    On a single core some bpy wheels wait for ever in their own clean-up, after all is done and saved.
    """
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    if "bpy" in sys.modules:
        shutil.rmtree(sys.modules["bpy"].app.tempdir, ignore_errors=True)  # which the clean-up would have removed
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Carry out a command; the result is the exit code of the process."""
    try:
        options = make_parser().parse_args(arguments)
    except SystemExit as usage:  # argparse has said why
        return USAGE if usage.code else DONE
    if options.command == SOLVE:
        from ..solver.contact.solve_folder import solve_folder

        return solve_folder(options)
    from . import commands

    try:
        with _output_for_json_alone(getattr(options, "json", None) == "-") as options.stdout:
            return getattr(commands, options.command)(options)
    except commands.UsageError as error:
        return _say(error, USAGE)
    except Interrupted as error:
        return _say(error, INTERRUPTED)
    except SimulationFailed as error:
        return _say(error, FAILED)
    except StictionError as error:
        return _say(error, REFUSED)
    except Exception:
        traceback.print_exc()
        return FAILED


@contextmanager
def _output_for_json_alone(is_asked) -> Iterator[TextIO]:
    """Standard output; what Blender says there (files read and saved) goes to standard error meanwhile."""
    if not is_asked:
        yield sys.stdout
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(os.dup(kept), "w") as output:
            yield output
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("stiction", description=DESCRIPTION, epilog=EPILOG)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_bake(commands)
    _add_check(commands)
    free = commands.add_parser("free", help="delete the bake of a file")
    free.add_argument("file", type=Path, metavar="FILE.blend")
    free.add_argument("--no-save", action="store_true", help="leave the .blend file as it is")
    _add_export(commands)
    _add_wedge(commands)
    _add_report(commands)
    _add_solve(commands)
    return parser


def _add_bake(commands):
    bake = commands.add_parser("bake", help="simulate and store frames, then save the file with its playback")
    bake.add_argument("file", type=Path, metavar="FILE.blend")
    bake._negative_number_matcher = NEGATIVE_FRAME  # argparse has no public way to take "-5:10" for a value
    bake.add_argument("--frames", type=_frame_range, metavar="A:B", help="first and last frame (default: the scene's)")
    _add_set(bake)
    earlier = bake.add_mutually_exclusive_group()
    earlier.add_argument("--resume", action="store_true", help="go on where an earlier bake stopped")
    earlier.add_argument("--overwrite", action="store_true", help="free an earlier bake first")
    earlier.add_argument("--rebake-from", type=int, metavar="FRAME",
                         help="keep the frames before this one, and bake it and all after it again")  # fmt: skip
    bake.add_argument("--cache", metavar="FOLDER", help="where to keep the bake (default: the file's setting)")
    saving = bake.add_mutually_exclusive_group()
    saving.add_argument("--output", type=Path, metavar="OUT.blend", help="save here instead of over the file")
    saving.add_argument("--no-save", action="store_true", help="do not save the file; only write the cache")
    bake.add_argument("--still", type=Path, metavar="FILE.png", help="render a small picture of the last frame, too")
    bake.add_argument("--json", metavar="FILE", help="write a summary as JSON (- for standard output)")


def _add_check(commands):
    check = commands.add_parser(
        "check", help="list problems: what keeps a file from being baked, or intersects at its start"
    )
    check.add_argument("file", type=Path, metavar="FILE.blend")
    _add_set(check)
    check.add_argument("--save-scene", type=Path, metavar="FILE", help="write the solver's scene, for a bug report")
    check.add_argument("--json", metavar="FILE", help="write the problems as JSON (- for standard output)")


def _add_export(commands):
    export = commands.add_parser("export", help="write the baked objects as Alembic (.abc) or USD (.usd, .usdc, .usda)")
    export.add_argument("file", type=Path, metavar="FILE.blend")
    export.add_argument("target", type=Path, metavar="OUT.abc|OUT.usd")
    export.add_argument("--overwrite", action="store_true", help="replace the target if it exists")


def _add_wedge(commands):
    wedge = commands.add_parser("wedge", help="bake a grid of settings, and compare them on a page")
    wedge.add_argument("file", type=Path, metavar="FILE.blend")
    wedge._negative_number_matcher = NEGATIVE_FRAME
    wedge.add_argument("--set", action="append", default=[], dest="settings", metavar="OBJECT.PROPERTY=A,B,…",
                       help="what is varied; without OBJECT, a setting of the scene")  # fmt: skip
    wedge.add_argument("--frames", type=_frame_range, metavar="A:B", help="first and last frame (default: the scene's)")
    wedge.add_argument("--workers", type=int, default=0, metavar="N", help="bakes at once (default: half the cores)")
    wedge.add_argument("--overwrite", action="store_true", help="bake anew what is baked already")
    wedge.add_argument("--folder", type=Path, help="where to (default: stiction_wedge beside the file)")


def _add_report(commands):
    report = commands.add_parser("report", help="write a page about a bake: time, contacts, residual, intersections")
    report.add_argument("file", type=Path, metavar="FILE.blend", help="or the cache folder itself")
    report.add_argument("--output", type=Path, metavar="OUT.html", help="where to (default: into the cache folder)")


def _add_solve(commands):
    from ..solver.contact.solve_folder import add_options

    add_options(commands.add_parser(SOLVE, help="solve a folder of friction problems, and print residuals and times"))


def _add_set(parser):
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="OBJECT.PROPERTY=VALUE",
                        help="change a setting first; without OBJECT, a setting of the scene")  # fmt: skip


def _frame_range(text):
    first, _, last = text.partition(":")
    try:
        return int(first), int(last)
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is not a range like 1:48') from None


def _say(error, code):
    print(f"stiction: {error}", file=sys.stderr)
    return code


_handles: list = []
CLASSES = ()


def register():
    import bpy

    if hasattr(bpy.utils, "register_cli_command"):
        _handles.append(bpy.utils.register_cli_command("stiction", run))


def unregister():
    import bpy

    while _handles:
        bpy.utils.unregister_cli_command(_handles.pop())
