"""What is constant of all strands, and what changes, as flat arrays.

All arrays have a row a point. What belongs to an edge stands in the row of its first point, what belongs
to a bend or twist in the row of its vertex; the rows at the end of a strand are unused there.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int32

from ..jit_cache import tuple_of


class Rods(NamedTuple):
    offsets: np.ndarray  # first point of each strand, and the end     (s + 1,) int32
    masses: np.ndarray  # of the points                                (n,) [kg]
    inertias: np.ndarray  # of the edges, about their axis             (n,) [kg m²]
    rest_lengths: np.ndarray  # of the edges                           (n,) [m]
    stretching: np.ndarray  # stiffness E_s A of the edges             (n,) [N]
    bending: np.ndarray  # stiffness B₁/L, B₂/L of the vertices        (n, 2) [N m]
    twisting: np.ndarray  # stiffness C/L of the vertices              (n,) [N m]
    rest_curvatures: np.ndarray  # κ̄₁, κ̄₂ of the vertices              (n, 2)
    rest_twists: np.ndarray  # m̄ of the vertices                       (n,) [rad]
    damping: np.ndarray  # ξ: the stress answers to strain + ξ rate    (n,) [s]
    is_free: np.ndarray  # points that are not given                   (n,) bool
    is_free_edge: np.ndarray  # edges whose twist is not given         (n,) bool


ROD_TYPES = tuple_of(
    Rods,
    *(int32[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[:, ::1], float64[::1]),
    *(float64[:, ::1], float64[::1], float64[::1], boolean[::1], boolean[::1]),
)


class RodFrames(NamedTuple):
    """The reference frames; material frames are turned against them by the twist angles θ."""

    tangents: np.ndarray  # of the edges, when the frames were last transported  (n, 3)
    directors: np.ndarray  # first axis of the reference frame of the edges      (n, 3)
    turns: np.ndarray  # turn of the reference frame at the vertices, m_ref      (n,) [rad]

    def copy(self) -> "RodFrames":
        return RodFrames(*(array.copy() for array in self))


FRAME_TYPES = tuple_of(RodFrames, float64[:, ::1], float64[:, ::1], float64[::1])


def _no_rows(dtype=np.float64, width=None):
    return np.zeros(0 if width is None else (0, width), dtype)


NO_RODS = Rods(
    *(np.zeros(1, np.int32), _no_rows(), _no_rows(), _no_rows(), _no_rows(), _no_rows(width=2), _no_rows()),
    *(_no_rows(width=2), _no_rows(), _no_rows(), _no_rows(bool), _no_rows(bool)),
)
NO_FRAMES = RodFrames(_no_rows(width=3), _no_rows(width=3), _no_rows())
