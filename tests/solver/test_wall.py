"""Dependencies point one way: the solver knows nothing of Blender."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import stiction.solver

SOLVER = Path(stiction.solver.__file__).parent
BLENDER = {"bpy", "mathutils", "bmesh", "gpu", "bl_ext", "addon_utils"}


def imported_roots(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
            if node.level:
                yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", sorted(SOLVER.rglob("*.py")), ids=lambda path: path.name)
def test_solver_never_imports_blender(path):
    assert BLENDER.isdisjoint(imported_roots(path))
    assert "addon" not in imported_roots(path)


def test_importing_the_solver_loads_neither_blender_nor_numba():
    code = "import sys, stiction.solver; print({'bpy', 'numba', 'scipy'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"
