"""What the panel says about the bake on disk, without reading more of it than needed."""

from pathlib import Path
from typing import NamedTuple

import bpy

from ..solver.errors import CacheError, SceneRefused
from ..solver.frame_store import JOURNAL_NAME, FrameStore
from ..solver.manifest import Manifest
from .cache_folder import cache_folder
from .changed_settings import changed_settings
from .playback_modifier import played_file
from .playback_problems import has_lost_playback
from .read_settings import frame_range


class BakeStatus(NamedTuple):
    frames_done: int
    can_resume: bool
    sentences: tuple[str, ...]
    changed: tuple[str, ...] = ()  # since the bake


class _Stored(NamedTuple):
    """A bake on disk, or why it cannot be read."""

    manifest: Manifest | None
    frames_done: int
    last_done: int | None
    error: str = ""


NO_BAKE = BakeStatus(0, False, ())
_known: dict[str, tuple[tuple, _Stored]] = {}  # a panel is drawn many times a second


def bake_status(scene: bpy.types.Scene) -> BakeStatus:
    """The state of the scene's bake, read again only when its files have changed."""
    folder = cache_folder(scene)
    if folder is None or not (folder / Manifest.FILE_NAME).exists():
        return _status_elsewhere(scene)
    stamp = tuple(file_stamp(folder / name) for name in (Manifest.FILE_NAME, JOURNAL_NAME))
    if _known.get(str(folder), (None,))[0] != stamp:
        _known[str(folder)] = (stamp, _read(folder))
    return _status_of(scene, _known[str(folder)][1])


def _status_elsewhere(scene):
    """A file that was saved in another folder still plays: Blender leads its modifiers, but not our setting, there."""
    playing = next(filter(None, map(played_file, scene.objects)), None)
    if playing is None:
        return NO_BAKE
    if not (playing.parent / Manifest.FILE_NAME).exists():
        gone = f'The bake that this file plays is not there any more: "{playing.parent}"'
        return BakeStatus(0, False, (gone, "Put the folder back there, or bake again"))
    sentences = f'The bake that plays is in "{playing.parent}"', "Choose that as Cache Folder to go on with it"
    return BakeStatus(0, False, sentences)


def file_stamp(path: Path) -> tuple[int, int] | None:
    """What tells that a file has changed; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _read(folder):
    try:
        store = FrameStore.open(folder)
    except CacheError as error:
        return _Stored(None, 1, None, str(error))
    return _Stored(store.manifest, store.frames_done, store.last_frame_done)


def _status_of(scene, stored):
    if stored.manifest is None:
        return BakeStatus(stored.frames_done, False, (stored.error,))
    changed = tuple(changed_settings(scene, stored.manifest, plays=stored.last_done is not None))
    if stored.last_done is None:
        return BakeStatus(0, True, ("A bake was begun, but no frame is finished",), changed)
    last = _last_asked(scene, stored.manifest)
    is_complete = stored.last_done >= last
    of_all = "" if is_complete else f" of {last}"
    sentence = f"Baked: frames {stored.manifest.first_frame} to {stored.last_done}{of_all}"
    can_resume = not is_complete or has_lost_playback(scene, stored.manifest)
    return BakeStatus(stored.frames_done, can_resume, (sentence,), changed)


def _last_asked(scene, manifest):
    """The end of the shot as it is now; a bake to an earlier frame can be resumed."""
    try:
        return frame_range(scene)[1]
    except SceneRefused:
        return manifest.last_frame
