"""Compiled kernels and the private folder that keeps them.

numba's own cache lies beside the sources (an installed extension must not be written to) and
goes stale when a helper in another file changes. Here it lies where the user may write, a folder
a module, keyed by the package's name, the versions and a digest of all that the module imports.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numba

from .errors import Interrupted
from .kernel_compiler import Helper, KernelCompiler
from .source_digest import SOURCES, source_digest
from .version import VERSION

GENERATIONS_KEPT = 3  # older versions may still be in use by another Blender


# Nobody calls kernels from C, and division by zero gives what IEEE says: both make compiling a little shorter.
OPTIONS = {"nogil": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
Signature = str | tuple  # as text, or the types of the arguments


class Kernel(NamedTuple):
    name: str
    signature: Signature
    dispatcher: numba.core.registry.CPUDispatcher


_kernels: list[Kernel] = []
_parent_folder: Path | None = None


def use_folder(folder: str | Path) -> None:
    """Keep compiled kernels below `folder`; call it before a kernel's module is imported."""
    global _parent_folder
    _parent_folder = Path(folder)


def compiled(function: Callable) -> Callable:
    """Mark a function for use inside kernels; it is compiled together with them.

    It neither makes nor returns arrays, nor calls what returns some, nor raises errors that tell numbers.
    """
    return Helper(function, OPTIONS, allocates=False)


def inlined(function: Callable) -> Callable:
    """The same for a short function in the innermost loop, which must never become a call of its own."""
    return Helper(function, {**OPTIONS, "forceinline": True}, allocates=False)


def compiled_with_arrays(function: Callable) -> Callable:
    """The same for a function that may do all this."""
    return Helper(function, OPTIONS, allocates=True)


def kernel(*signatures: Signature, parallel: bool = False) -> Callable:
    """Mark a function as a kernel: compiled by `compile_kernels` or at its first call, for each signature.

    Kernels release the interpreter lock, so that Blender's window stays alive meanwhile. A parallel
    kernel gives the same bits on any number of threads: each turn of its loop owns what it writes.
    """

    def decorate(function):
        with _private_cache(Path(function.__code__.co_filename)) as is_writable:
            dispatcher = numba.njit(
                function, cache=is_writable, parallel=parallel, pipeline_class=KernelCompiler, **OPTIONS
            )
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        _kernels.extend(Kernel(name, signature, dispatcher) for signature in signatures)
        return dispatcher

    return decorate


def tuple_of(named_tuple: type, *field_types) -> numba.types.BaseTuple:
    """The type of a named tuple in a signature: kernels take their arrays in few, named arguments."""
    return numba.types.BaseTuple.from_types(field_types, named_tuple)


def compile_kernels(should_stop: Callable[[], bool] = lambda: False) -> Iterator[tuple[int, int, str]]:
    """Compile (or load) every kernel; yields done, total and the name of the next one."""
    for done, item in enumerate(_kernels):
        if should_stop():
            raise Interrupted("Stopped while preparing the solver.")
        yield done, len(_kernels), item.name
        item.dispatcher.compile(item.signature)
    yield len(_kernels), len(_kernels), ""


def cache_folder() -> Path:
    """Where the kernels of this version are kept, a folder a module."""
    package = __name__.partition(".solver")[0]
    return (_parent_folder or _default_folder()) / f"{package}-{VERSION}-numba{numba.__version__}"


def _default_folder():
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "stiction" / "kernels"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "stiction" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "stiction" / "kernels"


@contextmanager
def _private_cache(module_file):
    """numba looks at its cache folder when a function is decorated; other add-ons keep theirs."""
    folder = _module_folder(module_file)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        yield folder is not None
    finally:
        numba.config.CACHE_DIR = before


@cache
def _module_folder(module_file: Path) -> Path | None:
    """The folder of one module, made if needed; None where nothing can be written: its kernels compile each time."""
    name = ".".join(module_file.resolve().relative_to(SOURCES.resolve()).with_suffix("").parts)
    folder = cache_folder() / f"{name}-{source_digest(module_file)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _drop_old_generations(folder, name)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _drop_old_generations(current, name):
    os.utime(current)
    generations = sorted(current.parent.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in generations[GENERATIONS_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
