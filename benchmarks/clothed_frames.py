"""Frames of hair and clothes on a running body at the paper's sizes [Daviet 2020, table 2]: seconds by stage, memory.

Each scene in a process of its own, for its own peak of memory. The first frames, in which hair falls and cloth comes to
lie on the body: more contacts are made then than later.
`python -m benchmarks.clothed_frames NAME SIZE FRAMES` prints the rows of any size.
"""

import json
import math
import subprocess
import sys
from importlib import import_module

from stiction.solver import Simulation

from .frame_rows import Goal, frame_rows, measured_frames
from .full import SCENES
from .report import Row
from .scenes.running import compile_all

TITLE = "Contact: frames of hair and clothes"
FRAMES = 3
MOST_SECONDS = 400.0  # of a scene
GOALS = {
    "shirt-only": Goal(62.0, 8, 31.0, 2.7),
    "hair-band-5k": Goal(104.0, 10, 52.0, 5.8),
    "long-hair-on-shirt-5k": Goal(294.0, 8, 147.0, 11.9),
}


def measure() -> list[Row]:
    return [row for name in GOALS for row in _rows_of_process(name)]


def _rows_of_process(name):
    """What stops, or takes too long, is told as missed: the other benchmarks go on."""
    command = [sys.executable, "-m", "benchmarks.clothed_frames", name]
    try:
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=MOST_SECONDS).stdout
    except subprocess.SubprocessError as error:
        goal = GOALS[name]
        paper = f"{goal.paper_seconds:g} s a frame on {goal.paper_cores} cores in the paper"
        return [Row(f"{name}: {FRAMES} frames", f"not done: {type(error).__name__}", paper, math.inf, 1.0)]
    return [Row(*row) for row in json.loads(printed)]


def frames_of(name: str, size: int = 0, count: int = FRAMES) -> list[Row]:
    """Rows of one scene; size 0: the paper's."""
    size = size or SCENES[name].size
    shot = import_module(f"benchmarks.scenes.{SCENES[name].module}").SHOT
    scene = shot.build(size)
    compile_all(scene)
    simulation = Simulation(scene)
    return frame_rows(f"{shot.paper.scene}: {size:,} {shot.size}", measured_frames(simulation, count), GOALS[name])


if __name__ == "__main__":
    print(json.dumps(frames_of(sys.argv[1], *map(int, sys.argv[2:]))))
