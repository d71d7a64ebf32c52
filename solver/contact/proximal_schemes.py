"""Impulses that PROX iterates, and the next ones, which are kept or dropped."""

import numpy as np

from .block_rows import block_rows
from .local_form import CHUNK, LocalForm
from .problem import AXES
from .proximal_sweeps import sweep_cones, sweep_ellipsoids
from .proximal_visits import ConeLaw, EllipsoidLaw
from .rooted_sweeps import Motion, RootRows, sweep_rooted_cones, sweep_rooted_ellipsoids

FRESH = 50  # iterations after which z is made of the impulses anew: rounding would gather in it


class OverDelassus:
    """With W as it is: for problems that have nothing else, and where A joins too much."""

    def __init__(self, form: LocalForm, law: ConeLaw | EllipsoidLaw, is_jacobi: bool):
        self.rows, self.law, self.is_jacobi = block_rows(form.W, form.q.shape[1]), law, is_jacobi
        self.sweep = sweep_cones if form.q.shape[1] == AXES else sweep_ellipsoids
        self.begin(np.zeros_like(form.q))

    def begin(self, impulses: np.ndarray) -> None:
        """From impulses (m, w) [N s], which are not changed."""
        self.impulses = self.proposed = impulses

    def attempt(self, share: float) -> float:
        """The next impulses with a share of the r-factors; returns the largest change."""
        self.proposed = self.impulses.copy()
        known = self.impulses if self.is_jacobi else self.proposed
        return float(self.sweep(self.rows, self.law, share, self.is_jacobi, known, self.proposed))

    def accept(self) -> None:
        self.impulses = self.proposed


class OverRoot:
    """With W = G Gᵀ (docs/theory/proximal.md, 9)."""

    def __init__(self, form: LocalForm, law: ConeLaw | EllipsoidLaw, is_jacobi: bool):
        self.root, self.law, self.is_jacobi = form.root, law, is_jacobi
        self.rows = root_rows(form)
        self.sweep = sweep_rooted_cones if form.q.shape[1] == AXES else sweep_rooted_ellipsoids
        self.accepted = 0
        self.begin(np.zeros_like(form.q))

    def begin(self, impulses: np.ndarray) -> None:
        """From impulses (m, w) [N s], which are not changed."""
        self.motion = self.next = Motion(impulses, self._moved(impulses))

    @property
    def impulses(self) -> np.ndarray:
        return self.motion.impulses

    @property
    def proposed(self) -> np.ndarray:
        return self.next.impulses

    def attempt(self, share: float) -> float:
        self.next = Motion(*(values.copy() for values in self.motion))
        known = self.motion if self.is_jacobi else self.next
        return float(self.sweep(self.rows, self.law, share, self.is_jacobi, known, self.next))

    def accept(self) -> None:
        self.motion, self.accepted = self.next, self.accepted + 1
        if self.accepted % FRESH == 0:
            self.motion.moved[:] = self._moved(self.impulses)

    def _moved(self, impulses):
        return (self.root.T @ impulses.ravel()).reshape(-1, CHUNK)


def scheme_of(form: LocalForm, law: ConeLaw | EllipsoidLaw, is_jacobi: bool) -> OverDelassus | OverRoot:
    return (OverDelassus if form.root is None else OverRoot)(form, law, is_jacobi)


def root_rows(form: LocalForm) -> RootRows:
    """G as rows of blocks of a contact and three columns."""
    width = form.q.shape[1]
    blocked = form.root.tobsr(blocksize=(width, CHUNK))
    blocked.sort_indices()
    return RootRows(
        *(blocked.indptr.astype(np.int32), blocked.indices.astype(np.int32)),
        np.ascontiguousarray(blocked.data.reshape(-1, width * CHUNK)),
        form.compliance,
    )
