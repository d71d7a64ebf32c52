"""Writing a long motion to disk as it is read, so that memory stays bounded."""

from pathlib import Path

import numpy as np

from .motion import SampledMotion


class MotionWriter:
    """Appends positions at increasing times; a sample equal to the one before is not stored again."""

    def __init__(self, path: Path, point_count: int):
        self.path = Path(path)
        self.point_count = point_count
        self._file = self.path.open("xb", buffering=0)
        self._times: list[float] = []
        self._rows: list[int] = []
        self._last: np.ndarray | None = None

    def append(self, time: float, positions: np.ndarray) -> None:
        """Add positions (n, 3) [m] at a time [s]."""
        positions = np.ascontiguousarray(positions, np.float64)
        if positions.shape != (self.point_count, 3):
            raise ValueError(f"{positions.shape} positions where {self.point_count} are expected")
        is_new = self._last is None or not np.array_equal(self._last, positions)
        if is_new:
            self._file.write(positions.data.cast("B"))
            self._last = positions.copy()
        self._times.append(time)
        self._rows.append((self._rows[-1] if self._rows else -1) + int(is_new))

    def finish(self) -> SampledMotion:
        """The motion, read back from the file as a memory map."""
        self._file.close()
        shape = (self._rows[-1] + 1, self.point_count, 3)
        samples = np.memmap(self.path, np.float64, "r", shape=shape) if self.point_count else np.zeros(shape)
        return SampledMotion(np.array(self._times), np.array(self._rows, np.int32), samples)
