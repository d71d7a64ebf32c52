"""PC2 point cache files: a 32-byte header, then float32 positions, a sample a frame.

Blender's Mesh Cache modifier plays them. It trusts the header's number of samples, so that
number is written last: a killed bake leaves a file that plays all that is complete.
"""

import os
import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .errors import CacheDamaged

HEADER = struct.Struct("<12siiffi")
SIGNATURE = b"POINTCACHE2\0"
COUNT_OFFSET = 28


class Pc2Header(NamedTuple):
    point_count: int
    start_frame: float
    sample_count: int


def create_pc2(path: Path, point_count: int, start_frame: float) -> None:
    """A file without samples; refuses to replace another."""
    with open(path, "xb") as file:
        file.write(HEADER.pack(SIGNATURE, 1, point_count, start_frame, 1.0, 0))


def read_pc2_header(path: Path) -> Pc2Header:
    with open(path, "rb") as file:
        data = file.read(HEADER.size)
    if len(data) < HEADER.size or data[:12] != SIGNATURE:
        raise CacheDamaged(f'"{path}" is not a point cache, or its beginning is damaged. Free the bake and bake again.')
    _, _, point_count, start_frame, _, sample_count = HEADER.unpack(data)
    return Pc2Header(point_count, start_frame, sample_count)


def is_unbegun_pc2(path: Path) -> bool:
    """Whether a file is no more than what `create_pc2` writes, or its beginning: a bake was killed there."""
    with open(path, "rb") as file:
        data = file.read(HEADER.size + 1)
    return len(data) <= HEADER.size and data[:12] == SIGNATURE[: len(data)] and data[COUNT_OFFSET:] in (b"", b"\0" * 4)


class Pc2Writer:
    """Appends samples to an existing file, from a given sample on."""

    def __init__(self, path: Path, sample_count: int, point_count: int):
        self.path = path
        self.sample_bytes = point_count * 12
        self.sample_count = sample_count
        self._file = path.open("r+b", buffering=0)
        self._file.truncate(HEADER.size + sample_count * self.sample_bytes)
        self.publish()
        self._file.seek(0, os.SEEK_END)

    def append(self, positions: np.ndarray) -> memoryview:
        """Write one sample; it does not count until `publish`. Returns the bytes written."""
        data = np.ascontiguousarray(positions, "<f4").data.cast("B")
        if len(data) != self.sample_bytes:
            raise ValueError(f"{self.path.name}: {len(data)} bytes for a sample of {self.sample_bytes}")
        write_all(self._file, data)
        self.sample_count += 1
        return data

    def publish(self):
        """Let readers see all samples so far."""
        end = self._file.tell()
        self._file.seek(COUNT_OFFSET)
        write_all(self._file, struct.pack("<i", self.sample_count))
        self._file.seek(end)

    def sync(self):
        os.fsync(self._file.fileno())

    def close(self):
        self._file.close()


def write_all(file, data):
    """An unbuffered file may take less than it was given (a full disk, a signal)."""
    view = memoryview(data)
    while len(view):
        view = view[file.write(view) :]
