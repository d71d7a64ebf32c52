"""The bake on disk: what was stored is what comes back, and damage is noticed."""

import resource
import shutil
import subprocess
import sys

import numpy as np
import pytest

from stiction.solver import CacheDamaged, CacheError, CacheOccupied, FrameReport, InputsChanged
from stiction.solver.bake import prepare_store
from stiction.solver.cache_room import bytes_needed
from stiction.solver.frame_store import FrameStore
from stiction.solver.free_bake import free_bake
from stiction.solver.manifest import Manifest, file_names, read_manifest, write_manifest
from stiction.solver.pc2 import read_pc2_header
from stiction.solver.state import new_state


def positions_of(frame_number, count=7):
    return np.random.default_rng(frame_number).normal(size=(count, 3))


def new_state_of(number):
    state = new_state(positions_of(number), positions_of(number))
    state.step = number
    return state


def filled(folder, frames=5, inputs=None):
    store = FrameStore.create(folder, {"Shirt": 7, "Hair/1": 4}, 10, 10 + frames - 1, inputs or {})
    store.start_writing()
    for number in range(10, 10 + frames):
        both = {"Shirt": positions_of(number), "Hair/1": positions_of(number, 4)}
        store.append(number, both, FrameReport(number), new_state_of(number))
    store.close()
    return store


def test_stored_positions_come_back_as_float32(tmp_path):
    filled(tmp_path)
    store = FrameStore.open(tmp_path)
    assert (store.frames_done, store.last_frame_done, store.is_complete) == (5, 14, True)
    for number in range(10, 15):
        assert np.array_equal(store.positions("Shirt", number), positions_of(number).astype(np.float32))
        assert np.array_equal(store.positions("Hair/1", number), positions_of(number, 4).astype(np.float32))
    assert store.verify() == []


def test_header_tells_blender_what_is_complete(tmp_path):
    store = FrameStore.create(tmp_path, {"Shirt": 7}, 1, 3, {})
    store.start_writing()
    for done in range(3):
        assert read_pc2_header(store.path_of("Shirt")) == (7, 1.0, done)
        store.append(done + 1, {"Shirt": positions_of(1)}, FrameReport(1), new_state_of(1))
    store.close()
    assert read_pc2_header(store.path_of("Shirt")).sample_count == 3


def test_checkpoint_keeps_full_precision(tmp_path):
    state = filled(tmp_path).checkpoint()
    assert state.step == 14
    assert np.array_equal(state.positions, positions_of(14))


def test_a_bake_is_never_overwritten_unasked(tmp_path):
    filled(tmp_path)
    with pytest.raises(CacheOccupied, match=r"holds a bake already\. Resume it, free it, or choose another folder"):
        FrameStore.create(tmp_path, {"Shirt": 7}, 1, 3, {})


def test_foreign_files_are_never_overwritten(tmp_path):
    (tmp_path / "Shirt.pc2").write_bytes(b"mine")
    with pytest.raises(CacheOccupied, match=r"Shirt\.pc2. is in the way"):
        FrameStore.create(tmp_path, {"Shirt": 7}, 1, 3, {})
    assert (tmp_path / "Shirt.pc2").read_bytes() == b"mine"


@pytest.mark.parametrize("size", [0, 5, 32])
def test_a_bake_killed_before_its_manifest_can_begin_again(tmp_path, size):
    """Files without samples lie there; the one that was being created may be short."""
    path = filled(tmp_path / "whole", frames=1).path_of("Shirt")
    header = path.read_bytes()[:28] + b"\0\0\0\0"
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / path.name).write_bytes(header[:size])
    assert filled(tmp_path / "killed").is_complete


