"""Compiled kernels live in a private folder that follows the sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stiction
from stiction.solver import Interrupted, jit_cache, simulation

PACKAGE = Path(stiction.__file__).parent
WARM_UP = "from {name}.solver import jit_cache, simulation; print([n for _, _, n in jit_cache.compile_kernels()])"
WHERE = "from {name}.solver import jit_cache; print(jit_cache.cache_folder())"


def run(code, cache_home, name="stiction", **environment):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache_home), **environment}
    command = [sys.executable, "-c", code.format(name=name)]
    return subprocess.run(command, env=environment, text=True, capture_output=True, check=True).stdout.strip()


def indices(folder):
    return sorted(path.name for path in folder.rglob("*.nbi"))


def test_every_kernel_is_kept_outside_the_sources(tmp_path):
    names = run(WARM_UP, tmp_path)
    folder = Path(run(WHERE, tmp_path))
    assert "free_motion._advance_free_nodes" in names
    assert folder.is_relative_to(tmp_path)
    assert len(indices(folder)) == len(jit_cache._kernels)
    assert indices(PACKAGE / "solver") == []


def test_second_start_compiles_nothing(tmp_path):
    run(WARM_UP, tmp_path)
    folder = Path(run(WHERE, tmp_path))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")}
    run(WARM_UP, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nbc")} == before


def test_a_changed_source_gets_another_folder(tmp_path):
    copy = tmp_path / "copied"
    shutil.copytree(PACKAGE / "solver", copy / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "__init__.py").touch()
    before = run(WHERE, tmp_path, "copied", PYTHONPATH=str(tmp_path))
    with (copy / "solver" / "reference" / "free_motion.py").open("a") as file:
        file.write("# changed\n")
    assert run(WHERE, tmp_path, "copied", PYTHONPATH=str(tmp_path)) != before


def test_two_names_of_one_tree_do_not_share(tmp_path):
    (tmp_path / "twin").symlink_to(PACKAGE)
    assert run(WHERE, tmp_path, "twin", PYTHONPATH=str(tmp_path)) != run(WHERE, tmp_path)


def test_without_a_writable_folder_kernels_still_run(tmp_path):
    (tmp_path / "file").write_text("")
    assert "free_motion" in run(WARM_UP, tmp_path / "file")


def test_old_generations_are_dropped(tmp_path):
    folder = Path(run(WHERE, tmp_path))
    for number in range(6):
        (folder.parent / f"stiction-old{number}").mkdir(parents=True)
    run(WARM_UP, tmp_path)
    assert folder.exists()
    assert len(list(folder.parent.iterdir())) == jit_cache.GENERATIONS_KEPT


def test_compiling_can_be_cancelled():
    assert simulation
    with pytest.raises(Interrupted, match="while preparing the solver"):
        list(jit_cache.compile_kernels(should_stop=lambda: True))
