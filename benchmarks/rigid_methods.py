"""Small versions of the rigid scenes by every method that solves steps of them.

`python -m benchmarks.rigid_methods` prints the table: time and iterations of a frame, what is left, and what crosses.
"""

import importlib
from typing import NamedTuple

import numpy as np

from stiction.solver.errors import SceneRefused, SimulationFailed

from .scenes.running import MeasuredFrame, Shot, run

TITLE = "Contact: rigid scenes by every method"
METHODS = ("prox", "cr", "regions", "ica", "admm")
FRAMES = 4  # of which the last three are measured: the first is the start
FALLING = 16  # frames, until what starts in the air lies in something
LATER = {"funnel": FALLING}
SCENES = {  # with their sizes
    "tower": 2,
    "stacked_boxes": 3,
    "spheres": 8,
    "jacks": 8,
    "wall": 2,
    "glasses": 4,
    "chalices": 2,
    "colosseum": 6,
    "temple": 2,
    "funnel": 27,
}


class Cell(NamedTuple):
    seconds: float  # the fastest frame: the machine may do other work
    iterations: float  # a frame
    residual: float  # largest [mm]
    crossings: int  # in all frames
    held_back: int  # nodes

    def __str__(self):
        more = f", {self.held_back} held back" if self.held_back else ""
        more += f", {self.crossings} crossings" if self.crossings else ""
        return f"{self.seconds:.2f} s, {self.iterations:.0f}, {self.residual:.3f} mm{more}"


def measured(name: str, size: int, method: str) -> Cell:
    shot: Shot = importlib.import_module(f"benchmarks.scenes.{name}").SHOT
    scene = shot.build(size)
    scene.contact_method = method
    return _cell(list(run(shot, scene, LATER.get(name, FRAMES)))[1 - FRAMES :])


def _cell(frames: list[MeasuredFrame]) -> Cell:
    reports = [entry.report for entry in frames]
    return Cell(
        min(entry.seconds for entry in frames),
        float(np.mean([report.contact_iterations for report in reports])),
        1e3 * max(report.contact_residual for report in reports),
        sum(entry.intersections for entry in frames),
        sum(report.held_back for report in reports),
    )


def print_report() -> None:
    print(f"\n## {TITLE}\n\n| scene | {' | '.join(METHODS)} |\n|{'---|' * (len(METHODS) + 1)}", flush=True)
    for name, size in SCENES.items():
        print(f"| `{name} {size}` |", end="", flush=True)
        for method in METHODS:
            print(f" {_told(name, size, method)} |", end="", flush=True)
        print(flush=True)


def _told(name, size, method):
    try:
        return str(measured(name, size, method))
    except (SceneRefused, SimulationFailed) as error:
        return f"refused: {error}"


if __name__ == "__main__":
    print_report()
