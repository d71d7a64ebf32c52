"""One box, or eight, against the eight of a node in a few instructions: LLVM's vectors (AVX, AVX-512 or NEON)."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ..jit_cache import compiled

WIDTH = 8  # boxes of a node
NOWHERE = (np.float32(np.inf),) * 3 + (np.float32(-np.inf),) * 3  # overlaps nothing; its union with a box is the box

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
        place = _first_bound(context, builder, signature.args[0], arguments[0], arguments[1])
        query = [builder.extract_value(arguments[2], bound) for bound in range(6)]
        return _overlaps(builder, _vectors(builder, place), query)

    return types.int64(boxes, types.int64, types.UniTuple(types.float32, 6)), generate


@intrinsic
def pair_mask(typingctx, boxes, node, other_boxes, other_node) -> Any:
    """A bit for each pair of the boxes of two nodes that overlaps: 8 i + j for the first's i and the second's j.

    Both are (nodes, 6, 8) float32. Most pairs of nodes have none, which one number that is zero says at once.
    """

    def generate(context, builder, signature, arguments):
        own = _first_bound(context, builder, signature.args[0], arguments[0], arguments[1])
        others = _vectors(builder, _first_bound(context, builder, signature.args[2], arguments[2], arguments[3]))
        mask = _LONG(0)
        for child in range(WIDTH):
            query = [builder.load(builder.gep(own, [_LONG(WIDTH * bound + child)])) for bound in range(6)]
            mask = builder.or_(mask, builder.shl(_overlaps(builder, others, query), _LONG(WIDTH * child)))
        return mask

    return types.int64(boxes, types.int64, other_boxes, types.int64), generate


@intrinsic
def lowest_bit(typingctx, mask) -> Any:
    """The place of the lowest bit that is set; there must be one."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.int64), generate


def _first_bound(context, builder, array_type, array, node):
    """Where the boxes of a node begin."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [builder.mul(node, _LONG(6 * WIDTH))])


def _vectors(builder, place):
    """The six bounds of eight boxes."""
    places = [builder.gep(place, [_LONG(WIDTH * bound)]) for bound in range(6)]
    pointers = [builder.bitcast(bound, _VECTOR.as_pointer()) for bound in places]
    return [builder.load(pointer, align=_ALIGNED_LIKE_A_NUMBER) for pointer in pointers]


def _overlaps(builder, vectors, query):
    """A bit for each of eight boxes that overlaps one."""
    overlaps = None
    for bound in range(6):
        other = _broadcast(builder, query[(bound + 3) % 6])
        reaches = builder.fcmp_ordered("<=" if bound < 3 else ">=", vectors[bound], other)
        overlaps = reaches if overlaps is None else builder.and_(overlaps, reaches)
    return builder.zext(builder.bitcast(overlaps, ir.IntType(WIDTH)), _LONG)


def _broadcast(builder, value):
    vector = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), value, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(vector, vector, zeros)
