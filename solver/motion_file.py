"""Writing a long motion to disk as it is read, so that memory stays bounded."""

from pathlib import Path

import numpy as np

from .motion import SampledMotion
from .pc2 import write_all


class StoredSamples:
    """Samples (s, n, 3) in a file, read one at a time; stands where a SampledMotion has an array.

    A memory map would do the same, but what it has touched counts as memory of the process.
    """

    dtype = np.dtype(np.float64)
    ndim = 3

    def __init__(self, path: Path, sample_count: int, point_count: int):
        self.path = path
        self.shape = (sample_count, point_count, 3)
        self.size = sample_count * point_count * 3
        self.nbytes = self.size * self.dtype.itemsize
        self._recent: dict[int, np.ndarray] = {}  # a time step reads the same two samples as the one before

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: int | slice) -> np.ndarray:
        if isinstance(rows, slice):
            return np.stack([self._read(row) for row in range(*rows.indices(len(self)))])
        row = int(rows)
        if not 0 <= row < len(self):
            raise IndexError(f"there is no sample {row}")
        if row not in self._recent:
            self._recent = {kept: self._recent[kept] for kept in list(self._recent)[-1:]}
            self._recent[row] = self._read(row)
        return self._recent[row]

    def _read(self, row):
        offset = row * self.shape[1] * 3 * self.dtype.itemsize
        return np.fromfile(self.path, self.dtype, self.shape[1] * 3, offset=offset).reshape(self.shape[1:])


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
        """Add positions (n, 3) [m] at a time [s]; the array must not be changed afterwards."""
        positions = np.ascontiguousarray(positions, np.float64)
        if positions.shape != (self.point_count, 3):
            raise ValueError(f"{positions.shape} positions where {self.point_count} are expected")
        is_new = self._last is None or not np.array_equal(self._last, positions)
        if is_new:
            write_all(self._file, positions.data.cast("B"))
            self._last = positions
        self._times.append(time)
        self._rows.append((self._rows[-1] if self._rows else -1) + int(is_new))

    def close(self) -> None:
        """Give up, or have done: a file that is open cannot be deleted everywhere."""
        self._file.close()

    def finish(self) -> SampledMotion:
        """The motion, to be read back from the file."""
        self.close()
        samples = StoredSamples(self.path, self._rows[-1] + 1, self.point_count)
        return SampledMotion(np.array(self._times), np.array(self._rows, np.int32), samples)
