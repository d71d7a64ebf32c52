"""Given motion: linear between samples, and bounded in memory."""

import numpy as np
import pytest

from stiction.solver.motion import SampledMotion, positions_at, sample_motion
from stiction.solver.motion_file import MotionWriter


def test_linear_between_samples_and_constant_outside():
    motion = sample_motion(lambda time: np.array([[time, 0, 0]]), [0.0, 1.0, 3.0])
    for time, expected in [(-1, 0), (0, 0), (0.25, 0.25), (1, 1), (2.5, 2.5), (3, 3), (9, 3)]:
        assert motion(time)[0, 0] == pytest.approx(expected)


def test_rest_costs_one_sample():
    motion = sample_motion(np.ones((5, 3)), np.arange(100.0))
    assert len(motion.samples) == 1
    assert motion.is_still
    assert np.array_equal(motion(50.5), np.ones((5, 3)))


def test_file_equals_memory(tmp_path):
    random = np.random.default_rng(2)
    frames = [np.zeros((4, 3)), np.zeros((4, 3)), random.normal(size=(4, 3)), random.normal(size=(4, 3))]
    writer = MotionWriter(tmp_path / "m", 4)
    for time, positions in enumerate(frames):
        writer.append(float(time), positions)
    motion = writer.finish()
    assert motion.rows.tolist() == [0, 0, 1, 2]
    assert np.array_equal(np.stack(list(motion.samples)), [frames[0], frames[2], frames[3]])
    assert np.array_equal(motion.samples[1:3], [frames[2], frames[3]])
    for time in (0.0, 0.5, 1.5, 2.0, 2.25, 3.0):
        before, after = frames[int(time)], frames[min(int(time) + 1, 3)]
        assert np.allclose(motion(time), before + (time % 1) * (after - before), atol=1e-15)


def test_writer_refuses_another_number_of_points(tmp_path):
    with pytest.raises(ValueError, match="where 4 are expected"):
        MotionWriter(tmp_path / "m", 4).append(0.0, np.zeros((5, 3)))


def test_array_is_a_motion():
    assert np.array_equal(positions_at(np.ones((2, 3)), 7.0), np.ones((2, 3)))
    assert isinstance(sample_motion(np.ones((2, 3)), [0.0]), SampledMotion)
