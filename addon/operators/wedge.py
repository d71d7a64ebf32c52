"""Bake a grid of settings, and make one of the variants the shot."""

import shlex
import time
from pathlib import Path

import bpy

from ...solver.errors import CacheError, StictionError
from ...solver.frame_store import FrameStore
from ..change_settings import change_setting
from ..wedge_plan import find_variants, plan_wedge, read_variant, wedge_folder
from ..wedge_run import WedgeRun
from ..write_measures import connect_measures
from ..write_playback import connect_playback, path_for_blender
from .at_work import end_all, hide_progress, redraw_panel
from .bake import FORGOTTEN, push_undo_step

TIMER_SECONDS = 0.2
_running: list["STICTION_OT_wedge"] = []  # at most one


class STICTION_OT_wedge(bpy.types.Operator):
    """Bake this shot with each combination of some settings, in processes of their own, and compare them on a page"""

    bl_idname = "stiction.wedge"
    bl_label = "Wedge"

    settings: bpy.props.StringProperty(
        name="Settings",
        description="What is varied: Object.property=value,value,… as on the command line; a space between several",
        default="",
    )
    workers: bpy.props.IntProperty(name="At Once", description="How many are baked at once; 0 leaves it to the machine",
                                   default=0, min=0, soft_max=16)  # fmt: skip
    overwrite: bpy.props.BoolProperty(name="Bake Anew", description="Also what is baked already", options=FORGOTTEN)

    @classmethod
    def poll(cls, context):
        cls.poll_message_set("A wedge is being baked" if _running else "Save the file first: variants lie beside it")
        return not _running and bool(bpy.data.filepath)

    def invoke(self, context, event):
        obj = context.object
        if not self.settings and obj and obj.stiction.kind != "NONE":
            self.settings = shlex.quote(f"{obj.name}.friction=0.1,0.3,0.5")
        return context.window_manager.invoke_props_dialog(self, width=500)

    def execute(self, context):
        try:
            self._run = new_run(context.scene, self.settings, self.workers, self.overwrite)
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._steps = self._run.run()
        if bpy.app.background:
            for _ in self._steps:
                time.sleep(TIMER_SECONDS)
            return self._report_end()
        self._window_manager = context.window_manager
        self._timer = self._window_manager.event_timer_add(TIMER_SECONDS, window=context.window)
        _running.append(self)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and event.value == "PRESS":
            self._end(context)
            self.report({"WARNING"}, "The wedge was stopped; press Wedge again to go on with it.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        if self not in _running:
            return {"CANCELLED"}  # the file was closed, or the extension disabled
        progress = next(self._steps, None)
        if progress is None:
            self._end(context)
            return self._report_end()
        context.workspace.status_text_set(f"Stiction: {progress.text}   (Esc stops)")
        return {"RUNNING_MODAL"}

    def _end(self, context):
        self.end()
        redraw_panel(context)

    def end(self):
        """Stop all processes, which keep what is done."""
        self._steps.close()
        self._window_manager.event_timer_remove(self._timer)
        hide_progress()
        _running.clear()

    def _report_end(self):
        try:
            page = self._run.write_page(wedge_folder(bpy.data.filepath))
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for variant, sentence in self._run.failures.items():
            self.report({"WARNING"}, f"{variant.title}: {sentence}")
        self.report({"INFO"}, f'{len(self._run.variants)} variants; the page is "{page}".')
        if not bpy.app.background:
            bpy.ops.wm.url_open(url=page.as_uri())
        return {"FINISHED"}


def new_run(scene: bpy.types.Scene, settings: str, workers: int, overwrite: bool) -> WedgeRun:
    """A wedge of the scene as it is now, which a copy of the file beside the variants keeps."""
    folder = wedge_folder(bpy.data.filepath)
    variants = plan_wedge(scene, _words(settings), folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StictionError(
            f'There is no place for the variants: "{folder}" cannot be made ({error.strerror}).'
        ) from error
    copy = folder / Path(bpy.data.filepath).name
    bpy.ops.wm.save_as_mainfile(filepath=str(copy), copy=True, relative_remap=True)
    return WedgeRun(copy, variants, ["--overwrite"] if overwrite else [], workers)


def _words(settings):
    """What is varied, by spaces; names with spaces stand in quotation marks."""
    try:
        return shlex.split(settings)
    except ValueError:
        raise StictionError(f"A quotation mark has no other one in: {settings}") from None


class STICTION_OT_use_variant(bpy.types.Operator):
    """Make this variant of the wedge the shot: its settings, and its bake"""

    bl_idname = "stiction.use_variant"
    bl_label = "Use Variant"
    bl_options = {"REGISTER", "UNDO"}

    folder: bpy.props.StringProperty(name="Folder", description="Of the variant", subtype="DIR_PATH", options=FORGOTTEN)

    @classmethod
    def description(cls, context, properties):
        return f"{cls.__doc__}. {Path(properties.folder).name}"

    def execute(self, context):
        try:
            use_variant(context.scene, Path(bpy.path.abspath(self.folder)))
        except StictionError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        push_undo_step()
        return {"FINISHED"}


def use_variant(scene: bpy.types.Scene, folder: Path) -> None:
    """Set what the variant varies, and play its bake."""
    variant, store = read_variant(folder), FrameStore.open(folder)
    store.refuse_damage()
    if not store.frames_done:
        raise CacheError(f"{variant.title}: no frame of it is baked yet. Press Wedge to go on with it.")
    for text in variant.settings:
        change_setting(scene, text)
    scene.stiction.cache_folder = path_for_blender(folder, bpy.data.filepath)
    first = store.manifest.first_frame
    for name in store.manifest.objects:
        if name in scene.objects:  # one that was deleted since cannot play
            connect_playback(scene.objects[name], store.path_of(name), first, store.positions(name, first))
            connect_measures(scene.objects[name], store, name)


def found_variants() -> list[tuple[str, str]]:
    """Title and folder of each variant beside the file, for the panel."""
    if not bpy.data.filepath:
        return []
    folder = wedge_folder(bpy.data.filepath)
    stamp = folder.stat().st_mtime_ns if folder.is_dir() else 0
    if _known.get("stamp") != (str(folder), stamp):
        _known.update(
            stamp=(str(folder), stamp), found=[(item.title, str(item.folder)) for item in find_variants(folder)]
        )
    return _known["found"]


def stop_running_wedge() -> None:
    """Before the file or the extension goes away."""
    end_all(_running)


@bpy.app.handlers.persistent
def _stop_before_load(*_):
    stop_running_wedge()


def register():
    bpy.app.handlers.load_pre.append(_stop_before_load)


def unregister():
    bpy.app.handlers.load_pre.remove(_stop_before_load)
    stop_running_wedge()


_known: dict = {}  # a panel is drawn many times a second
CLASSES = (STICTION_OT_wedge, STICTION_OT_use_variant)
