"""Products of dense tiles at machine speed: the inner loop of the sparse Cholesky.

A matrix is kept in panels of 12 rows; a panel is column after column, 12 numbers each, so that a tile of 12 rows and
4 columns is 48 consecutive numbers. 12 rows are 4 nodes of 3 unknowns, and 12 × 4 sums fill the registers
of a processor with 4-wide vectors: 12 accumulators, 3 vectors of the panel, 1 number of the other panel.
The kernels are written for LLVM's vectors, which become AVX2, AVX-512 or NEON. BLAS would need its own threads switched
off, for the bits to be the same on any machine load; this does not.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

PANEL_ROWS = 12
GROUP_COLUMNS = 4

_LANES = 4  # numbers in a vector
_VECTORS = PANEL_ROWS // _LANES  # in a column of a panel
_VECTOR = ir.VectorType(ir.DoubleType(), _LANES)
_ALIGNED_LIKE_A_NUMBER = 8  # bytes
_FUSED = ("contract",)  # a multiplication and an addition may become one instruction


@intrinsic
def subtract_product(typingctx, c, c_start, factor, a_start, b_start, depth) -> Any:
    """C -= A Bᵀ for a tile C (12 × 4) of array `c` and columns of two panels of array `factor`.

    A is the first 12 × depth numbers from `a_start`, B the 4 × depth in the rows from `b_start`.
    """

    def generate(context, builder, signature, arguments):
        tile, a, b = _pointers(context, builder, signature, arguments)
        sums = _accumulators(builder, tile)
        _accumulate(builder, sums, a, b, arguments[5])
        _store(builder, [builder.load(item) for item in sums], tile)
        return context.get_dummy_value()

    return types.void(c, types.int64, factor, types.int64, types.int64, types.int64), generate


@intrinsic
def subtract_product_and_solve(typingctx, c, c_start, factor, a_start, b_start, depth, triangle_start) -> Any:
    """C ← (C − A Bᵀ) T⁻ᵀ: as above, then a triangular solve with the 4 × 4 lower triangle T.

    T lies in a panel of `factor`; its diagonal holds reciprocals.
    """

    def generate(context, builder, signature, arguments):
        tile, a, b = _pointers(context, builder, signature, arguments)
        sums = _accumulators(builder, tile)
        _accumulate(builder, sums, a, b, arguments[5])
        triangle = builder.gep(_data(context, builder, signature.args[2], arguments[2]), [arguments[6]])
        _store(builder, _solve(builder, [builder.load(item) for item in sums], triangle), tile)
        return context.get_dummy_value()

    return types.void(c, types.int64, factor, types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def subtract_panel_times_vector(typingctx, y, y_start, factor, a_start, x, x_start, depth) -> Any:
    """y -= A x for the 12 numbers of y and a panel A (12 × depth)."""

    def generate(context, builder, signature, arguments):
        y, y_start, factor, a_start, x, x_start, depth = arguments
        target = builder.gep(_data(context, builder, signature.args[0], y), [y_start])
        a = builder.gep(_data(context, builder, signature.args[2], factor), [a_start])
        x = builder.gep(_data(context, builder, signature.args[4], x), [x_start])
        sums = [_variable(builder, _load(builder, target, lane)) for lane in range(0, PANEL_ROWS, _LANES)]
        with cgutils.for_range(builder, depth) as loop:
            column = builder.gep(a, [builder.mul(loop.index, _integer(PANEL_ROWS))])
            weight = _broadcast(builder, builder.load(builder.gep(x, [loop.index])))
            for vector, item in enumerate(sums):
                _subtract(builder, item, _load(builder, column, vector * _LANES), weight)
        _store(builder, [builder.load(item) for item in sums], target)
        return context.get_dummy_value()

    return types.void(y, types.int64, factor, types.int64, x, types.int64, types.int64), generate


@intrinsic
def subtract_vector_times_panel(typingctx, y, y_start, factor, a_start, x, x_start, depth) -> Any:
    """y -= Aᵀ x for `depth` numbers of y, the 12 numbers of x and a panel A (12 × depth)."""

    def generate(context, builder, signature, arguments):
        y, y_start, factor, a_start, x, x_start, depth = arguments
        y = builder.gep(_data(context, builder, signature.args[0], y), [y_start])
        a = builder.gep(_data(context, builder, signature.args[2], factor), [a_start])
        x = builder.gep(_data(context, builder, signature.args[4], x), [x_start])
        weights = [_load(builder, x, lane) for lane in range(0, PANEL_ROWS, _LANES)]
        with cgutils.for_range(builder, depth) as loop:
            column = builder.gep(a, [builder.mul(loop.index, _integer(PANEL_ROWS))])
            total = builder.fmul(_load(builder, column, 0), weights[0])
            for vector in range(1, _VECTORS):
                product = builder.fmul(_load(builder, column, vector * _LANES), weights[vector], flags=_FUSED)
                total = builder.fadd(total, product, flags=_FUSED)
            target = builder.gep(y, [loop.index])
            builder.store(builder.fsub(builder.load(target), _sum_of_lanes(builder, total)), target)
        return context.get_dummy_value()

    return types.void(y, types.int64, factor, types.int64, x, types.int64, types.int64), generate


def _pointers(context, builder, signature, arguments):
    factor = _data(context, builder, signature.args[2], arguments[2])
    tile = builder.gep(_data(context, builder, signature.args[0], arguments[0]), [arguments[1]])
    return tile, builder.gep(factor, [arguments[3]]), builder.gep(factor, [arguments[4]])


def _accumulators(builder, tile):
    """The tile's 12 vectors as variables, which LLVM keeps in registers."""
    return [_variable(builder, _load(builder, tile, start)) for start in range(0, PANEL_ROWS * GROUP_COLUMNS, _LANES)]