def test_two_bakes_that_begin_at_once_do_not_meet(tmp_path, monkeypatch):
    from stiction.solver import frame_store

    def begun_by_another(folder, manifest):
        with pytest.raises(CacheError, match="Another Blender is baking"):
            FrameStore.create(tmp_path, {"Shirt": 7}, 1, 2, {})
        created(folder, manifest)

    created = frame_store._create_files
    monkeypatch.setattr(frame_store, "_create_files", begun_by_another)
    FrameStore.create(tmp_path, {"Shirt": 7}, 1, 2, {})


def test_free_deletes_the_bake_and_nothing_else(tmp_path):
    filled(tmp_path / "bake")
    (tmp_path / "bake" / "notes.txt").write_text("mine")
    assert free_bake(tmp_path / "bake") > 0
    assert [path.name for path in (tmp_path / "bake").iterdir()] == ["notes.txt"]
    filled(tmp_path / "other")
    free_bake(tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_manifest_cannot_lead_out_of_its_folder(tmp_path):
    filled(tmp_path / "bake")
    victim = tmp_path / "victim.pc2"
    victim.write_bytes(b"mine")
    manifest = read_manifest(tmp_path / "bake")
    manifest.objects["Shirt"] = manifest.objects["Shirt"]._replace(file_name="../victim.pc2")
    write_manifest(tmp_path / "bake", manifest)
    with pytest.raises(CacheDamaged):
        free_bake(tmp_path / "bake")
    assert victim.exists()


def flip_byte(path, offset):
    data = bytearray(path.read_bytes())
    data[offset] ^= 1
    path.write_bytes(data)


def test_altered_frame_is_found(tmp_path):
    store = filled(tmp_path)
    flip_byte(store.path_of("Shirt"), 32 + 2 * 84 + 5)
    (sentence,) = FrameStore.open(tmp_path).verify()
    assert sentence.endswith('Shirt.pc2" is damaged at frame 12. Free the bake and bake again.')
    with pytest.raises(CacheDamaged):
        FrameStore.open(tmp_path).start_writing()


def test_damaged_bake_can_be_freed_by_the_process_that_found_the_damage(tmp_path):
    store = filled(tmp_path / "bake")
    flip_byte(store.path_of("Shirt"), 40)
    reopened = FrameStore.open(tmp_path / "bake")
    with pytest.raises(CacheDamaged) as kept:  # an error that is kept keeps its frames, and with them the store
        reopened.start_writing()
    assert free_bake(tmp_path / "bake") > 0 and "Free the bake" in str(kept.value)


def test_truncated_file_is_found(tmp_path):
    store = filled(tmp_path)
    path = store.path_of("Shirt")
    path.write_bytes(path.read_bytes()[:-1])
    assert "is damaged at frame 14" in store.verify()[0]
    path.write_bytes(b"")
    assert "is not a point cache" in store.verify()[0]
    path.unlink()
    assert "is missing" in store.verify()[0]


@pytest.mark.parametrize("name", [Manifest.FILE_NAME, "frames.jsonl"])
def test_altered_book_keeping_is_found(tmp_path, name):
    filled(tmp_path)
    flip_byte(tmp_path / name, 40)
    with pytest.raises(CacheDamaged, match="is damaged"):
        FrameStore.open(tmp_path)


def test_altered_or_missing_checkpoint_is_found(tmp_path):
    store = filled(tmp_path)
    path = tmp_path / "checkpoint_a.npz"
    flip_byte(path, path.stat().st_size // 2)
    with pytest.raises(CacheDamaged):
        store.checkpoint()
    path.unlink()
    with pytest.raises(CacheDamaged, match="is missing"):
        store.checkpoint()


def test_torn_last_line_is_cut_off(tmp_path):
    filled(tmp_path)
    with (tmp_path / "frames.jsonl").open("ab") as file:
        file.write(b'0123abcd {"frame_nu')
    store = FrameStore.open(tmp_path)
    assert store.frames_done == 5
    store.start_writing()
    store.close()
    assert FrameStore.open(tmp_path).frames_done == 5
    assert (tmp_path / "frames.jsonl").read_bytes().endswith(b"}\n")


def test_another_version_is_named(tmp_path):
    filled(tmp_path)
    write_manifest(tmp_path, read_manifest(tmp_path)._replace(version="0.0.9"))
    with pytest.raises(InputsChanged, match=r"was baked by Stiction 0.0.9, and this is"):
        FrameStore.open(tmp_path)
    free_bake(tmp_path)


def test_no_bake_there(tmp_path):
    with pytest.raises(CacheError, match="There is no bake in"):
        FrameStore.open(tmp_path)


def test_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match="Cannot write to the cache folder"):
        FrameStore.create(tmp_path / "file" / "bake", {"Shirt": 7}, 1, 3, {})


def test_disk_without_room_is_refused_before_work(tmp_path, monkeypatch):
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(CacheError, match=r"The bake needs 0.02 GB, but only 0.00 GB are free"):
        FrameStore.create(tmp_path / "bake", {"Shirt": 7}, 1, 3, {})
    assert bytes_needed([1000], 100) > 1000 * 12 * 100


FILLED_DISK = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from stiction.solver import FrameReport, SimulationFailed
from stiction.solver.frame_store import FrameStore
from stiction.solver.state import new_state
store = FrameStore.create(Path(sys.argv[1]), {"Shirt": 100}, 1, 50, {})
store.start_writing()
resource.setrlimit(resource.RLIMIT_FSIZE, (12000, 12000))
state = new_state(np.zeros((100, 3)), np.zeros((100, 3)))
try:
    for number in range(1, 51):
        store.append(number, {"Shirt": np.full((100, 3), number)}, FrameReport(number), state)
except SimulationFailed as error:
    print(error)
"""


def test_disk_that_fills_up_keeps_all_frames_before(tmp_path):
    """A limit on file size stands for the full disk: the same failed write."""
    assert resource.RLIMIT_FSIZE
    said = subprocess.check_output([sys.executable, "-c", FILLED_DISK, str(tmp_path)], text=True)
    store = FrameStore.open(tmp_path)
    assert 5 < store.frames_done < 50
    assert f"Frames up to {store.last_frame_done} are kept; make room and resume" in said
    assert store.verify() == []


def test_two_writers_are_refused(tmp_path):
    store = filled(tmp_path)
    store.start_writing()
    with pytest.raises(CacheError, match="Another Blender is baking into"):
        FrameStore.open(tmp_path).start_writing()
    with pytest.raises(CacheError, match="Another Blender is baking into"):
        free_bake(tmp_path)
    store.close()


def test_file_names_are_safe_and_unique():
    names = file_names(["Shirt", "shirt", "a/b", "../../etc", "Zöpfe", ".", "con:aux", "x" * 300])
    assert names["Shirt"] == "Shirt.pc2"
    assert len({name.lower() for name in names.values()}) == len(names)
    assert all("/" not in name and not name.startswith(".") and len(name) < 80 for name in names.values())


@pytest.mark.parametrize("name", ["CON", "nul", "com1", "Aux.001"])
def test_names_of_windows_devices_are_no_file_names(name):
    stem = file_names([name])[name].partition(".")[0]
    assert stem.upper() != name.partition(".")[0].upper()


def test_resume_names_what_changed(tmp_path):
    filled(
        tmp_path,
        inputs={"gravity": [0, 0, -9.81], "objects": {"Shirt": {"pinned": "digest a", "friction": 0.2}}},
    )
    now = {"gravity": [0, 0, 0], "objects": {"Shirt": {"pinned": "digest b", "friction": 0.3}, "Cape": {}}}
    with pytest.raises(InputsChanged) as caught:
        prepare_store(tmp_path, {}, (10, 14), now, resume=True)
    assert caught.value.changes == [
        "gravity was [0, 0, -9.81], is [0, 0, 0]",
        '"Cape" was not part of the bake',
        '"Shirt": pinned changed',
        '"Shirt": friction was 0.2, is 0.3',
    ]
