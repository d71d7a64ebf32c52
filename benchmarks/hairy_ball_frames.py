"""Frames of the hairy ball at the paper's size [Daviet 2020, table 2]: seconds by stage, memory, and what threads gain.

For the first second the hair falls in thick air, so that it lies on the ball when that begins to turn; this is not
measured, and kept in out/bench. `python -m benchmarks.hairy_ball_frames STRANDS FRAMES` measures any size.
"""

import math
import sys
import time
from statistics import mean
from typing import NamedTuple

import numba

from stiction.solver import Simulation
from stiction.solver.collision.frame_check import intersection_counter

from .collision_search import peak_kilobytes
from .report import Row, print_table
from .scenes.hairy_ball import REST, hairy_ball
from .scenes.running import MeasuredFrame, frame_line
from .scenes.stored_run import FOLDER, StoredRun

STRANDS, FRAMES = 15_565, 24
THICK_AIR = 15.0  # [1/s]
GAIN_BOUND = 1.5  # of two threads over one
STAGES = ("detection", "dynamics", "linear_solve", "projection")
TITLE = "Contact: frames of the hairy ball"


class Goal(NamedTuple):
    paper_seconds: float  # a frame
    paper_cores: int
    seconds: float  # a frame, at most, on two cores
    gigabytes: float  # at most


# By strands; of other sizes nothing is known.
GOALS = {15_565: Goal(84.0, 8, 42.0, 5.0), 31_765: Goal(193.0, 8, 96.0, 9.0), 63_529: Goal(393.0, 16, math.nan, 16.0)}
UNKNOWN = Goal(math.nan, 0, math.nan, math.nan)


def measure(strands: int = STRANDS, count: int = FRAMES) -> list[Row]:
    scene = hairy_ball(strands)
    simulation = Simulation(scene)
    simulation.restore(_settled(strands))
    gain = _gain_of_threads(simulation)
    measured = _measured(simulation, count)
    return [*_rows(f"{strands:,} strands", GOALS.get(strands, UNKNOWN), measured), _gain_row(gain)]


def _settled(strands):
    """The state when the ball begins to turn; it is stored, as getting there takes as long as what is measured."""
    scene = hairy_ball(strands, air_drag=THICK_AIR)
    stored = StoredRun(FOLDER / f"settled-ball-{strands}", scene)
    for entry in stored.frames(scene.start_frame + round(REST * scene.frames_per_second)):
        print(f"settling: {frame_line(entry)}", file=sys.stderr, flush=True)
    return stored.simulation.state


def _measured(simulation, count):
    count_intersections = intersection_counter(simulation.scene)
    first = simulation.frame_number + 1
    measured, start = [], time.perf_counter()
    for frame in simulation.frames(first, first + count - 1):
        measured.append(MeasuredFrame(frame.report, time.perf_counter() - start, count_intersections(frame)))
        print(frame_line(measured[-1]), file=sys.stderr, flush=True)
        start = time.perf_counter()
    return measured


def _gain_of_threads(simulation):
    """Seconds of the same frame on one thread and on two."""
    before, seconds = simulation.state.copy(), []
    for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
        numba.set_num_threads(threads)
        simulation.restore(before)
        start = time.perf_counter()
        simulation.advance_frame()
        seconds.append(time.perf_counter() - start)
    simulation.restore(before)
    simulation.current_frame(0)  # takes what was told of these frames out of the next report
    return seconds


def _rows(name, goal, measured):
    seconds = mean(entry.seconds for entry in measured)
    contacts = [entry.report.contacts for entry in measured]
    frames = f"{name}, {len(measured)} frames with {min(contacts):,} to {max(contacts):,} contacts"
    core_seconds = goal.paper_cores * goal.paper_seconds
    paper = f"{goal.paper_seconds:g} s on {goal.paper_cores} cores in the paper, {core_seconds:g} core-seconds"
    threads = numba.get_num_threads()
    gigabytes = peak_kilobytes() / 2**20
    ours = f"{seconds:.1f} s on {threads} threads, {threads * seconds:.0f} core-seconds"
    rows = [Row(f"a frame, {frames}", ours, paper, seconds / goal.seconds, 1.0)]
    for stage in STAGES:
        spent = mean(_seconds_in(entry.report.timings, stage) for entry in measured)
        rows.append(Row(f"of this, {stage.replace('_', ' ')}", f"{spent:.1f} s", "the frame", spent / seconds))
    iterations = mean(entry.report.contact_iterations for entry in measured)
    residual = 1e3 * max(entry.report.contact_residual for entry in measured)
    held = sum(entry.report.held_back for entry in measured)
    what = f"{iterations:.0f} iterations a frame, δ∞ at most {residual:.3f} mm, {held} nodes held back"
    crossings = sum(entry.intersections for entry in measured)
    return [
        *rows,
        Row(f"intersections in all these frames; {what}", str(crossings), "none", float(crossings), 0.0),
        Row("peak memory", f"{gigabytes:.2f} GB", f"{goal.gigabytes:g} GB", gigabytes / goal.gigabytes, 1.0),
    ]


def _seconds_in(timings, stage):
    """In the innermost stage of that name."""
    return timings[max((path for path in timings if path.endswith(f".{stage}")), key=len)]


def _gain_row(seconds):
    one, two = seconds
    return Row("the first of them on two threads", f"{two:.1f} s", f"{one:.1f} s on one", two / one, 1.0 / GAIN_BOUND)


if __name__ == "__main__":
    print_table(TITLE, measure(*map(int, sys.argv[1:])))
