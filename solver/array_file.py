"""Arrays and a JSON header in one file, without pickle.

The file is an uncompressed zip of .npy arrays, so numpy.load opens it too. Uncompressed
arrays can be memory-mapped in place, and the zip's own checksums reveal altered bytes.
"""

import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .errors import CacheDamaged

HEADER_NAME = "header.json"
CHUNK_BYTES = 1 << 24  # large arrays may be memory maps: never hold more of them than this


def write_array_file(path: str | Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """Write atomically: a reader sees the old file or the new one, never half of it."""
    path = Path(path)
    unfinished = path.with_name(path.name + ".part")
    with open(unfinished, "wb") as file:
        _write_archive(file, header, arrays)
    os.replace(unfinished, path)


def rewrite_array_file(path: Path, header: dict, arrays: dict[str, np.ndarray]) -> None:
    """Write over the old content in place, for a file that no reader relies on meanwhile.

    Some file systems force a renamed or emptied file to the disk at once, which takes longer
    than writing it.
    """
    with open(path, "r+b" if path.exists() else "wb") as file:
        _write_archive(file, header, arrays)
        file.truncate()


def read_array_file(path: str | Path, verify: bool = True) -> tuple[dict, dict[str, np.ndarray]]:
    """The header, and the arrays as read-only memory maps."""
    path = Path(path)
    try:
        with zipfile.ZipFile(path) as archive:
            if verify and archive.testzip() is not None:
                raise CacheDamaged(_damaged(path))
            header = json.loads(archive.read(HEADER_NAME))
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
    except (zipfile.BadZipFile, KeyError, EOFError, ValueError) as error:
        raise CacheDamaged(_damaged(path)) from error
    return header, {entry.filename[:-4]: _map_array(path, entry) for entry in entries}


def _write_archive(file, header, arrays):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(HEADER_NAME, json.dumps(header, indent=1))
        for name, array in arrays.items():
            _write_array(archive, name + ".npy", array)


def _write_array(archive, name, array):
    with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as entry:
        layout = {
            "descr": np.lib.format.dtype_to_descr(array.dtype),
            "fortran_order": False,
            "shape": array.shape,
        }
        np.lib.format.write_array_header_1_0(entry, layout)
        for chunk in byte_chunks(array):
            entry.write(chunk)


def byte_chunks(array: np.ndarray) -> Iterator[memoryview]:
    """The bytes of an array a piece at a time, in C order."""
    if array.ndim == 0 or array.size == 0:
        yield memoryview(array.tobytes())
        return
    rows = max(1, CHUNK_BYTES // max(1, array.nbytes // len(array)))
    for first in range(0, len(array), rows):
        yield np.ascontiguousarray(array[first : first + rows]).data.cast("B")


def _map_array(path, entry):
    with open(path, "rb") as file:
        file.seek(entry.header_offset + 26)  # lengths of name and extra field, in the local header
        name_length, extra_length = np.frombuffer(file.read(4), "<u2")
        file.seek(entry.header_offset + 30 + int(name_length) + int(extra_length))
        np.lib.format.read_magic(file)
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
        if dtype.hasobject:
            raise CacheDamaged(_damaged(path))
        if 0 in shape:
            return np.zeros(shape, dtype)  # an empty region cannot be mapped
        return np.memmap(path, dtype, "r", offset=file.tell(), shape=shape)


def _damaged(path):
    return f'The file "{path}" is damaged or was not written by Stiction.'
