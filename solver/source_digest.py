"""A digest of a source file and of everything in this package that it imports."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parent


def source_digest(path: Path) -> str:
    """It changes when the file or a file that it imports, directly or not, changes."""
    digest = hashlib.blake2b(digest_size=8)
    for part in sorted(_closure(path.resolve())):
        digest.update(str(part.relative_to(SOURCES.resolve())).encode() + part.read_bytes())
    return digest.hexdigest()


def _closure(path):
    found, waiting = set(), [path]
    while waiting:
        part = waiting.pop()
        if part not in found:
            found.add(part)
            waiting += _imported(part)
    return found


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    """The files of this package that a file imports, at its top or inside a function."""
    imports = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom))
    return tuple(file for node in imports if node.level for file in _files_of(path, node))


def _files_of(path, node) -> Iterator[Path]:
    folder = path.parents[node.level - 1]
    target = folder.joinpath(*(node.module or "").split("."))
    candidates = [target.with_suffix(".py"), *(target / f"{alias.name}.py" for alias in node.names)]
    return (file for file in candidates if file.is_file() and SOURCES.resolve() in file.parents)
