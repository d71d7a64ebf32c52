"""Compiled kernels live in a private folder that follows the sources."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stiction
from stiction.solver import Interrupted, jit_cache
from stiction.solver.linear_algebra import strand_layout

PACKAGE = Path(stiction.__file__).parent
WARM_UP = """
from {name}.solver import jit_cache
from {name}.solver.integrator import strand_system
print([name for _, _, name in jit_cache.compile_kernels()])
"""
ONE_KERNEL = """
from {name}.solver import jit_cache
from {name}.solver.linear_algebra import strand_layout
print([name for _, _, name in jit_cache.compile_kernels()])
"""
WHERE = "from {name}.solver import jit_cache; print(jit_cache.cache_folder())"
DIGESTS = """
from {name}.solver.source_digest import SOURCES, source_digest
print(source_digest(SOURCES / "rods/transport.py"), source_digest(SOURCES / "linear_algebra/strand_layout.py"))
"""


def run(code, cache_home, name="stiction", **environment):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache_home), **environment}
    command = [sys.executable, "-c", code.format(name=name)]
    return subprocess.run(command, env=environment, text=True, capture_output=True, check=True).stdout.strip()


def indices(folder):
    return sorted(path.name for path in folder.rglob("*.nbi"))


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """A cache after a first start, and the names of the kernels."""
    home = tmp_path_factory.mktemp("warm")
    return home, ast.literal_eval(run(WARM_UP, home))


def test_every_kernel_is_kept_outside_the_sources(warm):
    home, names = warm
    folder = Path(run(WHERE, home))
    assert "strand_layout._to_lanes" in names
    assert folder.is_relative_to(home)
    assert len(indices(folder)) == len(names) - 1  # the last one says that all is done
    assert indices(PACKAGE / "solver") == []


def test_second_start_compiles_nothing(warm):
    home, _ = warm
    folder = Path(run(WHERE, home))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")}
    run(WARM_UP, home)
    assert before
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")} == before


def test_a_changed_helper_changes_the_digest_of_those_who_use_it(tmp_path):
    copy = tmp_path / "copied"
    shutil.copytree(PACKAGE / "solver", copy / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "__init__.py").touch()
    transport, layout = run(DIGESTS, tmp_path, "copied", PYTHONPATH=str(tmp_path)).split()
    with (copy / "solver" / "linear_algebra" / "vector3.py").open("a") as file:
        file.write("# changed\n")
    changed = run(DIGESTS, tmp_path, "copied", PYTHONPATH=str(tmp_path)).split()
    assert changed[0] != transport
    assert changed[1] == layout


def test_two_names_of_one_tree_do_not_share(tmp_path):
    (tmp_path / "twin").symlink_to(PACKAGE)
    assert run(WHERE, tmp_path, "twin", PYTHONPATH=str(tmp_path)) != run(WHERE, tmp_path)


def test_without_a_writable_folder_kernels_still_run(tmp_path):
    (tmp_path / "file").write_text("")
    assert "strand_layout" in run(ONE_KERNEL, tmp_path / "file")


def test_old_generations_are_dropped(tmp_path):
    folder = Path(run(WHERE, tmp_path))
    for number in range(6):
        (folder / f"linear_algebra.strand_layout-old{number}").mkdir(parents=True)
    run("from {name}.solver.linear_algebra import strand_layout", tmp_path)
    assert len(list(folder.glob("linear_algebra.strand_layout-*"))) == jit_cache.GENERATIONS_KEPT


def test_compiling_can_be_cancelled():
    assert strand_layout
    with pytest.raises(Interrupted, match="while preparing the solver"):
        list(jit_cache.compile_kernels(should_stop=lambda: True))
