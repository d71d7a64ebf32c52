"""A bake on disk: a PC2 file an object, a manifest, a journal of frames, checkpoints.

A frame counts once its line stands in the journal, and that line is written last. A process
killed at any moment so loses at most the frame in work; what it half wrote is cut off at the
next start, and the checkpoint of the last complete frame leads on to the same bits.
"""

import time
import zlib
from pathlib import Path

import numpy as np

from .cache_room import make_writable, refuse_full_disk
from .checkpoints import Checkpoints
from .errors import CacheDamaged, CacheError, CacheOccupied, SimulationFailed
from .folder_lock import FolderLock
from .journal import Journal, JournalLine, read_journal
from .manifest import Manifest, ObjectEntry, file_names, read_manifest, write_manifest
from .pc2 import HEADER, Pc2Writer, create_pc2, is_unbegun_pc2, read_pc2_header
from .report import FrameReport
from .state import State

JOURNAL_NAME = "frames.jsonl"
REPORT_NAME = "report.html"
SECONDS_BETWEEN_SYNCS = 5.0  # a killed process loses nothing that was written; a power cut may lose this much


class FrameStore:
    """Reads a bake, and appends to it after `start_writing`."""

    def __init__(self, folder: Path, manifest: Manifest):
        self.folder = Path(folder)
        self.manifest = manifest
        self.lines = read_journal(self.folder / JOURNAL_NAME)
        self.checkpoints = Checkpoints(self.folder, manifest.first_frame)
        self._writers: dict[str, Pc2Writer] = {}
        self._journal: Journal | None = None

    @classmethod
    def create(cls, folder, point_counts: dict[str, int], first_frame, last_frame, inputs: dict) -> "FrameStore":
        """A new, empty bake; refuses a folder that holds one already."""
        folder = Path(folder)
        _refuse_occupied(folder)
        make_writable(folder)
        names = file_names(point_counts)
        objects = {name: ObjectEntry(names[name], count) for name, count in point_counts.items()}
        manifest = Manifest(first_frame, last_frame, objects, inputs)
        refuse_full_disk(folder, point_counts.values(), last_frame - first_frame + 1)
        lock = FolderLock(folder)
        try:
            _refuse_occupied(folder)  # another Blender may have been quicker
            _create_files(folder, manifest)
        finally:
            lock.release()
        return cls(folder, manifest)

    @classmethod
    def open(cls, folder) -> "FrameStore":
        """The bake in `folder`; raises a CacheError that says why there is none."""
        return cls(Path(folder), read_manifest(Path(folder)))

    # what is there

    @property
    def frames_done(self) -> int:
        return len(self.lines)

    @property
    def last_frame_done(self) -> int | None:
        return self.manifest.first_frame + self.frames_done - 1 if self.lines else None

    @property
    def is_complete(self) -> bool:
        return self.last_frame_done == self.manifest.last_frame

    def path_of(self, name: str) -> Path:
        return self.folder / self.manifest.objects[name].file_name

    def positions(self, name: str, frame_number: int) -> np.ndarray:
        """The stored positions (n, 3) float32 of an object at a frame."""
        size = self.manifest.objects[name].point_count * 12
        offset = HEADER.size + self._sample_of(frame_number) * size
        return np.fromfile(self.path_of(name), "<f4", size // 4, offset=offset).reshape(-1, 3)

    def verify(self) -> list[str]:
        """Compare every stored byte with its checksum; a sentence for each damaged file."""
        return [sentence for name in self.manifest.objects if (sentence := self._damage_of(name))]

    def refuse_damage(self) -> None:
        """Raise CacheDamaged if what would be read is not what was written."""
        damage = self.verify()
        if damage:
            raise CacheDamaged(" ".join(damage))

    # writing

    def start_writing(self) -> None:
        """Lock the folder, cut off a half-written frame, and get ready to append."""
        self._lock = FolderLock(self.folder)
        try:
            self.lines = read_journal(self.folder / JOURNAL_NAME)
            self._journal = Journal(self.folder / JOURNAL_NAME, self.lines)
            for name in self.manifest.objects:
                self._writers[name] = self._open_writer(name)
        except BaseException:
            self.close()
            raise
        self._last_sync = time.monotonic()

    def append(self, frame_number: int, positions: dict[str, np.ndarray], report: FrameReport, state: State) -> None:
        """Store one frame: data first, then the checkpoint, then the line that makes it count."""
        if frame_number != self.manifest.first_frame + self.frames_done:
            raise ValueError(f"frame {frame_number} does not follow {self.last_frame_done}")
        try:
            checksums = {name: zlib.crc32(self._writers[name].append(positions[name])) for name in self._writers}
            self.checkpoints.write(frame_number, state)
            line = JournalLine(frame_number, checksums, report.as_dict())
            self._open_journal.append(line)
            self.lines.append(line)
            for writer in self._writers.values():
                writer.publish()
            self._sync_now_and_then()
        except OSError as error:
            raise SimulationFailed(_cannot_write(self.folder, self.last_frame_done, error)) from error

    def change_range(self, last_frame: int, inputs: dict) -> None:
        """Let the bake end at another frame than it was begun for; `inputs` describe the scene up to there."""
        lock = FolderLock(self.folder)  # not while another Blender bakes: it would find itself incomplete
        try:
            self.manifest = self.manifest._replace(last_frame=last_frame, inputs=inputs)
            write_manifest(self.folder, self.manifest)
        finally:
            lock.release()

    def checkpoint(self) -> State:
        """The full state at the last complete frame."""
        frame_number = self.last_frame_done
        if frame_number is None:
            raise CacheError(f'No frame is finished in "{self.folder}", so there is nothing to go on from.')
        return self.checkpoints.read(frame_number)

    def rewind(self, frame_number: int, inputs: dict, changed: list[str]) -> None:
        """Drop a frame and all after it, to be baked from another scene; `changed` says what is new in that.

        A bake goes back only to where its state was kept, which may be a few frames earlier.
        """
        kept = self.checkpoints.last_before(frame_number, self.last_frame_done or self.manifest.first_frame)
        if not self.lines or kept is None:
            raise CacheError(f"No state before frame {frame_number} was kept. Bake anew from the start.")
        self.checkpoints.read(kept)  # a damaged one is refused while all frames are still there
        lock = FolderLock(self.folder)
        try:
            rebakes = [*(item for item in self.manifest.rebakes if item[0] <= kept), [kept + 1, changed]]
            self.manifest = self.manifest._replace(inputs=inputs, rebakes=rebakes)
            write_manifest(self.folder, self.manifest)
            self.lines = self.lines[: kept - self.manifest.first_frame + 1]
            Journal(self.folder / JOURNAL_NAME, self.lines).close()  # what it has no line for is cut off when writing
            self.checkpoints.drop_after(kept)
        finally:
            lock.release()

    def close(self) -> None:
        """Everything to disk, and let others write."""
        try:
            for writer in self._writers.values():
                writer.sync()
                writer.close()
            if self._journal:
                self._journal.close()
        finally:
            self._writers, self._journal = {}, None
            self._lock.release()

    # inside

    @property
    def _open_journal(self) -> Journal:
        assert self._journal, "start_writing comes first"
        return self._journal

    def _sample_of(self, frame_number):
        sample = frame_number - self.manifest.first_frame
        if not 0 <= sample < self.frames_done:
            raise CacheError(f"Frame {frame_number} is not baked; there are {self.frames_done} frames from "
                             f"{self.manifest.first_frame} on.")  # fmt: skip
        return sample

    def _open_writer(self, name):
        path, entry = self.path_of(name), self.manifest.objects[name]
        sentence = self._damage_of(name)
        if sentence:
            raise CacheDamaged(sentence)
        return Pc2Writer(path, self.frames_done, entry.point_count)

    def _damage_of(self, name):
        path, entry = self.path_of(name), self.manifest.objects[name]
        if not path.exists():
            return f'"{path}" is missing. Bring it back, or free the bake and bake again.'
        try:
            if read_pc2_header(path).point_count != entry.point_count:
                return f'"{path}" holds another number of points than the bake. Free the bake and bake again.'
        except CacheDamaged as error:
            return str(error)
        with open(path, "rb") as file:
            file.seek(HEADER.size)
            for line in self.lines:
                if zlib.crc32(file.read(entry.point_count * 12)) != line.checksums[name]:
                    return f'"{path}" is damaged at frame {line.frame_number}. Free the bake and bake again.'
        return ""

    def _sync_now_and_then(self):
        if time.monotonic() - self._last_sync > SECONDS_BETWEEN_SYNCS:
            for writer in self._writers.values():
                writer.sync()
            self._open_journal.sync()
            self._last_sync = time.monotonic()


def _refuse_occupied(folder):
    if (folder / Manifest.FILE_NAME).exists():
        raise CacheOccupied(f'"{folder}" holds a bake already. Resume it, free it, or choose another folder.')


def _create_files(folder, manifest):
    """The manifest comes last: without it there is no bake, only files that the next try replaces."""
    paths = [folder / entry.file_name for entry in manifest.objects.values()]
    for path in paths:
        if path.exists() and not is_unbegun_pc2(path):
            raise CacheOccupied(f'"{path}" is in the way. Move it, or choose another folder.')
    for path, entry in zip(paths, manifest.objects.values()):
        path.unlink(missing_ok=True)
        create_pc2(path, entry.point_count, manifest.first_frame)
    write_manifest(folder, manifest)


def _cannot_write(folder, last_frame_done, error):
    kept = f"Frames up to {last_frame_done} are kept" if last_frame_done is not None else "No frame was finished"
    return f'Cannot write to "{folder}" any more ({error.strerror}). {kept}; make room and resume.'
