"""Room on disk for a bake."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from .checkpoints import FRAMES_BETWEEN_KEPT
from .errors import CacheError
from .folder_lock import LOCK_NAME

SPARE_BYTES = 16 << 20  # for manifest, journal and file system


def bytes_needed(point_counts: Iterable[int], frame_count: int) -> int:
    """What a bake will take on disk."""
    points = sum(point_counts)
    states = 3 + frame_count // FRAMES_BETWEEN_KEPT
    return points * 12 * frame_count + states * points * 48 + SPARE_BYTES


def make_writable(folder: Path) -> None:
    """Make the folder of a bake, or say why there can be none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / LOCK_NAME
        with open(probe, "a+b"):
            pass
    except OSError as error:
        raise CacheError(f'Cannot write to the cache folder "{folder}" ({error.strerror}). Choose another.') from error


def refuse_full_disk(folder: Path, point_counts: Iterable[int], frame_count: int) -> None:
    """Before the work, not after hours of it."""
    needed = bytes_needed(point_counts, frame_count)
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise CacheError(f'The bake needs {needed / 1e9:.2f} GB, but only {free / 1e9:.2f} GB are free for "{folder}". '
                         "Make room, or choose another folder.")  # fmt: skip
