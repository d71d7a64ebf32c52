"""How kernels are compiled: machine code is made once, of a whole kernel.

Left alone, numba optimises a function and makes machine code of it before it links the result into each function that
calls it, where it is optimised again: a helper five calls deep six times, the body of a parallel loop four times. Of
all this only the kernel is ever called. So what a kernel is made of stays a draft here, intermediate code that is
linked into the kernel and becomes machine code as a part of it. That halves the time of a first start.

This looks into numba beyond what it documents, which is why its version is fixed and the tests try what could break.
"""

import ctypes
from collections.abc import Callable
from contextlib import contextmanager
from functools import cached_property

import numba
from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment

# In place of a draft's entry point, which numba wants to know: whatever it is given, it sets an error and returns.
_NO_ENTRY_POINT = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value


class Helper:
    """A function for use inside kernels, which take its draft; called from Python it is compiled on its own.

    Unless it allocates, it does not count references to arrays: its caller holds them all, and counting keeps the
    compiler from joining the helper with its caller (some 40 ns a call).
    """

    def __init__(self, function: Callable, options: dict, allocates: bool):
        self._function, self._options = function, options
        counting = {"_nrt": True} if allocates else {"_nrt": False, "pipeline_class": _BorrowingCompiler}
        self._draft = numba.njit(function, no_cpython_wrapper=True, **counting, **options)
        self._numba_type_ = self._draft._numba_type_  # numba asks for it when it meets the helper in a kernel
        self.__name__, self.__module__, self.__doc__ = function.__name__, function.__module__, function.__doc__

    def __call__(self, *arguments):
        return self._callable(*arguments)

    @cached_property
    def _callable(self):
        return numba.njit(self._function, pipeline_class=KernelCompiler, **self._options)


class KernelCompiler(Compiler):
    """numba's compiler, except that functions that are compiled on behalf of a kernel remain drafts."""

    def compile_extra(self, func):
        codegen = self.state.targetctx.codegen()
        library = self.state.library = JITCodeLibrary(codegen, func.__qualname__)
        library.enable_object_caching()
        with global_compiler_lock, _drafts_only(codegen):
            result = super().compile_extra(func)
        _connect_environments(codegen, library)
        return result


class _BorrowingCompiler(Compiler):
    """For helpers that do not count references: what they return must not be an array."""

    def compile_extra(self, func):
        result = super().compile_extra(func)
        returned = result.target_context.data_model_manager[result.signature.return_type]
        if returned.contains_nrt_meminfo():
            raise TypeError(f"{func.__qualname__} returns an array: mark it as compiled with arrays.")
        return result


class _Draft(JITCodeLibrary):
    """Intermediate code of a function and of all that it calls."""

    def _optimize_functions(self, ll_module):
        """Only what makes a function small: counts of references that cancel are found more surely inside it."""
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = llvm.create_new_function_pass_manager(), self._codegen._pass_builder()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        passes.add_refprune_pass()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self):
        pass

    def _finalize_final_module(self):
        self._finalized = True

    def get_pointer_to_function(self, name):
        self._ensure_finalized()
        return _NO_ENTRY_POINT

    @property
    def codegen(self):
        return self

    def set_env(self, env_name, env):
        """A draft has no memory for an environment yet: see `_connect_environments`."""


@contextmanager
def _drafts_only(codegen):
    """The lock of the compiler must be held: the code generator is everybody's."""
    before = codegen._library_class
    codegen._library_class = _Draft
    try:
        yield
    finally:
        codegen._library_class = before


def _connect_environments(codegen, library):
    """Tell the machine code where the Python objects are that its functions may need, as numba does with each."""
    for variable in library._final_module.global_variables:
        environment = lookup_environment(variable.name)
        if environment is not None:
            codegen.set_env(variable.name, environment)
