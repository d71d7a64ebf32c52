"""What the panel says about the bake on disk, without reading more of it than needed."""

from typing import NamedTuple

import bpy

from ..solver.errors import CacheError
from ..solver.frame_store import FrameStore
from ..solver.manifest import Manifest
from .cache_folder import cache_folder
from .playback_modifier import played_file


class BakeStatus(NamedTuple):
    frames_done: int
    can_resume: bool
    sentences: tuple[str, ...]


NO_BAKE = BakeStatus(0, False, ())
_known: dict[str, tuple[tuple, BakeStatus]] = {}  # a panel is drawn many times a second


def bake_status(scene: bpy.types.Scene) -> BakeStatus:
    """The state of the scene's bake, read again only when its files have changed."""
    folder = cache_folder(scene)
    if folder is None or not (folder / Manifest.FILE_NAME).exists():
        return _status_elsewhere(scene)
    stamp = tuple(_stamp(folder / name) for name in (Manifest.FILE_NAME, "frames.jsonl"))
    if _known.get(str(folder), (None,))[0] != stamp:
        _known[str(folder)] = (stamp, _read(folder))
    return _known[str(folder)][1]


def _status_elsewhere(scene):
    """A file that was saved in another folder still plays: Blender leads its modifiers, but not our setting, there."""
    playing = next(filter(None, map(played_file, scene.objects)), None)
    if playing is None or not (playing.parent / Manifest.FILE_NAME).exists():
        return NO_BAKE
    sentences = f'The bake that plays is in "{playing.parent}"', "Choose that as Cache Folder to go on with it"
    return BakeStatus(0, False, sentences)


def _stamp(path):
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _read(folder):
    try:
        store = FrameStore.open(folder)
    except CacheError as error:
        return BakeStatus(1, False, (str(error),))
    first, last, done = store.manifest.first_frame, store.manifest.last_frame, store.last_frame_done
    if store.is_complete:
        return BakeStatus(store.frames_done, False, (f"Baked: frames {first} to {last}",))
    if done is None:
        return BakeStatus(0, True, ("A bake was begun, but no frame is finished",))
    return BakeStatus(store.frames_done, True, (f"Baked: frames {first} to {done} of {last}",))
