"""One writer a folder: a lock that the operating system drops when the process ends."""

import sys
from pathlib import Path

from .errors import CacheError

LOCK_NAME = "bake.lock"


class FolderLock:
    """Held from creation to `release`; a second holder is refused with a sentence."""

    def __init__(self, folder: Path):
        try:
            self._file = (folder / LOCK_NAME).open("a+b")
        except OSError as error:
            sentence = f'Cannot write to the folder "{folder}" ({error.strerror}). Make it writable, or choose another.'
            raise CacheError(sentence) from error
        try:
            _lock(self._file)
        except OSError as error:
            self._file.close()
            raise CacheError(
                f'Another Blender is baking into "{folder}". Wait for it, or choose another folder.'
            ) from error

    def release(self):
        self._file.close()


def _lock(file):
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
