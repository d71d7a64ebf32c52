"""Products of dense tiles at machine speed: the inner loop of the sparse Cholesky.

A matrix is kept in panels of 12 rows; a panel is column after column, 12 numbers each, so that a tile of 12 rows and
4 columns is 48 consecutive numbers. 12 rows are 4 nodes of 3 unknowns, and 12 × 4 sums fill the registers
of a processor with 4-wide vectors: 12 accumulators, 3 vectors of the panel, 1 number of the other panel. Numbers of
single precision are all 12 in a vector, which LLVM cuts into as few as the processor has.
The kernels are written for LLVM's vectors, which become AVX2, AVX-512 or NEON. BLAS would need its own threads switched
off, for the bits to be the same on any machine load; this does not.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

PANEL_ROWS = 12
GROUP_COLUMNS = 4

# Numbers in a vector, by their precision.
_LANES = {types.float64: 4, types.float32: PANEL_ROWS}
_QUARTER = 4  # lanes that are added to each other first
_FUSED = ("contract",)  # a multiplication and an addition may become one instruction


@intrinsic
def subtract_product(typingctx, c, c_start, factor, a_start, b_start, depth) -> Any:
    """C -= A Bᵀ for a tile C (12 × 4) of array `c` and columns of two panels of array `factor`.

    A is the first 12 × depth numbers from `a_start`, B the 4 × depth in the rows from `b_start`.
    """

    def generate(context, builder, signature, arguments):
        code = _TileCode(context, builder, signature, arguments)
        tile, a, b = code.pointer(0, 1), code.pointer(2, 3), code.pointer(2, 4)
        code.store(code.accumulate(tile, a, b, arguments[5]), tile)
        return context.get_dummy_value()

    return types.void(c, types.int64, factor, types.int64, types.int64, types.int64), generate


@intrinsic
def subtract_product_and_solve(typingctx, c, c_start, factor, a_start, b_start, depth, triangle_start) -> Any:
    """C ← (C − A Bᵀ) T⁻ᵀ: as above, then a triangular solve with the 4 × 4 lower triangle T.

    T lies in a panel of `factor`; its diagonal holds reciprocals.
    """

    def generate(context, builder, signature, arguments):
        code = _TileCode(context, builder, signature, arguments)
        tile, a, b = code.pointer(0, 1), code.pointer(2, 3), code.pointer(2, 4)
        columns = code.accumulate(tile, a, b, arguments[5])
        code.store(code.solve(columns, code.pointer(2, 6)), tile)
        return context.get_dummy_value()

    return types.void(c, types.int64, factor, types.int64, types.int64, types.int64, types.int64), generate


@intrinsic
def subtract_panel_times_vector(typingctx, y, y_start, factor, a_start, x, x_start, depth) -> Any:
    """y -= A x for the 12 numbers of y and a panel A (12 × depth)."""

    def generate(context, builder, signature, arguments):
        code = _TileCode(context, builder, signature, arguments)
        target, a, x = code.pointer(0, 1), code.pointer(2, 3), code.pointer(4, 5)
        sums = [code.variable(vector) for vector in code.load_column(target)]
        with cgutils.for_range(builder, arguments[6]) as loop:
            column = builder.gep(a, [builder.mul(loop.index, _integer(PANEL_ROWS))])
            weight = code.broadcast(builder.load(builder.gep(x, [loop.index])))
            for item, vector in zip(sums, code.load_column(column), strict=True):
                code.subtract(item, vector, weight)
        code.store([builder.load(item) for item in sums], target)
        return context.get_dummy_value()

    return types.void(y, types.int64, factor, types.int64, x, types.int64, types.int64), generate


@intrinsic
def subtract_vector_times_panel(typingctx, y, y_start, factor, a_start, x, x_start, depth) -> Any:
    """y -= Aᵀ x for `depth` numbers of y, the 12 numbers of x and a panel A (12 × depth)."""

    def generate(context, builder, signature, arguments):
        code = _TileCode(context, builder, signature, arguments)
        y, a, weights = code.pointer(0, 1), code.pointer(2, 3), code.load_column(code.pointer(4, 5))
        with cgutils.for_range(builder, arguments[6]) as loop:
            vectors = code.load_column(builder.gep(a, [builder.mul(loop.index, _integer(PANEL_ROWS))]))
            total = builder.fmul(vectors[0], weights[0])
            for vector, weight in zip(vectors[1:], weights[1:], strict=True):
                total = builder.fadd(total, builder.fmul(vector, weight, flags=_FUSED), flags=_FUSED)
            target = builder.gep(y, [loop.index])
            builder.store(builder.fsub(builder.load(target), code.sum_of_lanes(total)), target)
        return context.get_dummy_value()

    return types.void(y, types.int64, factor, types.int64, x, types.int64, types.int64), generate


class _TileCode:
    """Makes the code for arrays of one precision."""

    def __init__(self, context, builder, signature, arguments):
        self.context, self.builder, self.signature, self.arguments = context, builder, signature, arguments
        number = signature.args[0].dtype
        self.lanes, self.bytes = _LANES[number], number.bitwidth // 8
        self.vector = ir.VectorType(context.get_data_type(number), self.lanes)
        self.vectors = PANEL_ROWS // self.lanes  # in a column of a panel

    def pointer(self, array, start):
        """Of the array and the start that are these arguments."""
        data = self.context.make_array(self.signature.args[array])(self.context, self.builder, self.arguments[array])
        return self.builder.gep(data.data, [self.arguments[start]])

    def accumulate(self, tile, a, b, depth):
        """The tile's vectors less those of A Bᵀ; meanwhile they are variables, which LLVM keeps in registers."""
        builder, column_starts = self.builder, range(0, PANEL_ROWS * GROUP_COLUMNS, PANEL_ROWS)
        columns = [self.load_column(builder.gep(tile, [_integer(start)])) for start in column_starts]
        sums = [[self.variable(vector) for vector in column] for column in columns]
        with cgutils.for_range(builder, depth) as loop:
            offset = builder.mul(loop.index, _integer(PANEL_ROWS))
            vectors, weights = self.load_column(builder.gep(a, [offset])), builder.gep(b, [offset])
            for group in range(GROUP_COLUMNS):
                weight = self.broadcast(builder.load(builder.gep(weights, [_integer(group)])))
                for item, vector in zip(sums[group], vectors, strict=True):
                    self.subtract(item, vector, weight)
        return [builder.load(item) for column in sums for item in column]

    def solve(self, columns, triangle):
        """X Tᵀ = C, column by column."""
        builder, count = self.builder, self.vectors
        for j in range(GROUP_COLUMNS):
            for vector in range(count):
                value = columns[j * count + vector]
                for p in range(j):
                    product = builder.fmul(columns[p * count + vector], self._entry(triangle, j, p), flags=_FUSED)
                    value = builder.fsub(value, product, flags=_FUSED)
                columns[j * count + vector] = builder.fmul(value, self._entry(triangle, j, j))
        return columns

    def _entry(self, panel, row, column):
        place = self.builder.gep(panel, [_integer(column * PANEL_ROWS + row)])
        return self.broadcast(self.builder.load(place))

    def subtract(self, variable, vector, weight):
        product = self.builder.fmul(vector, weight, flags=_FUSED)
        self.builder.store(self.builder.fsub(self.builder.load(variable), product, flags=_FUSED), variable)

    def sum_of_lanes(self, vector):
        """The first four lanes and all later ones are added to each other, then these four."""
        parts = [self._four_lanes(vector, start) for start in range(0, self.lanes, _QUARTER)]
        total = parts[0]
        for part in parts[1:]:
            total = self.builder.fadd(total, part)
        lanes = [self.builder.extract_element(total, ir.Constant(ir.IntType(32), lane)) for lane in range(_QUARTER)]
        return self.builder.fadd(self.builder.fadd(lanes[0], lanes[2]), self.builder.fadd(lanes[1], lanes[3]))

    def _four_lanes(self, vector, start):
        chosen = ir.Constant(ir.VectorType(ir.IntType(32), _QUARTER), list(range(start, start + _QUARTER)))
        return self.builder.shuffle_vector(vector, ir.Constant(self.vector, ir.Undefined), chosen)

    def broadcast(self, number):
        undefined, first = ir.Constant(self.vector, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.builder.shuffle_vector(self.builder.insert_element(undefined, number, first), undefined, lanes)

    def variable(self, value):
        return cgutils.alloca_once_value(self.builder, value)

    def load_column(self, pointer):
        """The 12 numbers of a column, as vectors."""
        return [self.builder.load(place, align=self.bytes) for place in self._places(pointer, self.vectors)]

    def store(self, vectors, pointer):
        for vector, place in zip(vectors, self._places(pointer, len(vectors)), strict=True):
            self.builder.store(vector, place, align=self.bytes)

    def _places(self, pointer, count):
        starts = (self.builder.gep(pointer, [_integer(index * self.lanes)]) for index in range(count))
        return [self.builder.bitcast(start, self.vector.as_pointer()) for start in starts]


def _integer(value):
    return ir.Constant(ir.IntType(64), value)
