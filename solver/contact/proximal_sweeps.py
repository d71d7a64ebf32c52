"""One iteration of the PROX schemes over a Delassus operator: contacts in turn (Gauss-Seidel) or at once (Jacobi).

[Erleben 2017, algorithms 1 and 2]; docs/theory/proximal.md, 2.
"""

from numba import boolean, float64

from ..jit_cache import compiled, kernel
from .block_rows import BLOCK_TYPES
from .proximal_visits import CONE_TYPES, ELLIPSOID_TYPES, largest_change, visit_cone, visit_ellipsoid


@kernel((BLOCK_TYPES, CONE_TYPES, float64, boolean, float64[:, ::1], float64[:, ::1]))
def sweep_cones(rows, law, share, is_at_once, impulses, impulses_out):
    """With a share of the r-factors. Gauss-Seidel reads what it writes: `impulses` is `impulses_out` then."""
    largest = 0.0
    for contact in range(len(law.friction)):
        u = _velocity3(rows, law.given, contact, impulses)
        old = impulses[contact, 0], impulses[contact, 1], impulses[contact, 2]
        new = visit_cone(law, contact, share, is_at_once, u, old)
        largest = largest_change(largest, new, old)
        impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2] = new
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
        old = impulses[contact, 0], impulses[contact, 1], impulses[contact, 2], impulses[contact, 3]
        new = visit_ellipsoid(law, contact, share, is_at_once, u, old)
        largest = largest_change(largest, new, old)
        for axis in range(4):
            impulses_out[contact, axis] = new[axis]
    return largest


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
