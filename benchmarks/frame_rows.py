"""Rows about frames of a scene at the paper's size, beside the paper's own [Daviet 2020, table 2]."""

import sys
import time
from collections.abc import Iterator
from statistics import mean
from typing import NamedTuple

import numba

from stiction.solver import Simulation
from stiction.solver.collision.frame_check import intersection_counter

from .collision_search import peak_kilobytes
from .report import Row
from .scenes.running import MeasuredFrame, frame_line

STAGES = ("detection", "dynamics", "linear_solve", "projection")


class Goal(NamedTuple):
    """Of a frame; what is not known is not a number."""

    paper_seconds: float
    paper_cores: int
    seconds: float  # at most, on two cores
    gigabytes: float  # at most


def measured_frames(simulation: Simulation, count: int) -> list[MeasuredFrame]:
    """The next frames of a simulation, each told as it is done."""
    return list(_told(simulation, count))


def _told(simulation, count) -> Iterator[MeasuredFrame]:
    count_intersections = intersection_counter(simulation.scene)
    first = simulation.frame_number + 1
    start = time.perf_counter()
    for frame in simulation.frames(first, first + count - 1):
        measured = MeasuredFrame(frame.report, time.perf_counter() - start, count_intersections(frame))
        print(frame_line(measured), file=sys.stderr, flush=True)
        yield measured
        start = time.perf_counter()


def frame_rows(name: str, measured: list[MeasuredFrame], goal: Goal) -> list[Row]:
    return [*_time_rows(name, measured, goal), _intersection_row(measured), _memory_row(goal)]


def _time_rows(name, measured, goal):
    seconds, threads = mean(entry.seconds for entry in measured), numba.get_num_threads()
    contacts = [entry.report.contacts for entry in measured]
    frames = f"{name}, {len(measured)} frames with {min(contacts):,} to {max(contacts):,} contacts"
    core_seconds = goal.paper_cores * goal.paper_seconds
    paper = f"{goal.paper_seconds:g} s on {goal.paper_cores} cores in the paper, {core_seconds:g} core-seconds"
    ours = f"{seconds:.1f} s on {threads} threads, {threads * seconds:.0f} core-seconds"
    rows = [Row(f"a frame, {frames}", ours, paper, seconds / goal.seconds, 1.0)]
    for stage in STAGES:
        spent = mean(seconds_in(entry.report.timings, stage) for entry in measured)
        rows.append(Row(f"of this, {stage.replace('_', ' ')}", f"{spent:.1f} s", "the frame", spent / seconds))
    return rows


def _intersection_row(measured):
    iterations = mean(entry.report.contact_iterations for entry in measured)
    residual = 1e3 * max(entry.report.contact_residual for entry in measured)
    held = sum(entry.report.held_back for entry in measured)
    what = f"{iterations:.0f} iterations a frame, δ∞ at most {residual:.3f} mm, {held} nodes held back"
    crossings = sum(entry.intersections for entry in measured)
    return Row(f"intersections in all these frames; {what}", str(crossings), "none", float(crossings), 0.0)


def _memory_row(goal):
    gigabytes = peak_kilobytes() / 2**20
    return Row("peak memory", f"{gigabytes:.2f} GB", f"{goal.gigabytes:g} GB", gigabytes / goal.gigabytes, 1.0)


def seconds_in(timings: dict[str, float], stage: str) -> float:
    """In the innermost stage of that name."""
    return timings[max((path for path in timings if path.endswith(f".{stage}")), key=len)]
