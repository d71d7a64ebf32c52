"""The journal of a bake: one line a frame, and a frame counts once its line is whole."""

import json
import os
import zlib
from pathlib import Path
from typing import NamedTuple

from .errors import CacheDamaged


class JournalLine(NamedTuple):
    frame_number: int
    checksums: dict[str, int]  # CRC-32 of the bytes of each object
    report: dict

    def encode(self) -> bytes:
        text = json.dumps(self._asdict(), separators=(",", ":")).encode()
        return b"%08x %s\n" % (zlib.crc32(text), text)


class Journal:
    """Appends lines; what follows the last whole line is cut off first."""

    def __init__(self, path: Path, lines: list[JournalLine]):
        self._file = path.open("a+b", buffering=0)
        self._file.truncate(sum(len(line.encode()) for line in lines))

    def append(self, line: JournalLine) -> None:
        data = line.encode()
        if self._file.write(data) != len(data):
            raise OSError("the journal could not be written")

    def sync(self):
        os.fsync(self._file.fileno())

    def close(self):
        self.sync()
        self._file.close()


def read_journal(path: Path) -> list[JournalLine]:
    """The whole lines; a torn last line (a killed process) is left out, other damage is refused."""
    if not path.exists():
        return []
    *whole, _torn = path.read_bytes().split(b"\n")
    return [_decode(data, path, number) for number, data in enumerate(whole, 1)]


def _decode(data, path, number):
    checksum, _, text = data.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        raise CacheDamaged(f'Line {number} of "{path}" is damaged. Free the bake and bake again.')
    return JournalLine(**json.loads(text))
