"""What PROX does to one contact: a step along its velocity, and the nearest impulse that the law allows.

[Erleben 2017, equations 23 and 24]; docs/theory/proximal.md, 2 and 3.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import float64

from ..jit_cache import compiled, tuple_of
from .ellipsoid import onto_scaled_ellipsoid

LEFT_IN_SWEEPS = 1e-2  # of g over the ellipsoid's rim: the next sweep has it from nearer, and cubes what is left


class ConeLaw(NamedTuple):
    """Three rows a contact; one r-factor for the normal, one for both tangents."""

    given: np.ndarray  # q                                                   (m, 3) [m/s]
    friction: np.ndarray  # μ                                                (m,)
    factors: np.ndarray  # r-factors of normal and tangents                  (m, 2) [kg]


class EllipsoidLaw(NamedTuple):
    """Four rows a contact: normal, two tangents, spin. Friction in axes y = T λ, in which the r-factors are one."""

    given: np.ndarray  # q                                                   (m, 4) [m/s, rad/s]
    axes: np.ndarray  # of the ellipsoid of y, over the largest of them      (m, 3)
    reaches: np.ndarray  # the largest, for a normal impulse of one          (m,)
    factors: np.ndarray  # r-factor of the normal                            (m,) [kg]
    turns: np.ndarray  # T, row by row, or its diagonal where that is all    (m, 9) or (m, 3)
    returns: np.ndarray  # T⁻¹                                               (m, 9) or (m, 3)
    roots: np.ndarray  # where the search for the nearest point ended last, and starts  (m,)


MATRIX = float64[:, ::1]
CONE_TYPES = tuple_of(ConeLaw, MATRIX, float64[::1], MATRIX)
ELLIPSOID_TYPES = tuple_of(EllipsoidLaw, MATRIX, MATRIX, float64[::1], float64[::1], MATRIX, MATRIX, float64[::1])


@compiled
def visit_cone(law, contact, share, is_at_once, u, old):
    """The contact's new impulse, with a share of the r-factors; friction by the old normal impulse if all at once."""
    factor = share * law.factors[contact, 1]
    normal = max(old[0] - share * law.factors[contact, 0] * u[0], 0.0)
    s, t = old[1] - factor * u[1], old[2] - factor * u[2]
    limit = law.friction[contact] * (old[0] if is_at_once else normal)
    square = s * s + t * t
    if square > limit * limit:
        cut = limit / math.sqrt(square)
        s, t = s * cut, t * cut
    return normal, s, t


@compiled
def visit_ellipsoid(law, contact, share, is_at_once, u, old):
    normal = max(old[0] - share * law.factors[contact] * u[0], 0.0)
    limit = old[0] if is_at_once else normal
    if law.turns.shape[1] == 3:
        s, t, spin = _friction_along_axes(law, contact, share, u, old, limit)
    else:
        s, t, spin = _friction(law, contact, share, u, old, limit)
    return normal, s, t, spin


@compiled
def _friction_along_axes(law, contact, share, u, old, limit):
    """As below, with a diagonal T."""
    T, S = law.turns[contact], law.returns[contact]
    y = (
        T[0] * old[1] - share * S[0] * u[1],
        T[1] * old[2] - share * S[1] * u[2],
        T[2] * old[3] - share * S[2] * u[3],
    )
    x, y_, w = _nearest(law, contact, y, limit)
    return S[0] * x, S[1] * y_, S[2] * w


@compiled
def _friction(law, contact, share, u, old, limit):
    """T⁻¹ of the point nearest to T λ − share T⁻ᵀ u in the ellipsoid."""
    T, S = law.turns[contact], law.returns[contact]
    y = (
        T[0] * old[1] + T[1] * old[2] + T[2] * old[3] - share * (S[0] * u[1] + S[3] * u[2] + S[6] * u[3]),
        T[3] * old[1] + T[4] * old[2] + T[5] * old[3] - share * (S[1] * u[1] + S[4] * u[2] + S[7] * u[3]),
        T[6] * old[1] + T[7] * old[2] + T[8] * old[3] - share * (S[2] * u[1] + S[5] * u[2] + S[8] * u[3]),
    )
    x, y_, w = _nearest(law, contact, y, limit)
    return (
        S[0] * x + S[1] * y_ + S[2] * w,
        S[3] * x + S[4] * y_ + S[5] * w,
        S[6] * x + S[7] * y_ + S[8] * w,
    )


@compiled
def _nearest(law, contact, y, limit):
    axes = law.axes[contact, 0], law.axes[contact, 1], law.axes[contact, 2]
    reach, guess = limit * law.reaches[contact], law.roots[contact]
    x, y_, w, law.roots[contact] = onto_scaled_ellipsoid(y, reach, axes, guess, LEFT_IN_SWEEPS)
    return x, y_, w


@compiled
def largest_change(largest, new, old):
    for axis in range(len(new)):
        largest = max(largest, abs(new[axis] - old[axis]))
    return largest
