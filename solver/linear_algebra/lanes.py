"""Four float64 in one vector register, as a number type of compiled code.

A loop over four neighbours becomes a vector instruction only where LLVM's heuristics agree; with a type of its own
it always does. Positions count in fours: position p is array[4 p : 4 p + 4]. No bounds are checked.
"""

import operator

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_builtin, register_model, type_callable

LANES = 4
CACHE_LINE = 64  # bytes; a register's worth of an aligned array never straddles two lines

FUSED = ("contract",)  # lets a + b c round once; the only liberty taken, and the same in every run
VECTOR = ir.VectorType(ir.DoubleType(), LANES)
ZERO = ir.Constant(VECTOR, None)


class LanesType(types.Type):
    def __init__(self):
        super().__init__("Lanes")


lanes_type = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, numba_type):
        super().__init__(manager, numba_type, VECTOR)


def aligned_zeros(size: int) -> np.ndarray:
    """(size,) zeros that start at a cache line."""
    padded = np.zeros(size + CACHE_LINE // 8)
    start = -(padded.ctypes.data // 8) % (CACHE_LINE // 8)
    return padded[start : start + size]


def _define(operation, instruction):
    @type_callable(operation)
    def type_operation(context):
        return lambda a, b: lanes_type if (a, b) == (lanes_type, lanes_type) else None

    @lower_builtin(operation, LanesType, LanesType)
    def lower_operation(context, builder, signature, operands):
        return getattr(builder, instruction)(*operands, flags=FUSED)


_define(operator.add, "fadd")
_define(operator.sub, "fsub")
_define(operator.mul, "fmul")


@intrinsic
def load(typing, array, position):
    def generate(context, builder, signature, arguments):
        return builder.load(vector_pointer(context, builder, signature.args[0], *arguments), align=8)

    return lanes_type(array, types.intp), generate


@intrinsic
def store(typing, array, position, value):
    def generate(context, builder, signature, arguments):
        pointer = vector_pointer(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes_type), generate


@intrinsic
def everywhere(typing, number):
    """The same number in each lane."""

    def generate(context, builder, signature, arguments):
        empty, first = ir.Constant(VECTOR, ir.Undefined), ir.IntType(32)(0)
        single = builder.insert_element(empty, arguments[0], first)
        return builder.shuffle_vector(single, empty, ir.Constant(ir.VectorType(ir.IntType(32), LANES), None))

    return lanes_type(types.float64), generate


@intrinsic
def smaller(typing, a, b):
    """The smaller of two numbers in each lane."""

    def generate(context, builder, signature, arguments):
        a, b = arguments
        return builder.select(builder.fcmp_ordered("<", a, b), a, b)

    return lanes_type(a, b), generate


def vector_pointer(context, builder, array_type, array, position):
    """Where a position of an array lies in memory."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(builder.bitcast(data, VECTOR.as_pointer()), [position])


def repeated(number):
    return ir.Constant(VECTOR, [number] * LANES)
