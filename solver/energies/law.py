"""What every energy law offers to the integrator, and what the laws share."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol

import numba
import numpy as np

from ..jit_cache import compiled, tuple_of

# Types of rows: one index list, number, vector, matrix or element Hessian an element.
INDEX_ROWS = numba.types.int32[:, ::1]
NUMBERS = numba.types.float64[::1]
VECTORS = numba.types.float64[:, ::1]
MATRICES = numba.types.float64[:, :, ::1]
HESSIANS = numba.types.float64[:, :, :, :, ::1]


class Law(Protocol):
    """A sum of energies, each of a few nodes. Every out row is overwritten; constants of an element never change."""

    is_of_sheets: ClassVar[bool]

    @property
    def nodes(self) -> np.ndarray: ...  # (e, k) int32

    def moved(self, first: int) -> "Law":
        """The same law where its node 0 has the number `first`."""

    def energies(self, positions: np.ndarray, energies_out: np.ndarray) -> None:
        """Energy of each element (e,) [J] at positions (n, 3) [m]."""

    def derivatives(self, positions: np.ndarray, gradients_out: np.ndarray, hessians_out: np.ndarray) -> None:
        """Gradients (e, k, 3) [N] and positive semi-definite Hessians (e, k, k, 3, 3) [N/m]."""


class ElementLaw:
    """A law whose elements know nothing of each other: two kernels over rows of constants."""

    node_count: ClassVar[int]
    is_of_sheets: ClassVar[bool] = False  # whether its elements are small pieces of cloth, or hold points of it
    energies_kernel: ClassVar[Callable]
    derivatives_kernel: ClassVar[Callable]

    def __init__(self, elements: NamedTuple):
        self.elements: Any = elements  # a tuple of its own for each law

    @property
    def nodes(self) -> np.ndarray:
        return self.elements[0]

    def moved(self, first):
        return type(self)(self.elements._replace(nodes=self.nodes + np.int32(first)))

    def energies(self, positions, energies_out):
        type(self).energies_kernel(self.elements, positions, energies_out)

    def derivatives(self, positions, gradients_out, hessians_out):
        type(self).derivatives_kernel(self.elements, positions, gradients_out, hessians_out)


def energies_signature(elements_class, *field_types):
    """Of a kernel (elements, positions, energies_out)."""
    return tuple_of(elements_class, *field_types), VECTORS, NUMBERS


def derivatives_signature(elements_class, *field_types):
    """Of a kernel (elements, positions, gradients_out, hessians_out)."""
    return tuple_of(elements_class, *field_types), VECTORS, MATRICES, HESSIANS


def element_rows(nodes, node_count) -> np.ndarray:
    """Nodes as own (e, k) rows, also where there are no elements."""
    return np.array(nodes, np.int32, order="C").reshape(-1, node_count)


def per_element(value, count) -> np.ndarray:
    """One number for all elements, or one for each, as (e,)."""
    return np.array(np.broadcast_to(np.asarray(value, float), (count,)))  # a copy: kernels refuse read-only views


@compiled
def put_vector(rows_out, row, vector):
    rows_out[row, 0], rows_out[row, 1], rows_out[row, 2] = vector


@compiled
def put_block(hessian_out, i, j, block):
    """Write the 3 × 3 block of nodes i and j of a symmetric element Hessian (k, k, 3, 3), and its mirror image."""
    for row in range(3):
        for column in range(3):
            hessian_out[i, j, row, column] = block[row][column]
            hessian_out[j, i, column, row] = block[row][column]
