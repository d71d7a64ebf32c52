"""Full states of a bake on disk: the last two, to resume from, and one every few frames, to go back to."""

import re
import shutil
from pathlib import Path

import numpy as np

from .array_file import read_array_file, rewrite_array_file
from .errors import CacheDamaged
from .state import State

LATEST_NAMES = ("checkpoint_a.npz", "checkpoint_b.npz")  # alternating: one is always whole
KEPT_NAME = re.compile(r"checkpoint_(\d+)\.npz")
FRAMES_BETWEEN_KEPT = 10  # a state takes about as much disk as four frames


class Checkpoints:
    """Those of one bake; frames are counted from its first one."""

    def __init__(self, folder: Path, first_frame: int):
        self.folder = folder
        self.first_frame = first_frame

    def write(self, frame_number: int, state: State) -> None:
        path = self._latest(frame_number)
        rewrite_array_file(path, {"frame": frame_number, "step": state.step}, state.arrays())
        if (frame_number - self.first_frame) % FRAMES_BETWEEN_KEPT == 0:
            shutil.copyfile(path, self._kept(frame_number))

    def read(self, frame_number: int) -> State:
        """The state at a frame; refuses one that is not there whole."""
        found = [path for path in (self._latest(frame_number), self._kept(frame_number)) if path.exists()]
        if not found:
            name = self._latest(frame_number)
            raise CacheDamaged(f'The checkpoint "{name}" is missing. Free the bake and bake again.')
        for path in found:
            header, arrays = read_array_file(path)
            if header["frame"] == frame_number:
                return State(header["step"], **{name: np.array(array) for name, array in arrays.items()})
        raise CacheDamaged(f'"{found[0]}" is not the checkpoint of frame {frame_number}. Free the bake and bake again.')

    def last_before(self, frame_number: int, last_done: int) -> int | None:
        """The last frame before another, and of those that are done, whose state was kept."""
        kept = {self.first_frame + offset for offset in _offsets(self.folder)}
        kept |= {last_done} if self._latest(last_done).exists() else set()
        return max((frame for frame in kept if frame < frame_number and frame <= last_done), default=None)

    def drop_after(self, frame_number: int) -> None:
        """Forget states of frames that are no longer there."""
        for offset in _offsets(self.folder):
            if self.first_frame + offset > frame_number:
                self._kept(self.first_frame + offset).unlink()

    def _latest(self, frame_number):
        return self.folder / LATEST_NAMES[frame_number % 2]

    def _kept(self, frame_number):
        return self.folder / f"checkpoint_{frame_number - self.first_frame:06}.npz"


def checkpoint_names(folder: Path) -> list[str]:
    """The files of all checkpoints that a bake may have in a folder."""
    return [*LATEST_NAMES, *(path.name for path in folder.glob("checkpoint_*.npz") if KEPT_NAME.fullmatch(path.name))]


def _offsets(folder):
    matches = (KEPT_NAME.fullmatch(path.name) for path in folder.glob("checkpoint_*.npz"))
    return [int(match[1]) for match in matches if match]
