"""Frames of the hairy ball at the paper's size [Daviet 2020, table 2]: seconds by stage, memory, and what threads gain.

For the first second the hair falls in thick air, so that it lies on the ball when that begins to turn; this is not
measured. `python -m benchmarks.hairy_ball_frames STRANDS FRAMES` measures any size.
"""

import sys
import time
from statistics import mean

import numba

from stiction.solver import Simulation
from stiction.solver.collision.frame_check import intersection_counter

from .collision_search import peak_kilobytes
from .report import Row, print_table
from .scenes.hairy_ball import REST, hairy_ball
from .scenes.running import MeasuredFrame, frame_line

STRANDS, FRAMES = 15_565, 24
THICK_AIR = 15.0  # [1/s]
PAPER_SECONDS, PAPER_CORES = 84.0, 8
SECONDS_BOUND, MEMORY_BOUND = 42.0, 5.0  # a frame, and [GB]
GAIN_BOUND = 1.5  # of two threads over one
STAGES = ("detection", "dynamics", "linear_solve", "projection")
TITLE = "Contact: frames of the hairy ball"


def measure(strands: int = STRANDS, count: int = FRAMES) -> list[Row]:
    scene = hairy_ball(strands)
    simulation = Simulation(scene)
    simulation.restore(_settled(strands))
    gain = _gain_of_threads(simulation)
    measured = _measured(simulation, count)
    return [*_rows(f"{strands:,} strands", measured), _gain_row(gain)]


def _settled(strands):
    """The state when the ball begins to turn."""
    simulation = Simulation(hairy_ball(strands, air_drag=THICK_AIR))
    last = simulation.scene.start_frame + round(REST * simulation.scene.frames_per_second)
    for frame in simulation.frames(simulation.scene.start_frame + 1, last):
        print(f"settling: frame {frame.number}, {frame.report.contacts} contacts", file=sys.stderr, flush=True)
    return simulation.state


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
    return seconds


def _rows(name, measured):
    seconds = mean(entry.seconds for entry in measured)
    contacts = [entry.report.contacts for entry in measured]
    frames = f"{name}, {len(measured)} frames with {min(contacts):,} to {max(contacts):,} contacts"
    paper = f"{PAPER_SECONDS:g} s on {PAPER_CORES} cores in the paper, {PAPER_CORES * PAPER_SECONDS:g} core-seconds"
    threads = numba.get_num_threads()
    gigabytes = peak_kilobytes() / 2**20
    ours = f"{seconds:.1f} s on {threads} threads, {threads * seconds:.0f} core-seconds"
    rows = [Row(f"a frame, {frames}", ours, paper, seconds / SECONDS_BOUND, 1.0)]
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
        Row("peak memory", f"{gigabytes:.2f} GB", f"{MEMORY_BOUND:g} GB", gigabytes / MEMORY_BOUND, 1.0),
    ]


def _seconds_in(timings, stage):
    """In the innermost stage of that name."""
    return timings[max((path for path in timings if path.endswith(f".{stage}")), key=len)]


def _gain_row(seconds):
    one, two = seconds
    return Row("the first of them on two threads", f"{two:.1f} s", f"{one:.1f} s on one", two / one, 1.0 / GAIN_BOUND)


if __name__ == "__main__":
    print_table(TITLE, measure(*map(int, sys.argv[1:])))
