"""Primitives in the order of a space-filling curve: neighbours in space become neighbours in memory."""

import numpy as np
from numba import float32, float64, int32, int64, prange, uint32

from ..jit_cache import compiled, kernel

BITS = 10  # an axis: cells of a thousandth of the scene are fine enough to put eight and eight together
DIGIT = 10  # bits that are sorted at a time
VALUES = 1 << DIGIT
SMALLEST = 1e-30  # extent of a scene [m]
PASSES = 3 * BITS // DIGIT


def morton_order(corners: np.ndarray, point_boxes: np.ndarray) -> np.ndarray:
    """The order (n,) int32 of primitives with corners (n, k) whose points have boxes (p, 6) float32.

    Those that are not numbers come first; equal places stay in their order.
    """
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    put_extent(point_boxes, low, high)
    extent = max(float((high - low).max()), SMALLEST)
    codes = np.empty(len(corners), np.uint32)
    put_codes(corners, point_boxes, low, (1 << BITS) / extent, codes)
    order, spare = np.empty(len(codes), np.int32), np.empty(len(codes), np.int32)
    sort_codes(codes, spare, order)
    return order


@compiled
def _spread(value):
    """Two zero bits after each bit."""
    value = (value | value << 16) & 0x30000FF
    value = (value | value << 8) & 0x300F00F
    value = (value | value << 4) & 0x30C30C3
    return (value | value << 2) & 0x9249249


@kernel((float32[:, ::1], float64[::1], float64[::1]))
def put_extent(point_boxes, low_out, high_out):
    """Bounds of the boxes' centres, doubled; boxes that are not finite do not count."""
    for point in range(len(point_boxes)):
        for axis in range(3):
            center = float64(point_boxes[point, axis]) + float64(point_boxes[point, 3 + axis])
            if abs(center) < np.inf:
                low_out[axis] = min(low_out[axis], center)
                high_out[axis] = max(high_out[axis], center)


@kernel((int32[:, ::1], float32[:, ::1], float64[::1], float64, uint32[::1]), parallel=True)
def put_codes(corners, point_boxes, low, scale, codes_out):
    """Places along the curve, of the means of the corners' boxes."""
    for primitive in prange(len(corners)):
        code = int64(0)
        for axis in range(3):
            center = 0.0
            for corner in range(corners.shape[1]):
                point = corners[primitive, corner]
                center += float64(point_boxes[point, axis]) + float64(point_boxes[point, 3 + axis])
            cell = (center / corners.shape[1] - low[axis]) * scale
            whole = int64(min(max(cell, 0.0), (1 << BITS) - 1.0)) if cell == cell else 0
            code |= _spread(whole) << axis
        codes_out[primitive] = code


@kernel((uint32[::1], int32[::1], int32[::1]))
def sort_codes(codes, spare, order_out):
    """Which primitive comes where: digit by digit, the lowest first, each pass keeping the order of the one before."""
    count = len(codes)
    for primitive in range(count):
        order_out[primitive] = primitive
    starts = np.empty(VALUES + 1, np.int64)
    for digit in range(PASSES):
        shift = digit * DIGIT
        starts[:] = 0
        for primitive in range(count):
            starts[(codes[primitive] >> shift & (VALUES - 1)) + 1] += 1
        for value in range(VALUES):
            starts[value + 1] += starts[value]
        for place in range(count):
            primitive = order_out[place]
            value = codes[primitive] >> shift & (VALUES - 1)
            spare[starts[value]] = primitive
            starts[value] += 1
        for place in range(count):
            order_out[place] = spare[place]
