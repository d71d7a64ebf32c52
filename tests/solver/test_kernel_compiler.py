"""Helpers stay drafts until a kernel is made of them, and nobody else notices."""

import math
import sys

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys

from stiction.solver.jit_cache import compiled, compiled_with_arrays, inlined
from stiction.solver.kernel_compiler import KernelCompiler

kernel = numba.njit(pipeline_class=KernelCompiler)
parallel_kernel = numba.njit(pipeline_class=KernelCompiler, parallel=True)


@compiled
def square(x):
    """x²."""
    return x * x


@compiled
def length(values):
    total = 0.0
    for value in values:
        total += square(value)
    return math.sqrt(total)


@compiled
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@compiled_with_arrays
def refuse_negative(x):
    if x < 0.0:
        raise ValueError("negative", x)
    return x


@kernel
def length_of_row(values, row):
    return length(values[row])


@parallel_kernel
def lengths(values, lengths_out):
    for row in numba.prange(len(values)):
        lengths_out[row] = length(values[row])


def test_a_kernel_computes_what_its_helpers_say():
    values = np.random.default_rng(0).normal(size=(50, 3))
    result = np.empty(50)
    lengths(values, result)
    np.testing.assert_allclose(result, np.linalg.norm(values, axis=1), rtol=1e-15)
    assert length_of_row(values, 7) == result[7]


def test_machine_code_is_made_once_a_kernel(monkeypatch):
    made, finalize = [], JITCodeLibrary._finalize_specific
    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", lambda library: made.append(finalize(library)))
    parallel_kernel(lengths.py_func)(np.ones((2, 3)), np.empty(2))
    assert len(made) == 1


def test_a_helper_can_be_called_after_a_kernel_has_taken_its_draft():
    values = np.array([[3.0, 4.0]])
    assert length_of_row(values, 0) == 5.0
    assert length(values[0]) == 5.0
    assert square(3.0) == 9.0


def test_a_helper_is_named_and_described_like_its_function():
    assert (square.__name__, square.__doc__, square.__module__) == ("square", "x².", __name__)


def test_a_helper_may_call_itself():
    assert kernel(lambda n: factorial(n))(10) == math.factorial(10)


def test_what_a_helper_raises_arrives_with_its_message():
    @kernel
    def root(x):
        return math.sqrt(refuse_negative(x))

    assert root(4.0) == 2.0
    with pytest.raises(ValueError, match="negative") as refusal:
        root(-2.5)
    assert refusal.value.args == ("negative", -2.5)


def test_functions_of_others_are_compiled_as_ever():
    """Those that numpy's functions are made of are shared: a kernel's drafts of them must serve there too."""

    def median_of_filled(count, value):
        return np.median(np.full(count, value))

    assert kernel(median_of_filled)(5, 2.5) == 2.5
    assert numba.njit(median_of_filled)(5, 2.5) == 2.5
    assert cpu_target.target_context.codegen()._library_class is JITCodeLibrary


def test_a_kernel_that_cannot_be_compiled_leaves_nothing_behind():
    with pytest.raises(TypingError):
        kernel(lambda x: square(x).no_such_field)(1.0)
    assert cpu_target.target_context.codegen()._library_class is JITCodeLibrary
    assert numba.njit(lambda x: x + 1.0)(1.0) == 2.0


@compiled
def last_part(values):
    return values[1:]


@compiled
def same(values):
    return values


@compiled_with_arrays
def doubled(values):
    return 2.0 * values


@inlined
def first_of_part(values):
    part = values[1:]
    return part[0]


def test_a_helper_that_returns_an_array_must_say_so():
    with pytest.raises(TypingError, match="returning of array"):
        kernel(lambda values: last_part(values)[0])(np.ones(3))
    with pytest.raises(TypeError, match="same returns an array"):
        kernel(lambda values: same(values)[0])(np.ones(3))


def test_references_to_arrays_are_neither_lost_nor_kept():
    @kernel
    def use(values):
        return first_of_part(values) + length(values) + doubled(values)[0]

    _nrt_python.memsys_enable_stats()
    values = np.ones(4)
    use(values)
    before, allocated = sys.getrefcount(values), rtsys.get_allocation_stats()
    for _ in range(100):
        assert use(values) == 5.0
    after = rtsys.get_allocation_stats()
    assert sys.getrefcount(values) == before
    assert after.alloc - allocated.alloc == after.free - allocated.free
