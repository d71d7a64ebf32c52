"""A scene survives a file; a bug report can carry one."""

import numpy as np
import pytest

from stiction.solver import CacheDamaged, Scene, SceneRefused, Simulation
from stiction.solver.array_file import read_array_file, write_array_file


def test_saved_scene_simulates_to_the_same_bits(scene, tmp_path):
    path = tmp_path / "bug.stiction"
    scene.save(path, last_frame=6)
    loaded = Scene.load(path)
    assert list(loaded.objects) == list(scene.objects)
    *_, expected = Simulation(scene).frames(1, 6)
    *_, got = Simulation(loaded).frames(1, 6)
    for name, positions in expected.positions.items():
        assert np.array_equal(got.positions[name], positions)


def test_settings_and_materials_survive(scene, tmp_path):
    scene.save(tmp_path / "s", last_frame=2)
    loaded = Scene.load(tmp_path / "s")
    assert (loaded.wind, loaded.gravity, loaded.steps_per_frame) == (scene.wind, scene.gravity, 4)
    assert loaded.objects["jelly"].start_velocity == (1.0, 2.0, 3.0)
    assert loaded.objects["shirt"].material == scene.objects["shirt"].material


def test_moving_collider_is_sampled(scene, tmp_path):
    scene.save(tmp_path / "s", last_frame=3)
    motion = Scene.load(tmp_path / "s").objects["body"].positions
    assert np.allclose(motion(1 / 24), scene.objects["body"].positions(1 / 24), atol=1e-15)


def test_functions_need_a_last_frame(scene, tmp_path):
    with pytest.raises(SceneRefused, match="only be saved up to a last frame"):
        scene.save(tmp_path / "s")


def test_file_holds_no_pickle_and_numpy_reads_it(scene, tmp_path):
    scene.save(tmp_path / "s.npz", last_frame=2)
    arrays = np.load(tmp_path / "s.npz", allow_pickle=False)
    assert np.array_equal(arrays["0.triangles"], scene.objects["shirt"].triangles)


def test_altered_file_is_refused(scene, tmp_path):
    path = tmp_path / "s"
    scene.save(path, last_frame=2)
    data = bytearray(path.read_bytes())
    data[data.index(scene.objects["shirt"].triangles.tobytes())] ^= 1
    path.write_bytes(data)
    with pytest.raises(CacheDamaged, match="is damaged or was not written by Stiction"):
        Scene.load(path)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04"])
def test_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(CacheDamaged):
        Scene.load(tmp_path / "s")


def test_arrays_of_every_shape_come_back(tmp_path):
    arrays = {
        "empty": np.zeros((0, 3)),
        "one": np.float64([1.5]),
        "big": np.arange(3_000_000.0).reshape(-1, 3),
    }
    write_array_file(tmp_path / "a", {"x": 1}, arrays)
    header, back = read_array_file(tmp_path / "a")
    assert header == {"x": 1}
    for name, array in arrays.items():
        assert np.array_equal(back[name], array)
