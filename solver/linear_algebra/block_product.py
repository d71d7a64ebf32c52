"""Products of matrices of 3 × 3 blocks, as fast as memory brings the blocks."""

from llvmlite import ir
from numba import float64, int32, prange, types
from numba.extending import intrinsic

from ..jit_cache import compiled, kernel
from .lanes import VECTOR, everywhere, lanes_type

INDICES, NUMBERS = int32[::1], float64[::1]


@intrinsic
def load_from(typing, array, place):
    """Four neighbours that begin at any number of the array, counted one by one."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        number = builder.gep(builder.bitcast(data, ir.DoubleType().as_pointer()), [arguments[1]])
        return builder.load(builder.bitcast(number, VECTOR.as_pointer()), align=8)

    return lanes_type(array, types.intp), generate


@intrinsic
def sum_of_three(typing, value):
    """Of the first three of the four numbers."""

    def generate(context, builder, signature, arguments):
        a, b, c = (builder.extract_element(arguments[0], ir.IntType(32)(place)) for place in range(3))
        return builder.fadd(builder.fadd(a, b), c)

    return types.float64(value), generate


@kernel((INDICES, INDICES, float64[:, :, ::1], NUMBERS, NUMBERS), parallel=True)
def multiply_padded(offsets, columns, blocks, padded, product_out):
    """product = matrix × vector (3 n,), which lies in front of at least one more number.

    A row of a block is read with the number after it, which falls into a lane that nobody asks for. After the last
    block there is none, so the last row is left to plain numbers.
    """
    last = len(offsets) - 2
    for row in prange(last + 1):
        first, end = offsets[row], offsets[row + 1]
        if row == last:
            _multiply_last(columns, blocks, padded, first, end, product_out)
        else:
            x, y, z = everywhere(0.0), everywhere(0.0), everywhere(0.0)
            for place in range(first, end):
                v = load_from(padded, 3 * columns[place])
                x = x + load_from(blocks, 9 * place) * v
                y = y + load_from(blocks, 9 * place + 3) * v
                z = z + load_from(blocks, 9 * place + 6) * v
            product_out[3 * row] = sum_of_three(x)
            product_out[3 * row + 1] = sum_of_three(y)
            product_out[3 * row + 2] = sum_of_three(z)


@compiled
def _multiply_last(columns, blocks, vector, first, end, product_out):
    for axis in range(3):
        total = 0.0
        for place in range(first, end):
            column = 3 * columns[place]
            total += blocks[place, axis, 0] * vector[column] + blocks[place, axis, 1] * vector[column + 1]
            total += blocks[place, axis, 2] * vector[column + 2]
        product_out[len(product_out) - 3 + axis] = total
