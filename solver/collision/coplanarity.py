"""When four moving points can next lie in one plane, from below.

Two primitives that are ξ apart have corners within ξ of one plane. The volume f = n · w that the corners span, n being
the product of two of their edges, is a cubic in time, and |f| ≤ |n| ξ as soon as they are that near
[docs/theory/collision.md, equations (9) and (10)]. A cubic lies within the hull of its Bernstein coefficients, which
gives a time before which it has no root; near a simple root this closes in quadratically.
"""

import math

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, norm3, scale3, sub3

ROUNDING = 5e-15  # of the pair's size times the faces that its edges span: what its volume may be wrong by


@compiled
def spanned_volume(starts, ends, first_count):
    """Bernstein coefficients of the volume (4 numbers), the largest length that n can have, and the edges' faces."""
    u, v, w = _edges(starts, first_count)
    u_end, v_end, w_end = _edges(ends, first_count)
    first, last = cross3(u, v), cross3(u_end, v_end)
    middle = scale3(0.5, add3(cross3(u, v_end), cross3(u_end, v)))
    volume = (
        dot3(first, w),
        (dot3(first, w_end) + 2.0 * dot3(middle, w)) / 3.0,
        (2.0 * dot3(middle, w_end) + dot3(last, w)) / 3.0,
        dot3(last, w_end),
    )
    a, b, c = max(norm3(u), norm3(u_end)), max(norm3(v), norm3(v_end)), max(norm3(w), norm3(w_end))
    return volume, max(norm3(first), norm3(middle), norm3(last)), a * b + b * c + c * a


@compiled
def _edges(corners, first_count):
    """Two edges and an offset between the primitives."""
    if first_count == 1:
        return sub3(corners[2], corners[1]), sub3(corners[3], corners[1]), sub3(corners[0], corners[1])
    return sub3(corners[1], corners[0]), sub3(corners[3], corners[2]), sub3(corners[2], corners[0])


@compiled
def time_above(volume, limit, time):
    """A time up to which the volume, from a time on, stays above a limit in size; at least that time.

    Infinite if it does to the end: what is a billionth of its size apart has no direction that would tell so.
    """
    rest = _from_time(volume, time)
    sign = 1.0 if rest[0] >= 0.0 else -1.0
    earliest = math.inf
    for start in range(3):
        high = sign * rest[start] - limit
        for end in range(start + 1, 4):
            low = sign * rest[end] - limit
            if high > 0.0 and low <= 0.0:
                earliest = min(earliest, start + (end - start) * high / (high - low))
    if sign * rest[0] <= limit:
        return time
    return time + (1.0 - time) * earliest / 3.0 if earliest < math.inf else math.inf


@compiled
def _from_time(c, time):
    """Coefficients of the part of a cubic from a time to 1 (de Casteljau)."""
    a, b, d = _mix(c[0], c[1], time), _mix(c[1], c[2], time), _mix(c[2], c[3], time)
    e, f = _mix(a, b, time), _mix(b, d, time)
    return _mix(e, f, time), f, d, c[3]


@compiled
def _mix(start, end, time):
    return (1.0 - time) * start + time * end
