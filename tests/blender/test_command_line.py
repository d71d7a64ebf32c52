"""The command line: the same words everywhere, and exit codes that can be trusted."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import bpy
import numpy as np
import pytest

from .conftest import PACKAGE, ZIP
from .shots import LAST_FRAME, evaluated_world, fallen, make_shot

OTHER_PROCESS = """
import importlib, sys
import bpy
{enable}
code = importlib.import_module("{package}.addon.command_line").run(sys.argv[1:])
{disable}
sys.exit(code)
"""
ENABLE = (
    'bpy.ops.preferences.addon_enable(module="{package}")' if ZIP else 'importlib.import_module("{package}").register()'
)
DISABLE = ENABLE.replace("_enable", "_disable").replace(".register", ".unregister")


def start(*arguments):
    """The command in a process of its own, as `blender --command` runs it."""
    enable, disable = ENABLE.format(package=PACKAGE), DISABLE.format(package=PACKAGE)
    code = OTHER_PROCESS.format(package=PACKAGE, enable=enable, disable=disable)
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)


@pytest.fixture
def run(module):
    return lambda *arguments: module("addon.command_line").run([str(argument) for argument in arguments])


@pytest.fixture
def shot_path(blend_path):
    make_shot()
    return blend_path


def test_bake_saves_a_file_that_plays(run, shot_path):
    assert run("bake", shot_path) == 0
    bpy.ops.wm.open_mainfile(filepath=str(shot_path))
    bpy.context.scene.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(bpy.data.objects["Sheet"])[2:, 2], 2.0 - fallen(LAST_FRAME), atol=1e-6)


def test_frames_and_settings_can_be_given(run, shot_path):
    assert run("bake", shot_path, "--frames", "1:3", "--set", "Sheet.air_drag=5", "--set", "wind=1,0,0") == 0
    assert bpy.context.scene.objects["Sheet"].stiction.air_drag == 5.0
    assert tuple(bpy.context.scene.stiction.wind) == (1.0, 0.0, 0.0)
    assert run("bake", shot_path, "--frames", "1:5", "--resume") == 0


def test_summary_is_json(run, shot_path, tmp_path, capfd):
    assert run("bake", shot_path, "--json", tmp_path / "summary.json") == 0
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["complete"] is True
    assert (summary["first_frame"], summary["last_frame"], summary["frames_done"]) == (1, LAST_FRAME, LAST_FRAME)
    assert run("bake", shot_path, "--json", tmp_path / "summary.json") == 1
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert "holds a bake already" in summary["error"]
    assert summary["complete"] is False


def test_standard_output_holds_the_json_alone(shot_path):
    process = start("bake", shot_path, "--json", "-")
    output, _ = process.communicate()
    assert process.returncode == 0
    lines = [line for line in output.splitlines() if "Not freed memory" not in line]  # the bpy wheel, at its exit
    assert json.loads("\n".join(lines))["complete"]


def test_summary_tells_a_refused_setting(run, shot_path, tmp_path):
    assert run("bake", shot_path, "--set", "Sheet.colour=1", "--json", tmp_path / "summary.json") == 1
    assert 'no setting "colour"' in json.loads((tmp_path / "summary.json").read_text())["error"]


@pytest.mark.parametrize("option", ["--json", "--output"])
def test_a_missing_folder_is_refused_before_the_bake(run, shot_path, option):
    assert run("bake", shot_path, option, shot_path.parent / "nowhere" / "x") == 2
    assert not (shot_path.parent / "stiction_cache").exists()


def test_frames_may_be_negative(run, shot_path):
    assert run("bake", shot_path, "--frames", "-2:1") == 0
    assert (bpy.context.scene.stiction.first_frame, bpy.context.scene.stiction.last_frame) == (-2, 1)


def test_output_leaves_the_file_alone(run, shot_path, tmp_path):
    before = shot_path.read_bytes()
    (tmp_path / "elsewhere").mkdir()
    output = tmp_path / "elsewhere" / "baked.blend"
    assert run("bake", shot_path, "--output", output) == 0
    assert shot_path.read_bytes() == before
    bpy.ops.wm.open_mainfile(filepath=str(output))
    bpy.context.scene.frame_set(LAST_FRAME)
    assert np.allclose(evaluated_world(bpy.data.objects["Sheet"])[2:, 2], 2.0 - fallen(LAST_FRAME), atol=1e-6)


def test_a_file_saved_in_another_folder_finds_its_bake(run, shot_path):
    other = shot_path.parent / "other"
    other.mkdir()
    assert run("bake", shot_path, "--output", other / "baked.blend") == 0
    assert run("free", other / "baked.blend") == 0
    assert not (shot_path.parent / "stiction_cache" / "shot").exists()


def test_file_and_given_cache_folder_can_be_moved_together(run, shot_path, tmp_path_factory):
    assert run("bake", shot_path, "--cache", shot_path.parent / "frames") == 0
    moved = tmp_path_factory.mktemp("moved") / "all"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    shot_path.parent.rename(moved)
    assert run("bake", moved / "shot.blend", "--resume", "--frames", f"1:{LAST_FRAME + 1}") == 0
    assert run("free", moved / "shot.blend") == 0
    assert not (moved / "frames").exists()


def test_no_save_leaves_the_file_alone(run, shot_path):
    before = shot_path.read_bytes()
    assert run("bake", shot_path, "--no-save") == 0
    assert shot_path.read_bytes() == before


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("Nobody.density=1", 'There is no object "Nobody"'),
        ("Sheet.colour=1", 'There is no setting "colour"'),
        ("Sheet.air_drag=-1", "is out of range: 0 to"),
        ("Sheet.air_drag=much", "does not fit: it must be a number"),
        ("Sheet.kind=JELLY", "does not fit: it must be one of NONE, HAIR"),
        ("wind=1,2", "does not fit: it must be 3 numbers"),
        ("Sheet.air_drag", "is not of the form Object.property=value"),
        ("Sheet.area_density=0", "its area density must be above zero"),
        ("Sheet.start_velocity=3e38,0,0", "faster than light"),
        ("Sheet.pin_group=Nothing", "Nothing"),
    ],
)
def test_refused_settings_exit_with_one(run, shot_path, setting, sentence, capfd):
    assert run("bake", shot_path, "--set", setting) == 1
    assert sentence in capfd.readouterr().err
    assert not (shot_path.parent / "stiction_cache" / "shot").exists()


@pytest.mark.parametrize(
    "arguments",
    [[], ["bake"], ["fly", "x.blend"], ["bake", "x.blend", "--frames", "now"], ["bake", "/nowhere/x.blend"]],
)
def test_wrong_usage_exits_with_two(run, arguments):
    assert run(*arguments) == 2


def test_file_that_is_no_blend_exits_with_two(run, tmp_path):
    (tmp_path / "x.blend").write_text("nonsense")
    assert run("bake", tmp_path / "x.blend") == 2


def test_diverging_simulation_exits_with_three(run, shot_path, capfd):
    bpy.context.scene.gravity = (0.0, 0.0, -1e30)
    bpy.ops.wm.save_mainfile()
    assert run("bake", shot_path) == 3
    assert 'Frame 2: "Groom" flies apart' in capfd.readouterr().err
    assert (shot_path.parent / "stiction_cache" / "shot" / "frames.jsonl").read_bytes().count(b"\n") == 1


def test_check_tells_problems_and_exit_code(run, shot_path, tmp_path, capfd):
    assert run("check", shot_path) == 0
    assert run("check", shot_path, "--set", "Sheet.area_density=0", "--json", tmp_path / "p.json") == 1
    assert 'error: Cloth "Sheet": its area density must be above zero' in capfd.readouterr().err
    (problem,) = json.loads((tmp_path / "p.json").read_text())
    assert problem["object_name"] == "Sheet"


def test_check_warns_of_what_intersects_at_the_start(run, shot_path, tmp_path, capfd):
    bpy.data.objects["Cube"].location = bpy.data.objects["Sheet"].location
    bpy.ops.wm.save_mainfile()
    assert run("check", shot_path, "--json", tmp_path / "p.json") == 0
    assert 'warning: 20 vertices of "Sheet" are inside "Cube"' in capfd.readouterr().err
    problems = json.loads((tmp_path / "p.json").read_text())
    assert any('inside "Cube"' in problem["sentence"] and problem["elements"] for problem in problems)


def test_check_saves_the_scene_for_a_bug_report(run, shot_path, tmp_path, module):
    assert run("check", shot_path, "--save-scene", tmp_path / "bug.stiction") == 0
    assert set(module("solver").Scene.load(tmp_path / "bug.stiction").objects) == {"Sheet", "Groom", "Cube"}


def test_free_deletes_the_bake(run, shot_path):
    assert run("bake", shot_path) == 0
    assert run("free", shot_path) == 0
    assert not (shot_path.parent / "stiction_cache" / "shot").exists()
    assert run("free", shot_path) == 1


@pytest.mark.parametrize("suffix", [".abc", ".usdc"])
def test_export_writes_the_baked_objects(run, shot_path, tmp_path, suffix, capfd):
    target = tmp_path / f"shot{suffix}"
    assert run("export", shot_path, target) == 1
    assert run("bake", shot_path) == 0
    assert run("export", shot_path, target) == 0
    assert target.stat().st_size > 1000
    assert run("export", shot_path, target) == 1
    assert "exists already" in capfd.readouterr().err
    assert run("export", shot_path, target, "--overwrite") == 0


def test_progress_is_plain_lines_in_a_log(shot_path):
    process = start("bake", shot_path)
    _, err = process.communicate()
    assert process.returncode == 0
    lines = [line for line in err.splitlines() if line.startswith("stiction: ")]
    assert lines[0].startswith("stiction: Reading animation 0/")
    assert lines[-1] == f"stiction: Frame {LAST_FRAME}/{LAST_FRAME}, 0:00 left"
    assert "\r" not in err


def wait_for_frames(shot_path, count):
    journal = shot_path.parent / "stiction_cache" / "shot" / "frames.jsonl"
    limit = time.monotonic() + 60
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= count):
        assert time.monotonic() < limit, "the bake does not get on"
        time.sleep(0.005)


def pc2_bytes(shot_path):
    return {path.name: path.read_bytes() for path in (shot_path.parent / "stiction_cache" / "shot").glob("*.pc2")}


LONG = ("--frames", "1:400")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_bake_resumes_to_the_same_bits(run, shot_path, number):
    assert run("bake", shot_path, *LONG, "--no-save") == 0
    whole = pc2_bytes(shot_path)
    assert run("free", shot_path, "--no-save") == 0
    process = start("bake", shot_path, *LONG, "--no-save")
    wait_for_frames(shot_path, random.Random(time.time_ns()).randint(1, 150))
    process.send_signal(number)
    process.communicate()
    assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
    assert run("bake", shot_path, *LONG, "--no-save", "--resume") == 0
    assert pc2_bytes(shot_path) == whole
    assert not list((shot_path.parent / "stiction_cache" / "shot").glob("motion-*"))


def test_blenders_own_interrupt_handler_does_not_matter(run, shot_path, module, monkeypatch):
    """A full Blender has a handler from C: Python sees None, and refuses to set that again."""
    set_signal = signal.signal

    def like_in_blender(number, handler):
        assert handler is not None
        set_signal(number, handler)

    monkeypatch.setattr(module("addon.commands").signal, "signal", like_in_blender)
    assert run("bake", shot_path) == 0


@pytest.mark.skipif(ZIP is not None, reason="the command belongs to an environment with the wheel")
def test_stiction_command_of_the_environment(shot_path):
    command = Path(sys.executable).with_name("stiction")
    assert subprocess.run([command, "bake", shot_path], check=False).returncode == 0
    assert subprocess.run([command, "bake", shot_path], check=False).returncode == 1
    assert subprocess.run([command, "--help"], check=False).returncode == 0


@pytest.mark.skipif(ZIP is not None, reason="the command belongs to an environment with the wheel")
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can be chosen on Linux only")
def test_stiction_command_of_the_environment_ends_on_one_core(shot_path):
    command = Path(sys.executable).with_name("stiction")
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # inherited
    try:
        assert subprocess.run([command, "bake", shot_path], check=False, timeout=300).returncode == 0
    finally:
        os.sched_setaffinity(0, cores)