def _accumulate(builder, sums, a, b, depth):
    with cgutils.for_range(builder, depth) as loop:
        offset = builder.mul(loop.index, _integer(PANEL_ROWS))
        column, weights = builder.gep(a, [offset]), builder.gep(b, [offset])
        vectors = [_load(builder, column, lane) for lane in range(0, PANEL_ROWS, _LANES)]
        for group in range(GROUP_COLUMNS):
            weight = _broadcast(builder, builder.load(builder.gep(weights, [_integer(group)])))
            for vector in range(_VECTORS):
                _subtract(builder, sums[group * _VECTORS + vector], vectors[vector], weight)


def _solve(builder, columns, triangle):
    """X Tᵀ = C, column by column; each of the 4 columns is 3 vectors."""
    for j in range(GROUP_COLUMNS):
        for vector in range(_VECTORS):
            value = columns[j * _VECTORS + vector]
            for p in range(j):
                product = builder.fmul(columns[p * _VECTORS + vector], _entry(builder, triangle, j, p), flags=_FUSED)
                value = builder.fsub(value, product, flags=_FUSED)
            columns[j * _VECTORS + vector] = builder.fmul(value, _entry(builder, triangle, j, j))
    return columns


def _entry(builder, panel, row, column):
    return _broadcast(builder, builder.load(builder.gep(panel, [_integer(column * PANEL_ROWS + row)])))


def _subtract(builder, variable, vector, weight):
    product = builder.fmul(vector, weight, flags=_FUSED)
    builder.store(builder.fsub(builder.load(variable), product, flags=_FUSED), variable)


def _sum_of_lanes(builder, vector):
    lanes = [builder.extract_element(vector, ir.Constant(ir.IntType(32), lane)) for lane in range(_LANES)]
    return builder.fadd(builder.fadd(lanes[0], lanes[2]), builder.fadd(lanes[1], lanes[3]))


def _broadcast(builder, number):
    first = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), _LANES), [0] * _LANES)
    return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), lanes)


def _variable(builder, value):
    return cgutils.alloca_once_value(builder, value)


def _load(builder, pointer, start):
    place = builder.bitcast(builder.gep(pointer, [_integer(start)]), _VECTOR.as_pointer())
    return builder.load(place, align=_ALIGNED_LIKE_A_NUMBER)


def _store(builder, vectors, pointer):
    for index, vector in enumerate(vectors):
        place = builder.bitcast(builder.gep(pointer, [_integer(index * _LANES)]), _VECTOR.as_pointer())
        builder.store(vector, place, align=_ALIGNED_LIKE_A_NUMBER)


def _data(context, builder, array_type, array):
    return context.make_array(array_type)(context, builder, array).data


def _integer(value):
    return ir.Constant(ir.IntType(64), value)
