"""Leaps of PROX to where its sweeps are heading (docs/theory/proximal.md, 14); bad ones are taken back."""

import numpy as np

from .extrapolation import Extrapolation
from .proximal_schemes import OverDelassus, OverRoot

SWEEPS = 2  # from one leap to the next: a leap takes about as long as they do
REACH = 1e4  # ways of the sweeps that a leap may be long: where there is no solution they never end
GROWTH = 1.3  # by which the way of the sweeps after a leap may be longer than that before it


class Leaps:
    def __init__(self, softness: np.ndarray, start: np.ndarray):
        """Answers of contacts to their own impulses (m,) [1/kg], and the first impulses (m, w) [N s]."""
        self.weights = np.repeat(np.sqrt(softness), start.shape[1])
        self.extrapolation = Extrapolation(len(self.weights))
        self.begin(start)

    def begin(self, impulses: np.ndarray) -> None:
        """Sweeps start somewhere else, or others are made: what they were heading to is no longer known."""
        self.extrapolation.forget()
        self.start, self.sweeps = impulses, 0
        self.left: np.ndarray | None = None  # impulses before the last leap
        self.length = np.inf  # of the way before it

    @property
    def is_in_doubt(self) -> bool:
        """Whether sweeps after the last leap have not shown yet that it was good."""
        return self.left is not None

    def take_back(self, scheme: OverDelassus | OverRoot) -> None:
        """To before the last leap."""
        assert self.left is not None
        scheme.begin(self.left)
        self.begin(self.left)

    def go_on(self, scheme: OverDelassus | OverRoot) -> None:
        """After a sweep that was kept: the next one may start elsewhere."""
        self.sweeps += 1
        if self.sweeps < SWEEPS:
            return
        way = self.weights * (scheme.impulses - self.start).ravel()
        length = _length(way)
        if self.is_in_doubt and not length <= GROWTH * self.length:
            self.take_back(scheme)
            return
        landing = self.extrapolation.after(way, scheme.impulses.ravel())
        if landing is not None and not _length(self.weights * (landing - scheme.impulses.ravel())) <= REACH * length:
            landing = None
        self.left, self.length = (None if landing is None else scheme.impulses), length
        if landing is not None:
            scheme.begin(landing.reshape(scheme.impulses.shape))
        self.start, self.sweeps = scheme.impulses, 0


def _length(vector):
    """Not by BLAS, whose bits depend on the number of threads."""
    return float(np.sqrt((vector * vector).sum()))
