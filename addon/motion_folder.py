"""A place for the animation that is read before a bake; it is gone when the bake has ended."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..solver.errors import CacheError
from ..solver.folder_lock import FolderLock

PREFIX = "motion-"


@contextmanager
def motion_folder(cache_folder: Path) -> Iterator[Path]:
    """A new folder below `cache_folder` (an animation may be too large for the system's temporary folder)."""
    is_first = not cache_folder.parent.exists()
    folder = _make(cache_folder)
    lock = FolderLock(folder)
    try:
        yield folder
    finally:
        lock.release()
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):
            cache_folder.rmdir()  # a refused scene leaves no empty folder behind; a bake in it keeps it
            if is_first:
                cache_folder.parent.rmdir()


def drop_abandoned_motion(cache_folder: Path) -> None:
    """Delete what killed bakes left; what another Blender uses at the moment is locked, and stays."""
    for folder in cache_folder.glob(PREFIX + "*"):
        with suppress(CacheError, OSError):
            FolderLock(folder).release()
            shutil.rmtree(folder)


def _make(cache_folder):
    try:
        cache_folder.mkdir(parents=True, exist_ok=True)
        drop_abandoned_motion(cache_folder)
        return Path(tempfile.mkdtemp(prefix=PREFIX, dir=cache_folder))
    except OSError as error:
        sentence = f'Cannot write to the cache folder "{cache_folder}" ({error.strerror}). Choose another.'
        raise CacheError(sentence) from error
