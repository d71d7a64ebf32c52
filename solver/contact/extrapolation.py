"""Where a fixed-point iteration is heading, from the ways of its last turns [Anderson 1965].

docs/theory/proximal.md, 14. With the ways f = end − start of some turns, that combination of their ends is taken of
which the ways would cancel best.
"""

import numpy as np
from numba import float64

from ..jit_cache import kernel

MEMORY = 5  # differences of turns that are combined
REGULAR = 1e-10  # of their squares, added: turns may point the same way


class Extrapolation:
    def __init__(self, size: int):
        self.ways, self.ends = np.zeros((2, MEMORY, size))  # differences from turn to turn
        self.products = np.zeros((MEMORY, MEMORY))  # of the first
        self.forget()

    def forget(self) -> None:
        self.turns = 0
        self.last: tuple[np.ndarray, np.ndarray] | None = None  # way and end

    def after(self, way: np.ndarray, end: np.ndarray) -> np.ndarray | None:
        """Where to begin the next turn (n,), after one with this way and end (n,); None if it is the first."""
        if self.last is not None:
            newest = self.turns % MEMORY
            self.ways[newest], self.ends[newest] = way - self.last[0], end - self.last[1]
            self.turns += 1
            multiply_rows(self.ways, self.ways[newest], self.products[newest])
            self.products[:, newest] = self.products[newest]
        self.last = way, end
        return self._landing(way, end) if self.turns else None

    def _landing(self, way, end):
        count = min(self.turns, MEMORY)
        squares = self.products[:count, :count]
        right = np.empty(MEMORY)
        multiply_rows(self.ways, way, right)
        trace = float(np.trace(squares))
        if not 0.0 < trace < np.inf:
            return None
        shares = np.zeros(MEMORY)
        shares[:count] = np.linalg.solve(squares + REGULAR * trace * np.eye(count), right[:count])
        landing = np.empty_like(end)
        subtract_rows(end, self.ends, shares, landing)
        return landing


@kernel((float64[:, ::1], float64[::1], float64[::1]))
def multiply_rows(rows, vector, products_out):
    """In the order of components, so that the bits are the same wherever it runs."""
    for row in range(len(rows)):
        total = 0.0
        for place in range(len(vector)):
            total += rows[row, place] * vector[place]
        products_out[row] = total


@kernel((float64[::1], float64[:, ::1], float64[::1], float64[::1]))
def subtract_rows(vector, rows, shares, vector_out):
    for place in range(len(vector)):
        value = vector[place]
        for row in range(len(rows)):
            value -= shares[row] * rows[row, place]
        vector_out[place] = value
