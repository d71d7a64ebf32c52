"""Frames of the hairy ball at the paper's size [Daviet 2020, table 2]: seconds by stage, memory, and what threads gain.

For the first second the hair falls in thick air, so that it lies on the ball when that begins to turn; this is done in
coarse steps, not measured, and kept in out/bench. `python -m benchmarks.hairy_ball_frames STRANDS FRAMES` measures
any size; with more strands than those of `make bench` frames are kept, too, and a run that was stopped goes on.
"""

import math
import sys
import time

import numba

from stiction.solver import Simulation

from .frame_rows import Goal, frame_rows, measured_frames
from .report import Row, print_table
from .scenes.hairy_ball import REST, hairy_ball
from .scenes.running import compile_all, frame_line
from .scenes.stored_run import FOLDER, StoredRun
from .settled import settled_state

STRANDS, FRAMES = 15_565, 24
THICK_AIR = 15.0  # [1/s]
GAIN_BOUND = 1.5  # of two threads over one
TITLE = "Contact: frames of the hairy ball"
# By strands; of other sizes nothing is known.
GOALS = {15_565: Goal(84.0, 8, 42.0, 5.0), 31_765: Goal(193.0, 8, 96.0, 9.0), 63_529: Goal(393.0, 16, math.nan, 16.0)}
UNKNOWN = Goal(math.nan, 0, math.nan, math.nan)


def measure(strands: int = STRANDS, count: int = FRAMES) -> list[Row]:
    scene = hairy_ball(strands)
    compile_all(scene)
    if strands > STRANDS:
        return _rows(strands, _kept_frames(strands, scene, count))
    simulation = Simulation(scene)
    simulation.restore(_settled(strands))
    gain = _gain_of_threads(simulation)
    return [*_rows(strands, measured_frames(simulation, count)), _gain_row(gain)]


def _settled(strands):
    return settled_state(f"ball-{strands}", hairy_ball(strands, air_drag=THICK_AIR), REST)


def _kept_frames(strands, scene, count):
    run = StoredRun(FOLDER / f"turning-ball-{strands}", scene, start=lambda: _settled(strands))
    last = run.simulation.frame_number + count - len(run.measured)
    for entry in run.frames(last):
        print(frame_line(entry), file=sys.stderr, flush=True)
    return run.measured[:count]


def _rows(strands, measured):
    return frame_rows(f"{strands:,} strands", measured, GOALS.get(strands, UNKNOWN))


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


def _gain_row(seconds):
    one, two = seconds
    return Row("the first of them on two threads", f"{two:.1f} s", f"{one:.1f} s on one", two / one, 1.0 / GAIN_BOUND)


if __name__ == "__main__":
    print_table(TITLE, measure(*map(int, sys.argv[1:])))
