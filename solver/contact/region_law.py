"""The law of friction at one contact of a region, a cone or a pyramid (docs/theory/regions.md, 2 and 4)."""

import math
from typing import NamedTuple

import numpy as np
from numba import float64

from ..jit_cache import compiled, tuple_of
from .region_answers import MATRIX, answer, follow


class RegionLaw(NamedTuple):
    given: np.ndarray  # q                                                        (m, 3) [m/s]
    friction: np.ndarray  # μ                                                     (m,)
    own: np.ndarray  # diagonal of a contact's block, then 1n, 2n, 21              (m, 6) [1/kg]


LAW_TYPES = tuple_of(RegionLaw, MATRIX, float64[::1], MATRIX)


@compiled
def limited(s, t, limit, is_pyramid):
    """Friction within its limit: equation 7 for a cone, each tangent by itself for a pyramid."""
    if is_pyramid:
        return min(max(s, -limit), limit), min(max(t, -limit), limit)
    length = math.sqrt(s * s + t * t)
    share = limit / length if length > limit else 1.0
    return share * s, share * t


@compiled
def projected(rows, law, contact, is_pyramid, impulses):
    """−u without what the law holds: equation 19, as a velocity."""
    n, s, t = answer(rows, contact, impulses)
    n, s, t = -n - law.given[contact, 0], -s - law.given[contact, 1], -t - law.given[contact, 2]
    normal, limit = impulses[contact, 0], law.friction[contact] * impulses[contact, 0]
    if not normal > 0.0:
        return max(n, 0.0), 0.0, 0.0
    p, q = impulses[contact, 1], impulses[contact, 2]
    if is_pyramid:
        return n, _held(s, p, limit), _held(t, q, limit)
    length = math.sqrt(p * p + q * q)
    if length < (1.0 - 1e-14) * limit:
        return n, s, t
    if not length > 0.0:
        return n, 0.0, 0.0
    outward = max((s * p + t * q) / length, 0.0)
    return n, s - outward * p / length, t - outward * q / length


@compiled
def _held(rest, impulse, limit):
    is_held = (impulse >= limit and rest > 0.0) or (impulse <= -limit and rest < 0.0)
    return 0.0 if is_held else rest


@compiled
def visit(rows, law, contact, is_pyramid, impulses_out):
    """Normal, then tangents, each from the velocities that those before it left."""
    n, s, t = answer(rows, contact, impulses_out)
    n, s, t = n + law.given[contact, 0], s + law.given[contact, 1], t + law.given[contact, 2]
    own = law.own[contact]
    old, p, q = impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2]
    normal = max(old - n / own[0], 0.0)
    s, t = s + own[3] * (normal - old), t + own[4] * (normal - old)
    limit = law.friction[contact] * normal
    if is_pyramid:
        first = min(max(p - s / own[1], -limit), limit)
        second = min(max(q - (t + own[5] * (first - p)) / own[2], -limit), limit)
    else:
        # One factor for both, or friction would not point against the sliding.
        factor = 1.0 / max(own[1], own[2])
        first, second = limited(p - factor * s, q - factor * t, limit, False)
    impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2] = normal, first, second
    follow(rows, contact, (normal - old, first - p, second - q))
