"""Rows that others are added to again and again."""

import numpy as np

SPARE = 1.1  # times what is needed: most of what is added later finds room


class GrowingRows:
    """An array with room to spare, so that what is there is not copied each time."""

    def __init__(self, rows: np.ndarray):
        self._storage, self._count = rows, len(rows)

    @property
    def rows(self) -> np.ndarray:
        return self._storage[: self._count]

    def add(self, rows: np.ndarray) -> None:
        if not len(rows):
            return
        count = self._count + len(rows)
        if not self._count:  # what comes first is taken as it is
            self._storage, self._count = np.ascontiguousarray(rows), count
            return
        if count > len(self._storage):
            storage = np.empty((int(SPARE * count) + 1, *self._storage.shape[1:]), self._storage.dtype)
            storage[: self._count] = self.rows
            self._storage = storage
        self._storage[self._count : count] = rows
        self._count = count
