"""Prescribed motion: where a collider or a pinned vertex is at a given time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .over_time import OverTime, VectorOverTime, value_at

Motion = np.ndarray | Callable[[float], np.ndarray]


@dataclass(frozen=True)
class SampledMotion:
    """Positions at given times, linear in between and constant outside.

    Equal consecutive samples are stored once: `rows` names the sample of each time, so
    that an object at rest costs one sample however long the shot is. `samples` may also be
    read from a file (motion_file.StoredSamples): a long animation need not fit in memory.
    """

    times: np.ndarray  # increasing                              (t,) [s]
    rows: np.ndarray  # sample of each time                      (t,) int32
    samples: Any  # positions, an array or the like               (s, n, 3) [m]

    def __call__(self, time):
        after = int(np.searchsorted(self.times, time))
        if after == 0 or after == len(self.times):
            return np.array(self.samples[self.rows[min(after, len(self.times) - 1)]], dtype=np.float64)
        before = after - 1
        start, end = self.samples[self.rows[before]], self.samples[self.rows[after]]
        if self.rows[before] == self.rows[after]:
            return np.array(start, dtype=np.float64)
        share = (time - self.times[before]) / (self.times[after] - self.times[before])
        return start + share * (np.asarray(end) - start)

    @property
    def is_still(self):
        return len(self.samples) == 1


def positions_at(motion: Motion, time: float) -> np.ndarray:
    """The positions (n, 3) that `motion` prescribes at `time`."""
    return value_at(motion, time)


def moments_of(value: OverTime | VectorOverTime) -> list[tuple[str, np.ndarray]]:
    """Words for a time, and the values then: at every sample, of functions when the shot begins."""
    if not callable(value):
        return [("", np.asarray(value, np.float64))]
    times = value.times if isinstance(value, SampledMotion) else [0.0]
    return [(f" at {time:.3f} s", value_at(value, time)) for time in times]


def sample_motion(motion: Motion, times) -> SampledMotion:
    """Any motion as samples, so that it can be written to a file."""
    if isinstance(motion, SampledMotion):
        return motion
    samples: list[np.ndarray] = []
    rows = []
    for time in times:
        positions = positions_at(motion, time)
        if not samples or not np.array_equal(samples[-1], positions):
            samples.append(positions)
        rows.append(len(samples) - 1)
    return SampledMotion(np.asarray(times, np.float64), np.asarray(rows, np.int32), np.stack(samples))
