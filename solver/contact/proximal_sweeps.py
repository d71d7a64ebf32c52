"""One iteration of the PROX schemes: contacts in turn (Gauss-Seidel) or at once (Jacobi).

[Erleben 2017, algorithms 1 and 2]; docs/theory/proximal.md, 2.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import boolean, float64

from ..jit_cache import compiled, kernel, tuple_of
from .block_rows import BLOCK_TYPES
from .ellipsoid import onto_ellipsoid


class ConeLaw(NamedTuple):
    """Three rows a contact; one r-factor for the normal, one for both tangents."""

    given: np.ndarray  # q                                                   (m, 3) [m/s]
    friction: np.ndarray  # μ                                                (m,)
    factors: np.ndarray  # r-factors of normal and tangents                  (m, 2) [kg]


class EllipsoidLaw(NamedTuple):
    """Four rows a contact: normal, two tangents, spin. Friction in axes y = T λ, in which the r-factors are one."""

    given: np.ndarray  # q                                                   (m, 4) [m/s, rad/s]
    axes: np.ndarray  # of the ellipsoid of y, for a normal impulse of one   (m, 3)
    factors: np.ndarray  # r-factor of the normal                            (m,) [kg]
    turns: np.ndarray  # T, row by row                                       (m, 9)
    returns: np.ndarray  # T⁻¹                                               (m, 9)


CONE_TYPES = tuple_of(ConeLaw, float64[:, ::1], float64[::1], float64[:, ::1])
ELLIPSOID_TYPES = tuple_of(
    EllipsoidLaw, float64[:, ::1], float64[:, ::1], float64[::1], float64[:, ::1], float64[:, ::1]
)


@kernel((BLOCK_TYPES, CONE_TYPES, float64, boolean, float64[:, ::1], float64[:, ::1]))
def sweep_cones(rows, law, share, is_at_once, impulses, impulses_out):
    """With a share of the r-factors. Gauss-Seidel reads what it writes: `impulses` is `impulses_out` then."""
    largest = 0.0
    for contact in range(len(law.friction)):
        u = _velocity3(rows, law.given, contact, impulses)
        old = impulses[contact, 0], impulses[contact, 1], impulses[contact, 2]
        factor = share * law.factors[contact, 1]
        normal = max(old[0] - share * law.factors[contact, 0] * u[0], 0.0)
        s, t = old[1] - factor * u[1], old[2] - factor * u[2]
        limit = law.friction[contact] * (old[0] if is_at_once else normal)
        length = math.sqrt(s * s + t * t)
        if length > limit:
            s, t = s * limit / length, t * limit / length
        largest = max(largest, abs(normal - old[0]), abs(s - old[1]), abs(t - old[2]))
        impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2] = normal, s, t
    return largest


@compiled
def _velocity3(rows, given, contact, impulses):
    """u = W r + q of a contact."""
    n, s, t = given[contact, 0], given[contact, 1], given[contact, 2]
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        other, block = rows.columns[place], rows.blocks[place]
        a, b, c = impulses[other, 0], impulses[other, 1], impulses[other, 2]
        n += block[0] * a + block[1] * b + block[2] * c
        s += block[3] * a + block[4] * b + block[5] * c
        t += block[6] * a + block[7] * b + block[8] * c
    return n, s, t


@kernel((BLOCK_TYPES, ELLIPSOID_TYPES, float64, boolean, float64[:, ::1], float64[:, ::1]))
def sweep_ellipsoids(rows, law, share, is_at_once, impulses, impulses_out):
    largest = 0.0
    for contact in range(len(law.factors)):
        u = _velocity4(rows, law.given, contact, impulses)
        old = impulses[contact, 0]
        normal = max(old - share * law.factors[contact] * u[0], 0.0)
        limit = old if is_at_once else normal
        before = impulses[contact, 1], impulses[contact, 2], impulses[contact, 3]
        new = _friction(law, contact, share, (u[1], u[2], u[3]), before, limit)
        largest = max(largest, abs(normal - old))
        impulses_out[contact, 0] = normal
        for axis in range(3):
            largest = max(largest, abs(new[axis] - before[axis]))
            impulses_out[contact, 1 + axis] = new[axis]
    return largest


@compiled
def _friction(law, contact, share, u, old, limit):
    """T⁻¹ of the point nearest to T λ − share T⁻ᵀ u in the ellipsoid."""
    T, S = law.turns[contact], law.returns[contact]
    y = (
        T[0] * old[0] + T[1] * old[1] + T[2] * old[2] - share * (S[0] * u[0] + S[3] * u[1] + S[6] * u[2]),
        T[3] * old[0] + T[4] * old[1] + T[5] * old[2] - share * (S[1] * u[0] + S[4] * u[1] + S[7] * u[2]),
        T[6] * old[0] + T[7] * old[1] + T[8] * old[2] - share * (S[2] * u[0] + S[5] * u[1] + S[8] * u[2]),
    )
    a, b, c = limit * law.axes[contact, 0], limit * law.axes[contact, 1], limit * law.axes[contact, 2]
    x, y_, w = onto_ellipsoid(y, (a, b, c))
    return (
        S[0] * x + S[1] * y_ + S[2] * w,
        S[3] * x + S[4] * y_ + S[5] * w,
        S[6] * x + S[7] * y_ + S[8] * w,
    )


@compiled
def _velocity4(rows, given, contact, impulses):
    n, s, t, spin = given[contact, 0], given[contact, 1], given[contact, 2], given[contact, 3]
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        other, block = rows.columns[place], rows.blocks[place]
        a, b, c, d = impulses[other, 0], impulses[other, 1], impulses[other, 2], impulses[other, 3]
        n += block[0] * a + block[1] * b + block[2] * c + block[3] * d
        s += block[4] * a + block[5] * b + block[6] * c + block[7] * d
        t += block[8] * a + block[9] * b + block[10] * c + block[11] * d
        spin += block[12] * a + block[13] * b + block[14] * c + block[15] * d
    return n, s, t, spin
