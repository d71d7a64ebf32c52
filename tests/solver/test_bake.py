"""A bake that is stopped or killed goes on to the same bits."""

import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from stiction.solver import CacheError, InputsChanged, Interrupted, SceneRefused, Simulation
from stiction.solver.bake import bake, prepare_store
from stiction.solver.fingerprint import changes, describe
from stiction.solver.frame_store import FrameStore
from stiction.solver.motion import sample_motion

LAST_FRAME = 40


def run(scene, folder, last_frame=LAST_FRAME, resume=False, on_frame=lambda frame: None):
    simulation = Simulation(scene)
    counts = {item.name: len(item.positions) for item in scene.simulated}
    store = prepare_store(folder, counts, (1, last_frame), describe(scene), resume)
    bake(simulation, store, on_frame=on_frame)
    return store


def all_bytes(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.pc2")}


def test_bake_stores_what_the_simulation_yields(scene, tmp_path):
    store = run(scene, tmp_path, last_frame=5)
    for frame in Simulation(scene).frames(1, 5):
        for name, positions in frame.positions.items():
            assert np.array_equal(store.positions(name, frame.number), positions.astype(np.float32))


def test_stopped_bake_resumes_to_the_same_bits(scene, tmp_path):
    run(scene, tmp_path / "whole", 12)

    def stop_at_five(frame):
        if frame.number == 5:
            raise Interrupted("enough")

    with pytest.raises(Interrupted):
        run(scene, tmp_path / "stopped", 12, on_frame=stop_at_five)
    assert FrameStore.open(tmp_path / "stopped").last_frame_done == 5
    store = run(scene, tmp_path / "stopped", 12, resume=True)
    assert store.is_complete
    assert all_bytes(tmp_path / "whole") == all_bytes(tmp_path / "stopped")
    assert np.array_equal(store.checkpoint().velocities, FrameStore.open(tmp_path / "whole").checkpoint().velocities)


def test_longer_range_continues_the_bake(scene, tmp_path):
    run(scene, tmp_path / "whole", 12)
    run(scene, tmp_path / "parts", 7)
    assert run(scene, tmp_path / "parts", 12, resume=True).is_complete
    assert all_bytes(tmp_path / "whole") == all_bytes(tmp_path / "parts")


def test_resume_of_a_complete_bake_changes_nothing(scene, tmp_path):
    run(scene, tmp_path, 3)
    before = all_bytes(tmp_path)
    run(scene, tmp_path, 3, resume=True)
    assert all_bytes(tmp_path) == before


def test_resume_refuses_a_changed_scene(scene, tmp_path):
    run(scene, tmp_path, 3)
    scene.wind = (0.0, 5.0, 0.0)
    with pytest.raises(InputsChanged, match=r"wind was \[1.0, 0.0, 0.0\], is \[0.0, 5.0, 0.0\]"):
        run(scene, tmp_path, 5, resume=True)


def test_longer_motion_is_no_change_but_another_one_is(scene):
    def described(last_frame, speed=1.0):
        start = scene.objects["shirt"].positions[[0, 4]]
        times = np.arange(last_frame) / 24
        moved = sample_motion(lambda time: start + [speed * max(0.0, time - 0.1), 0, 0], times)
        scene.objects["shirt"].pin_motion = moved
        return describe(scene)

    assert changes(described(12), described(24)) == []
    assert changes(described(24), described(12)) == []
    assert changes(described(12), described(24, speed=2.0)) == ['"shirt": pin motion changed at 0.125 s']


def test_shorter_range_does_not_forget_what_later_frames_were_made_from(scene, tmp_path):
    def moved(last_frame, late_speed):
        start = scene.objects["shirt"].positions[[0, 4]]
        times = np.arange(last_frame) / 24
        motion = sample_motion(lambda time: start + [late_speed * max(0.0, time - 0.4), 0, 0], times)
        scene.objects["shirt"].pin_motion = motion

    moved(12, late_speed=1.0)
    run(scene, tmp_path, 12)
    moved(5, late_speed=1.0)
    assert run(scene, tmp_path, 5, resume=True).last_frame_done == 12
    moved(14, late_speed=2.0)
    with pytest.raises(InputsChanged, match=r"pin motion changed at 0\.417 s"):
        run(scene, tmp_path, 14, resume=True)


def test_range_of_a_running_bake_cannot_be_changed(scene, tmp_path):
    store = run(scene, tmp_path, 3)
    store.start_writing()
    with pytest.raises(CacheError, match="Another Blender is baking"):
        run(scene, tmp_path, 5, resume=True)
    store.close()
    assert FrameStore.open(tmp_path).is_complete


def test_description_names_geometry_and_material(scene):
    before = describe(scene)
    scene.objects["shirt"].positions[3, 0] += 1e-12
    object.__setattr__(scene.objects["groom"].material, "radius", 1e-4)
    assert changes(before, describe(scene)) == [
        '"shirt": positions changed',
        '"groom": material radius was 4e-05, is 0.0001',
    ]


def test_empty_range_is_refused(scene, tmp_path):
    with pytest.raises(SceneRefused, match="There are no frames to bake"):
        run(scene, tmp_path / "bake", 0)
    assert not (tmp_path / "bake").exists()


CHILD = """
import sys
from pathlib import Path
from stiction.solver import Scene, Simulation
from stiction.solver.bake import bake, prepare_store
from stiction.solver.fingerprint import describe
scene = Scene.load(sys.argv[1])
counts = {item.name: len(item.positions) for item in scene.simulated}
store = prepare_store(Path(sys.argv[2]), counts, (1, int(sys.argv[3])), describe(scene), resume=True)
print("started", flush=True)
bake(Simulation(scene), store)
"""


def start_child(scene_file, folder, last_frame):
    command = [sys.executable, "-c", CHILD, str(scene_file), str(folder), str(last_frame)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def frames_in(folder):
    return FrameStore.open(folder).frames_done if (folder / "bake.json").exists() else 0


@pytest.mark.slow
def test_killed_at_random_moments_resumes_to_the_same_bits(scene, tmp_path):
    last_frame, kills, patience = 800, 0, 0.6
    chance = random.Random(time.time_ns())
    scene.save(tmp_path / "scene", last_frame)
    whole = start_child(tmp_path / "scene", tmp_path / "whole", last_frame)
    assert whole.wait() == 0
    while frames_in(tmp_path / "killed") < last_frame:
        child = start_child(tmp_path / "scene", tmp_path / "killed", last_frame)
        child.stdout.readline()
        before = frames_in(tmp_path / "killed")
        try:
            child.wait(timeout=chance.uniform(0.0, patience))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
            kills += 1
        after = frames_in(tmp_path / "killed")
        assert after >= before
        patience = 0.6 if after > before else 2 * patience  # a busy machine may take seconds to the first frame
        assert FrameStore.open(tmp_path / "killed").verify() == []
    assert kills >= 2
    assert all_bytes(tmp_path / "whole") == all_bytes(tmp_path / "killed")
