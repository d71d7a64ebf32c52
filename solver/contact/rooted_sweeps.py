"""One iteration of the PROX schemes where bodies are small: W = G Gᵀ, and z = Gᵀ r stands for their velocities.

[Erleben 2017, equations 25 and 26]; docs/theory/proximal.md, 9. A visit costs what the contact touches, however many
other contacts touch the same bodies.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, float64, int32

from ..jit_cache import compiled, kernel, tuple_of
from .proximal_visits import CONE_TYPES, ELLIPSOID_TYPES, MATRIX, largest_change, visit_cone, visit_ellipsoid


class RootRows(NamedTuple):
    offsets: np.ndarray  # first block of each contact, and the end           (m + 1,) int32
    columns: np.ndarray  # three of z each                                    (b,) int32
    blocks: np.ndarray  # entries of G, row by row                            (b, 3 w) [kg^(−1/2)]
    give: np.ndarray  # compliance of the contacts                            (m,) [1/kg]


class Motion(NamedTuple):
    """Gauss-Seidel reads what it writes: both of its motions are one."""

    impulses: np.ndarray  # r                                                 (m, w) [N s]
    moved: np.ndarray  # z = Gᵀ r                                             (c, 3)


ROOT_TYPES = tuple_of(RootRows, int32[::1], int32[::1], MATRIX, float64[::1])
MOTION_TYPES = tuple_of(Motion, MATRIX, MATRIX)


@kernel((ROOT_TYPES, CONE_TYPES, float64, boolean, MOTION_TYPES, MOTION_TYPES))
def sweep_rooted_cones(rows, law, share, is_at_once, motion, motion_out):
    largest = 0.0
    for contact in range(len(law.friction)):
        r = motion.impulses[contact]
        old = r[0], r[1], r[2]
        u = _velocity3(rows, law.given, contact, old, motion.moved)
        new = visit_cone(law, contact, share, is_at_once, u, old)
        largest = largest_change(largest, new, old)
        _push3(rows, contact, (new[0] - old[0], new[1] - old[1], new[2] - old[2]), motion_out.moved)
        for axis in range(3):
            motion_out.impulses[contact, axis] = new[axis]
    return largest


@kernel((ROOT_TYPES, ELLIPSOID_TYPES, float64, boolean, MOTION_TYPES, MOTION_TYPES))
def sweep_rooted_ellipsoids(rows, law, share, is_at_once, motion, motion_out):
    largest = 0.0
    for contact in range(len(law.factors)):
        r = motion.impulses[contact]
        old = r[0], r[1], r[2], r[3]
        u = _velocity4(rows, law.given, contact, old, motion.moved)
        new = visit_ellipsoid(law, contact, share, is_at_once, u, old)
        largest = largest_change(largest, new, old)
        change = new[0] - old[0], new[1] - old[1], new[2] - old[2], new[3] - old[3]
        _push4(rows, contact, change, motion_out.moved)
        for axis in range(4):
            motion_out.impulses[contact, axis] = new[axis]
    return largest


@compiled
def _velocity3(rows, given, contact, old, moved):
    """u = G z + q of a contact [equation 25]."""
    give = rows.give[contact]
    n, s = given[contact, 0] + give * old[0], given[contact, 1] + give * old[1]
    t = given[contact, 2] + give * old[2]
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        z, g = moved[rows.columns[place]], rows.blocks[place]
        a, b, c = z[0], z[1], z[2]
        n += g[0] * a + g[1] * b + g[2] * c
        s += g[3] * a + g[4] * b + g[5] * c
        t += g[6] * a + g[7] * b + g[8] * c
    return n, s, t


@compiled
def _push3(rows, contact, change, moved_out):
    """z += Gᵀ of a contact's change [equation 26]."""
    n, s, t = change
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        z, g = moved_out[rows.columns[place]], rows.blocks[place]
        z[0] += g[0] * n + g[3] * s + g[6] * t
        z[1] += g[1] * n + g[4] * s + g[7] * t
        z[2] += g[2] * n + g[5] * s + g[8] * t


@compiled
def _velocity4(rows, given, contact, old, moved):
    give = rows.give[contact]
    n, s = given[contact, 0] + give * old[0], given[contact, 1] + give * old[1]
    t, spin = given[contact, 2] + give * old[2], given[contact, 3] + give * old[3]
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        z, g = moved[rows.columns[place]], rows.blocks[place]
        a, b, c = z[0], z[1], z[2]
        n += g[0] * a + g[1] * b + g[2] * c
        s += g[3] * a + g[4] * b + g[5] * c
        t += g[6] * a + g[7] * b + g[8] * c
        spin += g[9] * a + g[10] * b + g[11] * c
    return n, s, t, spin


@compiled
def _push4(rows, contact, change, moved_out):
    n, s, t, spin = change
    for place in range(rows.offsets[contact], rows.offsets[contact + 1]):
        z, g = moved_out[rows.columns[place]], rows.blocks[place]
        z[0] += g[0] * n + g[3] * s + g[6] * t + g[9] * spin
        z[1] += g[1] * n + g[4] * s + g[7] * t + g[10] * spin
        z[2] += g[2] * n + g[5] * s + g[8] * t + g[11] * spin
