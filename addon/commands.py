"""The commands of the command line, on an opened file."""

import json
import signal
import sys
import time
from pathlib import Path

import bpy

from ..solver.errors import Interrupted, SimulationFailed, StictionError
from ..solver.pages.bake_report import write_report
from ..solver.pages.wedge_page import wedge_table
from ..solver.validation import check_scene
from .bake_session import BakeSession
from .bake_wish import BakeWish
from .cache_folder import cache_folder
from .change_settings import change_setting
from .operators.check import find_problems
from .operators.export import export_bake
from .operators.free_bake import free_scene
from .operators.report import write_scene_report
from .progress import READING
from .progress_line import ProgressLine
from .read_scene import read_start
from .still import render_still
from .wedge_plan import plan_wedge, wedge_folder
from .wedge_run import WedgeRun
from .write_playback import path_for_blender

POLL_SECONDS = 0.05


class UsageError(StictionError):
    """The words of the command do not fit the file system."""


def bake(options) -> int:
    _refuse_missing_folders(options.json, options.output, options.still)
    _open(options.file)
    session = None
    start = time.monotonic()
    try:
        _apply_settings(options)
        session = BakeSession(bpy.context, _wish(options))
        _run_to_the_end(session)
        _refuse_incomplete(session.store)
        _save(options)
        if options.still:
            _render_last_frame(session, options.still)
        error = None
    except StictionError as caught:
        error = caught
    if options.json:
        _write_json(options, _summary(session, time.monotonic() - start, error))
    if error:
        raise error
    _say_warnings(session.warnings)
    return 0


def check(options) -> int:
    _refuse_missing_folders(options.json, options.save_scene)
    _open(options.file)
    _apply_settings(options)
    problems = find_problems(bpy.context)
    for problem in problems:
        print(f"{'warning' if problem.is_warning else 'error'}: {problem.sentence}", file=sys.stderr)
    if options.json:
        _write_json(options, [problem._asdict() for problem in problems])
    if options.save_scene and not any(not problem.is_warning for problem in problems):
        _save_scene(options.save_scene)
    return int(any(not problem.is_warning for problem in problems))


def free(options) -> int:
    _open(options.file)
    folder = cache_folder(bpy.context.scene)
    freed = free_scene(bpy.context.scene)
    if not options.no_save:
        bpy.ops.wm.save_mainfile()
    print(f'stiction: freed {freed / 1e6:.1f} MB in "{folder}"', file=sys.stderr)
    return 0


def export(options) -> int:
    _open(options.file)
    export_bake(bpy.context.scene, options.target.absolute(), options.overwrite)
    print(f'stiction: wrote "{options.target}"', file=sys.stderr)
    return 0


def wedge(options) -> int:
    """Bake the variants of a file; 3 if some did not become whole."""
    _open(options.file)
    folder = options.folder.absolute() if options.folder else wedge_folder(options.file)
    run = WedgeRun(options.file.absolute(), plan_wedge(bpy.context.scene, options.settings, folder),
                   _bake_options(options), options.workers)  # fmt: skip
    _run_to_the_end(run)
    print(wedge_table(run.rows()), file=sys.stderr)
    print(f'stiction: wrote "{run.write_page(folder)}"', file=sys.stderr)
    if run.failures:
        raise SimulationFailed(f"{len(run.failures)} of {len(run.variants)} variants did not become whole.")
    return 0


def _bake_options(options):
    """Of `bake`, which each variant is baked with."""
    frames = ["--frames", f"{options.frames[0]}:{options.frames[1]}"] if options.frames else []
    return [*frames, *(["--overwrite"] if options.overwrite else [])]


def report(options) -> int:
    """The folder of a cache needs no file to be opened."""
    _refuse_missing_folders(options.output)
    if options.file.is_dir():
        path = write_report(options.file, options.output)
    else:
        _open(options.file)
        path = write_scene_report(bpy.context.scene, options.output)
    print(f'stiction: wrote "{path}"', file=sys.stderr)
    return 0


def _open(path: Path):
    if not path.is_file():
        raise UsageError(f'There is no file "{path}".')
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.absolute()), load_ui=False)
    except RuntimeError as error:
        raise UsageError(f'"{path}" cannot be opened: {error}') from error


def _refuse_missing_folders(*targets):
    """Before the work, not after hours of it."""
    for target in targets:
        if target and target != "-" and not Path(target).absolute().parent.is_dir():
            raise UsageError(f'The folder of "{target}" does not exist. Create it, or choose another.')


def _apply_settings(options):
    scene = bpy.context.scene
    for text in options.settings:
        change_setting(scene, text)
    if getattr(options, "frames", None):
        scene.stiction.use_custom_range = True
        scene.stiction.first_frame, scene.stiction.last_frame = options.frames
    if getattr(options, "cache", None):
        scene.stiction.cache_folder = path_for_blender(options.cache, options.file)


def _wish(options):
    return BakeWish(options.resume, options.overwrite, from_frame=options.rebake_from)


def _run_to_the_end(session):
    stops: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: stops.append(number))
    steps, line = session.run(), ProgressLine(sys.stderr)
    try:
        for progress in steps:
            line.show(progress)
            if stops:
                raise Interrupted("Interrupted; all finished frames are kept. Go on with --resume.")
            if progress.stage != READING:
                time.sleep(POLL_SECONDS)
    finally:
        steps.close()
        line.end()
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)  # None: Blender's own, which Python cannot give back


def _refuse_incomplete(store):
    """Exit code 0 is a promise: every asked frame is there, and reads back as it was written."""
    damage = store.verify()
    if damage or not store.is_complete:
        raise SimulationFailed(" ".join(damage) or f"The bake ends at frame {store.last_frame_done}.")


def _save(options):
    if options.output:
        _keep_cache_folder(bpy.context.scene, options.output)
        bpy.ops.wm.save_as_mainfile(filepath=str(options.output.absolute()), relative_remap=True)
    elif not options.no_save:
        bpy.ops.wm.save_mainfile()


def _render_last_frame(session, path):
    session.scene.frame_set(session.store.last_frame_done)
    render_still(session.scene, session.view_layer, path.absolute())


def _keep_cache_folder(scene, blend_path):
    """Blender remaps the paths of modifiers when a file is saved elsewhere, but not those of add-ons."""
    folder = cache_folder(scene)
    scene.stiction.cache_folder = path_for_blender(folder, blend_path)


def _save_scene(path):
    scene = read_start(bpy.context.scene, bpy.context.view_layer)
    check_scene(scene)
    scene.save(path, scene.start_frame)


def _summary(session, seconds, error):
    store = session and session.store
    return {
        "folder": session and str(session.folder),
        "first_frame": store and store.manifest.first_frame,
        "last_frame": store and store.manifest.last_frame,
        "frames_done": store.frames_done if store else 0,
        "complete": bool(store and store.is_complete and not error),
        "seconds": round(seconds, 3),
        "warnings": session.warnings if session else [],
        "error": str(error) if error else None,
    }


def _write_json(options, content):
    text = json.dumps(content, indent=1)
    if options.json == "-":
        print(text, file=options.stdout)
    else:
        Path(options.json).write_text(text + "\n")


def _say_warnings(warnings):
    for sentence in warnings:
        print(f"stiction: warning: {sentence}", file=sys.stderr)
