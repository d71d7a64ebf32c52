"""The saved file plays in a Blender that has never seen the extension, wherever it is moved with its cache."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.playback_scenes import (
    FIRST,
    TIMES,
    grid,
    hair,
    make_bake,
    mesh_positions,
    random_samples,
    rope,
    sample_at,
    straight_strands,
)

SCRIPT = Path(__file__).with_name("play_without_extension.py")
POINTS = {"Cloth": 16, "Hair": 12, "Rope": 8}


@pytest.fixture
def shot(module, tmp_path):
    """A saved file with a baked cloth, groom and rope, its cache beside it; and the samples."""
    folder = tmp_path / "project"
    folder.mkdir()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    objects = [grid(), hair((4, 5, 3)), rope()]
    samples = {name: random_samples(count, seed) for seed, (name, count) in enumerate(POINTS.items())}
    store = make_bake(module, folder / "cache", samples)
    rests = [mesh_positions(objects[0]), straight_strands((4, 5, 3)), rope_rest(module, objects[2])]
    for obj, rest in zip(objects, rests):
        module("addon.write_playback").connect_playback(obj, store.path_of(obj.name), FIRST, rest)
    bpy.ops.wm.save_mainfile()
    return folder, samples, dict(zip(POINTS, rests))


def rope_rest(module, obj):
    return module("addon.rope_outline").read_rope_outline(obj).positions


def play(folder, tmp_path):
    """What a clean Blender shows of the file, an array (times, n, 3) by object name."""
    out = tmp_path / "shown.npz"
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path / "empty")}
    environment.pop("PYTHONPATH", None)
    times = ",".join(map(str, TIMES))
    command = [sys.executable, str(SCRIPT), str(folder / "shot.blend"), str(out), times, *POINTS]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return np.load(out)


def assert_plays(shown, samples):
    for name, positions in samples.items():
        wanted = [sample_at(positions, time) for time in TIMES]
        np.testing.assert_allclose(shown[name], wanted, atol=5e-7, err_msg=name)


def test_the_file_plays_without_the_extension(shot, tmp_path):
    folder, samples, _ = shot
    assert_plays(play(folder, tmp_path), samples)


def test_file_and_cache_can_be_moved_together(shot, tmp_path):
    folder, samples, _ = shot
    moved = shutil.move(folder, tmp_path / "elsewhere" / "deeper")
    assert_plays(play(Path(moved), tmp_path), samples)


def test_without_its_cache_the_file_shows_the_rest_shape(shot, tmp_path):
    folder, _, rests = shot
    shutil.rmtree(folder / "cache")
    shown = play(folder, tmp_path)
    for name, rest in rests.items():
        np.testing.assert_allclose(shown[name], [rest] * len(TIMES), atol=1e-6, err_msg=name)


def test_the_path_is_relative_only_in_a_saved_file(module, tmp_path):
    obj, path = grid(), tmp_path / "cache" / "Cloth.pc2"
    connect = module("addon.write_playback").connect_playback
    connect(obj, path, FIRST, mesh_positions(obj))
    assert obj.modifiers["Stiction"].filepath == str(path)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"), relative_remap=False)
    connect(obj, path, FIRST, mesh_positions(obj))
    assert obj.modifiers["Stiction"].filepath.replace("\\", "/") == "//cache/Cloth.pc2"
