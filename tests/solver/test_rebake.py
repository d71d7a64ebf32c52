"""A bake goes back to a frame, and on from there as if it had never gone further."""

import numpy as np
import pytest

from stiction.solver import CacheError, InputsChanged, Simulation
from stiction.solver.bake import bake, prepare_rebake, prepare_store
from stiction.solver.checkpoints import FRAMES_BETWEEN_KEPT
from stiction.solver.fingerprint import describe
from stiction.solver.frame_store import FrameStore
from stiction.solver.free_bake import free_bake
from stiction.solver.manifest import Manifest

LAST = 2 * FRAMES_BETWEEN_KEPT + 4


def run(scene, folder, last_frame=LAST, rebake_from=None):
    counts = {item.name: len(item.positions) for item in scene.simulated}
    if rebake_from is None:
        store = prepare_store(folder, counts, (1, last_frame), describe(scene), False)
    else:
        store = prepare_rebake(folder, rebake_from, (1, last_frame), describe(scene))
    bake(Simulation(scene), store)
    return FrameStore.open(folder)


def all_bytes(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.pc2")}


@pytest.mark.parametrize("frame", [LAST, FRAMES_BETWEEN_KEPT + 2, FRAMES_BETWEEN_KEPT + 1, 2])
def test_the_same_scene_comes_to_the_same_bits(scene, tmp_path, frame):
    run(scene, tmp_path)
    before = all_bytes(tmp_path)
    store = run(scene, tmp_path, rebake_from=frame)
    assert store.is_complete and store.verify() == []
    assert all_bytes(tmp_path) == before


def test_another_scene_changes_only_what_comes_after(scene, tmp_path):
    before = run(scene, tmp_path / "old")
    run(scene, tmp_path / "new")
    scene.wind = (0.0, 30.0, 0.0)
    after = run(scene, tmp_path / "new", rebake_from=FRAMES_BETWEEN_KEPT + 4)
    start = FRAMES_BETWEEN_KEPT + 2  # the state was kept at the frame before
    for frame in range(1, LAST + 1):
        is_same = np.array_equal(before.positions("groom", frame), after.positions("groom", frame))
        assert is_same == (frame < start), frame
    assert after.manifest.rebakes == [[start, ["wind was [1.0, 0.0, 0.0], is [0.0, 30.0, 0.0]"]]]
    assert after.manifest.inputs == describe(scene)


def test_it_goes_on_beyond_the_earlier_end(scene, tmp_path):
    run(scene, tmp_path / "whole")
    run(scene, tmp_path / "parts", last_frame=LAST - 3)
    assert run(scene, tmp_path / "parts", rebake_from=LAST - 3).is_complete
    assert all_bytes(tmp_path / "parts") == all_bytes(tmp_path / "whole")


def test_other_steps_or_objects_are_refused_and_nothing_is_lost(scene, tmp_path):
    run(scene, tmp_path)
    before = all_bytes(tmp_path)
    scene.steps_per_frame += 1
    with pytest.raises(InputsChanged, match="steps per frame"):
        run(scene, tmp_path, rebake_from=5)
    scene.steps_per_frame -= 1
    del scene.objects["jelly"]
    with pytest.raises(InputsChanged, match="the objects, or their vertices and faces"):
        run(scene, tmp_path, rebake_from=5)
    assert all_bytes(tmp_path) == before and FrameStore.open(tmp_path).is_complete


def test_a_damaged_state_is_refused_and_nothing_is_lost(scene, tmp_path):
    run(scene, tmp_path)
    before = all_bytes(tmp_path)
    path = tmp_path / f"checkpoint_{FRAMES_BETWEEN_KEPT:06}.npz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CacheError, match="is damaged"):
        run(scene, tmp_path, rebake_from=FRAMES_BETWEEN_KEPT + 3)
    assert all_bytes(tmp_path) == before and FrameStore.open(tmp_path).is_complete


@pytest.mark.parametrize("frame", [1, LAST + 1, -3])
def test_frames_outside_the_bake_are_refused(scene, tmp_path, frame):
    run(scene, tmp_path)
    with pytest.raises(CacheError, match="cannot be baked again alone"):
        run(scene, tmp_path, rebake_from=frame)


def test_kept_states_are_freed(scene, tmp_path):
    run(scene, tmp_path)
    (tmp_path / "checkpoint_mine.npz").write_text("of the user's own")
    free_bake(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint_mine.npz"]
    assert not (tmp_path / Manifest.FILE_NAME).exists()
