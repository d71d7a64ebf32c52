"""Compiled kernels and the private folder that keeps them.

numba's own cache lies beside the sources (an installed extension must not be written to) and
goes stale when a helper in another file changes. Here the folder is keyed by the package's
name, the versions and a digest of all sources, and it lies where the user may write.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numba

from .errors import Interrupted
from .version import VERSION

SOURCES = Path(__file__).parent
GENERATIONS_KEPT = 3  # older versions may still be in use by another Blender


class Kernel(NamedTuple):
    name: str
    signature: str
    dispatcher: numba.core.registry.CPUDispatcher


_kernels: list[Kernel] = []
_parent_folder: Path | None = None


def use_folder(folder: str | Path) -> None:
    """Keep compiled kernels below `folder`; call it before a kernel's module is imported."""
    global _parent_folder
    _parent_folder = Path(folder)


def compiled(function: Callable) -> Callable:
    """Mark a function for use inside kernels; it is compiled together with them."""
    return numba.njit(function, nogil=True)


def kernel(signature: str, parallel: bool = False) -> Callable:
    """Mark a function as a kernel: compiled by `compile_kernels` or at its first call.

    Kernels release the interpreter lock, so that Blender's window stays alive meanwhile. A parallel
    kernel gives the same bits on any number of threads: each turn of its loop owns what it writes.
    """

    def decorate(function):
        with _private_cache() as is_writable:
            dispatcher = numba.njit(function, cache=is_writable, nogil=True, parallel=parallel)
        _kernels.append(Kernel(f"{function.__module__.rpartition('.')[2]}.{function.__name__}", signature, dispatcher))
        return dispatcher

    return decorate


def compile_kernels(should_stop: Callable[[], bool] = lambda: False) -> Iterator[tuple[int, int, str]]:
    """Compile (or load) every kernel; yields done, total and the name of the next one."""
    for done, item in enumerate(_kernels):
        if should_stop():
            raise Interrupted("Stopped while preparing the solver.")
        yield done, len(_kernels), item.name
        item.dispatcher.compile(item.signature)
    yield len(_kernels), len(_kernels), ""


def cache_folder() -> Path:
    """Where the kernels of exactly these sources are kept."""
    return (_parent_folder or _default_folder()) / _key()


def _default_folder():
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "stiction" / "kernels"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "stiction" / "kernels"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "stiction" / "kernels"


def _key():
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(SOURCES.rglob("*.py")):
        digest.update(str(path.relative_to(SOURCES)).encode() + path.read_bytes())
    package = __name__.partition(".solver")[0]
    return f"{package}-{VERSION}-numba{numba.__version__}-{digest.hexdigest()}"


@contextmanager
def _private_cache():
    """numba looks at its cache folder when a function is decorated; other add-ons keep theirs."""
    folder = _writable_folder()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        yield folder is not None
    finally:
        numba.config.CACHE_DIR = before


_folder_found: list[Path | None] = []


def _writable_folder():
    """The cache folder, made if needed; None where nothing can be written: then kernels compile each time."""
    if not _folder_found:
        folder = cache_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _drop_old_generations(folder)
        except OSError:
            pass
        _folder_found.append(folder if os.access(folder, os.W_OK) else None)
    return _folder_found[0]


def _drop_old_generations(current):
    current.touch()
    family = current.name.partition("-")[0] + "-"
    siblings = [path for path in current.parent.iterdir() if path.name.startswith(family) and path.is_dir()]
    for path in sorted(siblings, key=lambda path: path.stat().st_mtime, reverse=True)[GENERATIONS_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)
