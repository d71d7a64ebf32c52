"""Steps of 120 bunnies in a heap, by ADMM on one thread [Daviet 2020, section 7.2]: seconds by stage, and what is left.

The bunnies fall on each other in longer steps, which are not measured. `python -m benchmarks.bunny_steps BUNNIES STEPS`
measures any number.
"""

import sys
import time
from statistics import mean

import numba

from stiction.solver.collision.frame_check import intersection_counter
from stiction.solver.state import State

from .frame_rows import STAGES, seconds_in
from .report import Row, print_table
from .scenes.bunnies import COUNT, bunnies
from .scenes.running import MeasuredFrame, frame_line
from .scenes.solids import STEPS_PER_FRAME, solid_simulation

FRAMES = 2  # of ten steps
FALL = 0.12  # how long the bunnies fall on each other [s],
FALL_STEP = 4e-3  # and in which steps [s]
PAPER_SECONDS = 16.9  # a step on one thread
TITLE = "Contact: steps of 120 bunnies"


def measure(count: int = COUNT, frames: int = FRAMES) -> list[Row]:
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return _rows(count, _measured(count, fallen(count), frames))
    finally:
        numba.set_num_threads(threads)


def fallen(count: int) -> State:
    """The bunnies when they lie on each other, at time zero."""
    simulation = solid_simulation(bunnies(count, time_step=FALL_STEP))
    for _ in range(round(FALL / FALL_STEP)):
        simulation.advance()
    state = simulation.state.copy()
    state.step, state.impulses = 0, state.impulses * (1e-3 / FALL_STEP)
    return state


def _measured(count, state, frames):
    simulation = solid_simulation(bunnies(count))
    simulation.restore(state)
    count_intersections = intersection_counter(simulation.scene)
    measured, start = [], time.perf_counter()
    for frame in simulation.frames(2, 1 + frames):
        measured.append(MeasuredFrame(frame.report, time.perf_counter() - start, count_intersections(frame)))
        print(frame_line(measured[-1]), file=sys.stderr, flush=True)
        start = time.perf_counter()
    return measured


def _rows(count, measured):
    step = mean(entry.seconds for entry in measured) / STEPS_PER_FRAME
    contacts = mean(entry.report.contacts for entry in measured)
    iterations = mean(entry.report.contact_iterations for entry in measured) / STEPS_PER_FRAME
    residual = 1e3 * max(entry.report.contact_residual for entry in measured)
    held, crossings = (sum(values) for values in zip(*((e.report.held_back, e.intersections) for e in measured)))
    rows = [
        Row(
            f"a step of {count} bunnies, {contacts:.0f} contacts, mean of {STEPS_PER_FRAME * len(measured)}",
            *(f"{step:.2f} s", f"{PAPER_SECONDS:g} s in the paper, one thread too", step / PAPER_SECONDS, 1.0),
        )
    ]
    for stage in STAGES:
        spent = mean(seconds_in(entry.report.timings, stage) for entry in measured) / STEPS_PER_FRAME
        rows.append(Row(f"of this, {stage.replace('_', ' ')}", f"{spent:.2f} s", "the step", spent / step))
    what = f"{iterations:.0f} iterations a step, δ∞ at most {residual:.3f} mm, {held} nodes held back"
    return [
        *rows,
        Row(f"intersections after every tenth step; {what}", str(crossings), "none", float(crossings), 0.0),
    ]


if __name__ == "__main__":
    print_table(TITLE, measure(*map(int, sys.argv[1:])))
