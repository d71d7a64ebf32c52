"""Signs of determinants of points that are never wrong: in double precision where that is sure, in whole numbers else.

Doubles are whole numbers times powers of two. Those few determinants that rounding leaves in doubt are worked out anew
in whole numbers of any length [docs/theory/collision.md, equation (11)].
"""

import numpy as np

# What rounding may do to a determinant of differences, over the sum of the sizes of its terms: a little more than
# 7ε in three dimensions and 3ε in two, with ε = 2⁻⁵³ [Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic"].
VOLUME_ERROR = 8e-16
TURN_ERROR = 4e-16
UNDERFLOW = 1e-280  # below this, products have lost digits in another way
MANTISSA_BITS = 53


def volume_signs(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The sign of the volume of the tetrahedra abcd, −1, 0 or 1 (n,) int8; each corner is (n, 3).

    Zero means exactly in one plane; swapping two corners changes the sign.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is not above its error, and looked at again
        volumes, sizes = _volumes(a, b, c, d)
        signs = np.sign(volumes).astype(np.int8)
    is_across_axis = ((a == d) & (b == d) & (c == d)).any(axis=1)  # then zero is sure
    doubtful = np.flatnonzero(~is_across_axis & ~(np.abs(volumes) > VOLUME_ERROR * sizes + UNDERFLOW))
    if len(doubtful):
        exact, _ = _volumes(*_whole_numbers(a[doubtful], b[doubtful], c[doubtful], d[doubtful]))
        signs[doubtful] = _signs(exact)
    return signs


def turn_signs(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Whether the triangles abc in a plane turn left, 1, or right, −1, or not at all, 0 (n,) int8; each is (n, 2)."""
    with np.errstate(over="ignore", invalid="ignore"):
        areas, sizes = _areas(a, b, c)
        signs = np.sign(areas).astype(np.int8)
    is_across_axis = ((a == c) & (b == c)).any(axis=1)
    doubtful = np.flatnonzero(~is_across_axis & ~(np.abs(areas) > TURN_ERROR * sizes + UNDERFLOW))
    if len(doubtful):
        exact, _ = _areas(*_whole_numbers(a[doubtful], b[doubtful], c[doubtful]))
        signs[doubtful] = _signs(exact)
    return signs


def _volumes(a, b, c, d):
    """Determinants of a − d, b − d, c − d, and the sums of the sizes of their terms."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (a - d).T, (b - d).T, (c - d).T
    volumes = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    sizes = (
        abs(ax) * (abs(by * cz) + abs(bz * cy))
        + abs(ay) * (abs(bz * cx) + abs(bx * cz))
        + abs(az) * (abs(bx * cy) + abs(by * cx))
    )
    return volumes, sizes


def _areas(a, b, c):
    (ax, ay), (bx, by) = (a - c).T, (b - c).T
    return ax * by - ay * bx, abs(ax * by) + abs(ay * bx)


def _whole_numbers(*corners):
    """The same points, each row times a power of two that makes its coordinates whole, as numbers of any length."""
    values = np.stack(corners, axis=1)
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, MANTISSA_BITS).astype(np.int64)
    exponents = np.where(whole == 0, np.iinfo(exponents.dtype).max, exponents)
    lowest = exponents.min(axis=(1, 2), keepdims=True)
    shifts = np.where(whole == 0, 0, exponents - lowest)
    return np.moveaxis(whole.astype(object) << shifts.astype(object), 1, 0)


def _signs(whole_numbers):
    return (whole_numbers > 0).astype(np.int8) - (whole_numbers < 0).astype(np.int8)
