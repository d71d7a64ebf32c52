"""Primitives in the order of a space-filling curve: neighbours in space become neighbours in memory.

Space is halved again and again, always across the longest side that is left, so that cells are as good as cubes
whatever the shape of the scene: a row of characters is cut along the row first. The halves that a primitive's centre
lies in are the bits of its code, the first the highest.
"""

import numpy as np
from numba import float32, float64, int32, prange, uint32, uint64

from ..jit_cache import compiled, kernel

BITS = 32  # of a code: the curve has as many cells as fit beside a number into one key
DIGIT = 11  # bits that are looked up, or sorted, at a time
VALUES = 1 << DIGIT
PARTS = -(-BITS // DIGIT)
BLOCK = 4096  # primitives whose extent is found together
SMALLEST = 1e-30  # extent of a scene [m]


def morton_order(corners: np.ndarray, point_boxes: np.ndarray) -> np.ndarray:
    """The order (n,) int32 of primitives with corners (n, k) whose points have boxes (p, 6) float32.

    Those that are not numbers come first; equal places stay in their order.
    """
    low, extent = _extent(corners, point_boxes)
    halvings = np.array(_halved_axes(extent))
    cells = 2.0 ** np.bincount(halvings, minlength=3)
    keys, spare = np.empty(len(corners), np.uint64), np.empty(len(corners), np.uint64)
    put_keys(corners, point_boxes, low, cells / extent, cells - 1.0, _spread_bits(halvings), keys)
    order = np.empty(len(corners), np.int32)
    sort_keys(keys, spare, order)
    return order


def _extent(corners, point_boxes):
    """The lowest centre (3,), and how far the others reach beyond it (3,) [m]; both are doubled."""
    bounds = np.empty((-(-len(corners) // BLOCK), 6))
    put_extents(corners, point_boxes, bounds)
    low, high = bounds[:, :3].min(axis=0, initial=np.inf), bounds[:, 3:].max(axis=0, initial=-np.inf)
    is_sound = low <= high
    return np.where(is_sound, low, 0.0), np.where(is_sound, high - low, 0.0).clip(SMALLEST, None)


def _halved_axes(extent):
    """The axis that each of the bits belongs to, the highest first."""
    sides, halved = extent.copy(), []
    for _ in range(BITS):
        halved.append(int(np.argmax(sides)))
        sides[halved[-1]] *= 0.5
    return halved


def _spread_bits(halvings):
    """Where the bits of cell numbers go, (3, PARTS, VALUES) uint32: a digit of an axis, and what it is in the code."""
    tables = np.zeros((3, PARTS * DIGIT, VALUES), np.uint32)
    values = np.arange(VALUES)
    for axis in range(3):
        for bit, place in enumerate(np.flatnonzero(halvings[::-1] == axis)):
            tables[axis, bit] = (values >> bit % DIGIT & 1) << place
    return np.bitwise_or.reduce(tables.reshape(3, PARTS, DIGIT, VALUES), axis=2)


@compiled
def _center(corners, point_boxes, primitive, axis):
    """The mean of the corners' centres along an axis, doubled."""
    total = 0.0
    for corner in range(corners.shape[1]):
        point = corners[primitive, corner]
        total += float64(point_boxes[point, axis]) + float64(point_boxes[point, 3 + axis])
    return total / corners.shape[1]


@kernel((int32[:, ::1], float32[:, ::1], float64[:, ::1]), parallel=True)
def put_extents(corners, point_boxes, bounds_out):
    """Bounds of the centres, a block of primitives a row; those that are not finite do not count."""
    for block in prange(len(bounds_out)):
        for axis in range(3):
            low, high = np.inf, -np.inf
            for primitive in range(BLOCK * block, min(BLOCK * (block + 1), len(corners))):
                center = _center(corners, point_boxes, primitive, axis)
                if abs(center) < np.inf:
                    low, high = min(low, center), max(high, center)
            bounds_out[block, axis], bounds_out[block, 3 + axis] = low, high


@kernel(
    (int32[:, ::1], float32[:, ::1], float64[::1], float64[::1], float64[::1], uint32[:, :, ::1], uint64[::1]),
    parallel=True,
)
def put_keys(corners, point_boxes, low, scale, last_cells, spread, keys_out):
    """Places along the curve, and the numbers of the primitives below them."""
    for primitive in prange(len(corners)):
        code = uint64(0)
        for axis in range(3):
            cell = (_center(corners, point_boxes, primitive, axis) - low[axis]) * scale[axis]
            whole = uint64(min(max(cell, 0.0), last_cells[axis])) if cell == cell else uint64(0)
            for part in range(PARTS):
                code |= uint64(spread[axis, part, whole >> uint64(DIGIT * part) & uint64(VALUES - 1)])
        keys_out[primitive] = code << uint64(32) | uint64(primitive)


@kernel((uint64[::1], uint64[::1], int32[::1]))
def sort_keys(keys, spare, order_out):
    """Which primitive comes where: digit by digit, the lowest first, each pass keeping the order of the one before."""
    starts = np.zeros((PARTS, VALUES + 1), np.int64)
    for place in range(len(keys)):
        for digit in range(PARTS):
            starts[digit, _digit(keys[place], digit) + 1] += 1
    for digit in range(PARTS):
        for value in range(VALUES):
            starts[digit, value + 1] += starts[digit, value]
        for place in range(len(keys)):
            value = _digit(keys[place], digit)
            spare[starts[digit, value]] = keys[place]
            starts[digit, value] += 1
        keys, spare = spare, keys
    for place in range(len(keys)):
        order_out[place] = keys[place] & uint64(0xFFFFFFFF)


@compiled
def _digit(key, digit):
    return key >> uint64(32 + DIGIT * digit) & uint64(VALUES - 1)
