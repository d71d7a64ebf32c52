"""Columns of banded symmetric matrices, four strands at once.

A column is its diagonal entry and the BAND entries below it. Loops over them are unrolled while the code is
generated: only then can entries that are used again stay in registers.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ..jit_cache import compiled
from .lanes import FUSED, VECTOR, ZERO, lanes_type, load, repeated, store, vector_pointer

BAND = 10  # entries of a column below its diagonal: the half-bandwidth of a strand
COLUMN = BAND + 1
SMALLEST_PIVOT, LARGEST_PIVOT = np.finfo(float).tiny, np.finfo(float).max  # neither denormal nor infinite

entries_type = types.UniTuple(lanes_type, BAND)


@intrinsic
def no_entries(typing):
    def generate(context, builder, signature, arguments):
        return context.make_tuple(builder, entries_type, [ZERO] * BAND)

    return entries_type(), generate


@intrinsic
def entries_below(typing, matrix, column):
    """The entries below the diagonal of the column that starts at a position."""

    def generate(context, builder, signature, arguments):
        pointer = vector_pointer(context, builder, signature.args[0], *arguments)
        return context.make_tuple(builder, entries_type, [_load(builder, pointer, band) for band in range(1, COLUMN)])

    return entries_type(matrix, types.intp), generate


@intrinsic
def pass_on(typing, sums, entries, value):
    """Sums for the next BAND rows, one row on, with entries × value added."""

    def generate(context, builder, signature, arguments):
        sums, entries = (cgutils.unpack_tuple(builder, each) for each in arguments[:2])
        moved = [_plus(builder, a, b, arguments[2]) for a, b in zip([*sums[1:], ZERO], entries)]
        return context.make_tuple(builder, entries_type, moved)

    return entries_type(entries_type, entries_type, lanes_type), generate


@intrinsic
def put_first(typing, value, values):
    """The last BAND values with a new one in front."""

    def generate(context, builder, signature, arguments):
        values = cgutils.unpack_tuple(builder, arguments[1])
        return context.make_tuple(builder, entries_type, [arguments[0], *values[:-1]])

    return entries_type(lanes_type, entries_type), generate


@intrinsic
def plus_dot(typing, start, entries, values):
    """start + entries · values."""
    return _dot(_plus)


@intrinsic
def minus_dot(typing, start, entries, values):
    """start − entries · values."""
    return _dot(_minus)


def _dot(accumulate):
    def generate(context, builder, signature, arguments):
        total = arguments[0]
        entries, values = (cgutils.unpack_tuple(builder, each) for each in arguments[1:])
        # The first value was computed last: the sum ends with it, so that nothing waits.
        for entry, value in zip(reversed(entries), reversed(values)):
            total = accumulate(builder, total, entry, value)
        return total

    return lanes_type(lanes_type, entries_type, entries_type), generate


@intrinsic
def inverse_root(typing, pivot):
    """1 / √pivot; 0 where the pivot is not a positive number."""

    def generate(context, builder, signature, arguments):
        return _inverse_root(builder, arguments[0])

    return lanes_type(pivot), generate


@compiled
def factorize_early_column(matrix, column, earlier_count, factor_out):
    """Like `factorize_column`, for a column with fewer than BAND columns before it."""
    scale = inverse_root(_less_earlier(matrix, column, 0, earlier_count, factor_out))
    store(factor_out, column, scale)
    for band in range(1, COLUMN):
        entry = _less_earlier(matrix, column, band, min(earlier_count, BAND - band), factor_out)
        store(factor_out, column + band, entry * scale)
    return scale


@compiled
def _less_earlier(matrix, column, band, earlier_count, factor):
    entry = load(matrix, column + band)
    for back in range(earlier_count, 0, -1):
        entry = entry - load(factor, column + band - BAND * back) * load(factor, column - BAND * back)
    return entry


@intrinsic
def factorize_column(typing, matrix, column, factor_out):
    """A column of L from that of A = L Lᵀ and the BAND columns of L before it; returns 1 / its diagonal entry.

    L_ij = (A_ij − Σ_k L_ik L_jk) / L_jj, where k = j − back: the entry of that column in row i = j + band lies
    at column − COLUMN back + (band + back) = column + band − BAND back. The diagonal of L is stored inverted.
    """

    def generate(context, builder, signature, arguments):
        matrix_type, _, factor_type = signature.args
        source = vector_pointer(context, builder, matrix_type, arguments[0], arguments[1])
        target = vector_pointer(context, builder, factor_type, arguments[2], arguments[1])
        pivot_row = {back: _load(builder, target, -BAND * back) for back in range(1, COLUMN)}
        for band in range(COLUMN):
            entry = _load(builder, source, band)
            # The column just before was computed last: the sum ends with it, so that nothing waits.
            for back in range(BAND - band, 0, -1):
                entry = _minus(builder, entry, _load(builder, target, band - BAND * back), pivot_row[back])
            if band == 0:
                result = scale = _inverse_root(builder, entry)
            else:
                result = builder.fmul(entry, scale)
            builder.store(result, _at(builder, target, band), align=8)
        return scale

    return lanes_type(matrix, types.intp, factor_out), generate


def _inverse_root(builder, pivot):
    root_type = ir.FunctionType(VECTOR, [VECTOR])
    root = cgutils.get_or_insert_function(builder.module, root_type, "llvm.sqrt.v4f64")
    inverse = builder.fdiv(repeated(1.0), builder.call(root, [pivot]))
    is_positive = builder.and_(
        builder.fcmp_ordered(">=", pivot, repeated(SMALLEST_PIVOT)),
        builder.fcmp_ordered("<=", pivot, repeated(LARGEST_PIVOT)),
    )
    return builder.select(is_positive, inverse, ZERO)


def _plus(builder, start, a, b):
    return builder.fadd(start, builder.fmul(a, b, flags=FUSED), flags=FUSED)


def _minus(builder, start, a, b):
    return builder.fsub(start, builder.fmul(a, b, flags=FUSED), flags=FUSED)


def _load(builder, pointer, distance):
    return builder.load(_at(builder, pointer, distance), align=8)


def _at(builder, pointer, distance):
    return builder.gep(pointer, [ir.Constant(ir.IntType(64), distance)])
