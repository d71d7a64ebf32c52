"""One box against the eight of a node in a few instructions, written for LLVM's vectors (AVX, AVX-512 or NEON)."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ..jit_cache import compiled

WIDTH = 8  # boxes of a node
NOWHERE = (np.float32(np.inf),) * 3 + (np.float32(-np.inf),) * 3  # overlaps nothing; its union with a box is the box
EVERYWHERE = (-np.finfo(np.float32).max,) * 3 + (np.finfo(np.float32).max,) * 3  # overlaps all boxes but NOWHERE

_VECTOR = ir.VectorType(ir.FloatType(), WIDTH)
_ALIGNED_LIKE_A_NUMBER = 4  # bytes
_LONG = ir.IntType(64)


@compiled
def box_of(boxes, node, child):
    """A box as a tuple: low x, y, z, then high x, y, z."""
    return (
        *(boxes[node, 0, child], boxes[node, 1, child], boxes[node, 2, child]),
        *(boxes[node, 3, child], boxes[node, 4, child], boxes[node, 5, child]),
    )


@compiled
def union_box(box, other):
    low = min(box[0], other[0]), min(box[1], other[1]), min(box[2], other[2])
    return *low, max(box[3], other[3]), max(box[4], other[4]), max(box[5], other[5])


@intrinsic
def overlap_mask(typingctx, boxes, node, query) -> Any:
    """A bit for each of the eight boxes of a node that overlaps a query box.

    `boxes` (nodes, 6, 8) float32; `query` is a tuple as `box_of` gives it.
    """

    def generate(context, builder, signature, arguments):
        boxes = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        first = builder.mul(arguments[1], _LONG(6 * WIDTH))
        overlaps = None
        for bound in range(6):
            place = builder.gep(boxes, [builder.add(first, _LONG(WIDTH * bound))])
            own = builder.load(builder.bitcast(place, _VECTOR.as_pointer()), align=_ALIGNED_LIKE_A_NUMBER)
            other = _broadcast(builder, builder.extract_value(arguments[2], (bound + 3) % 6))
            reaches = builder.fcmp_ordered("<=" if bound < 3 else ">=", own, other)
            overlaps = reaches if overlaps is None else builder.and_(overlaps, reaches)
        return builder.zext(builder.bitcast(overlaps, ir.IntType(WIDTH)), _LONG)

    return types.int64(boxes, types.int64, types.UniTuple(types.float32, 6)), generate


@intrinsic
def lowest_bit(typingctx, mask) -> Any:
    """The place of the lowest bit that is set; there must be one."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.int64), generate


def _broadcast(builder, value):
    vector = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(vector, vector, zeros)
