"""Segments and triangles that plain arithmetic parts beyond doubt, one pair at a time.

Most pairs whose boxes meet are far from meeting. A determinant that exceeds its rounding error has the sign that it
shows, so that exact signs are needed only for those few pairs that nothing here parts.
"""

from ..jit_cache import compiled, inlined
from .exact_signs import TURN_ERROR, UNDERFLOW, VOLUME_ERROR


@compiled
def are_surely_parted(p, q, a, b, c):
    """Whether the segment pq and the triangle abc certainly have no common point; False means that it is in doubt."""
    p_side, q_side = sure_volume_sign(a, b, c, p), sure_volume_sign(a, b, c, q)
    if p_side * q_side > 0:
        return True
    ab, bc, ca = sure_volume_sign(p, q, a, b), sure_volume_sign(p, q, b, c), sure_volume_sign(p, q, c, a)
    if min(ab, bc, ca) < 0 < max(ab, bc, ca):
        return True  # the line passes beside the triangle
    return (
        _are_parted_in_view(_along_x(p), _along_x(q), _along_x(a), _along_x(b), _along_x(c))
        or _are_parted_in_view(_along_y(p), _along_y(q), _along_y(a), _along_y(b), _along_y(c))
        or _are_parted_in_view(_along_z(p), _along_z(q), _along_z(a), _along_z(b), _along_z(c))
    )


@inlined
def sure_volume_sign(a, b, c, d):
    """The sign of the volume of the tetrahedron abcd, or 0 if rounding leaves it in doubt."""
    ax, ay, az = a[0] - d[0], a[1] - d[1], a[2] - d[2]
    bx, by, bz = b[0] - d[0], b[1] - d[1], b[2] - d[2]
    cx, cy, cz = c[0] - d[0], c[1] - d[1], c[2] - d[2]
    volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    size = (
        abs(ax) * (abs(by * cz) + abs(bz * cy))
        + abs(ay) * (abs(bz * cx) + abs(bx * cz))
        + abs(az) * (abs(bx * cy) + abs(by * cx))
    )
    return _sign_above(volume, VOLUME_ERROR * size + UNDERFLOW)


@inlined
def sure_turn_sign(a, b, c):
    """Whether abc in a plane turns left, 1, or right, −1, or 0 if rounding leaves it in doubt."""
    ax, ay, bx, by = a[0] - c[0], a[1] - c[1], b[0] - c[0], b[1] - c[1]
    return _sign_above(ax * by - ay * bx, TURN_ERROR * (abs(ax * by) + abs(ay * bx)) + UNDERFLOW)


@inlined
def _sign_above(value, error):
    if value > error:
        return 1
    return -1 if value < -error else 0


@inlined
def _along_x(point):
    return point[1], point[2]


@inlined
def _along_y(point):
    return point[2], point[0]


@inlined
def _along_z(point):
    return point[0], point[1]


@compiled
def _are_parted_in_view(p, q, a, b, c):
    """What is apart as seen along an axis is apart: beside the line pq, or beyond a side of the triangle."""
    of_a, of_b, of_c = sure_turn_sign(p, q, a), sure_turn_sign(p, q, b), sure_turn_sign(p, q, c)
    if of_a != 0 and of_a == of_b and of_a == of_c:
        return True
    beyond = -sure_turn_sign(a, b, c)
    return beyond != 0 and (
        (sure_turn_sign(a, b, p) == beyond and sure_turn_sign(a, b, q) == beyond)
        or (sure_turn_sign(b, c, p) == beyond and sure_turn_sign(b, c, q) == beyond)
        or (sure_turn_sign(c, a, p) == beyond and sure_turn_sign(c, a, q) == beyond)
    )
