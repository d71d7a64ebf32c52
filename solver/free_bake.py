"""Delete a bake from disk."""

from contextlib import suppress
from pathlib import Path

from .checkpoints import checkpoint_names
from .errors import CacheError
from .folder_lock import LOCK_NAME, FolderLock
from .frame_store import JOURNAL_NAME, REPORT_NAME
from .manifest import Manifest, read_manifest


def free_bake(folder: str | Path) -> int:
    """Delete the files of a bake, and the folder if nothing else is in it; returns the bytes freed.

    Only what the manifest names is deleted: the folder may hold other things of the user's.
    """
    folder = Path(folder)
    manifest = read_manifest(folder, check_version=False)
    FolderLock(folder).release()
    names = [entry.file_name for entry in manifest.objects.values()]
    names += [JOURNAL_NAME, REPORT_NAME, *checkpoint_names(folder), LOCK_NAME]
    try:
        freed = sum(_delete(folder / name) for name in (*names, Manifest.FILE_NAME))
    except OSError as error:
        raise CacheError(f'Cannot delete the bake in "{folder}" ({error.strerror}). Make its files writable, close '
                         "what uses them, and free it again.") from error  # fmt: skip
    with suppress(OSError):  # something else is in it, or it may not be deleted
        folder.rmdir()
    return freed


def _delete(path):
    if not path.is_file():
        return 0
    size = path.stat().st_size
    path.unlink()
    return size
