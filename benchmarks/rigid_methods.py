"""Small versions of the rigid scenes by every method that solves steps of them.

`python -m benchmarks.rigid_methods` prints the table: time and iterations a frame, what is left, and what crosses.
"""

import importlib
from typing import NamedTuple

import numpy as np

from stiction.solver.errors import SceneRefused, SimulationFailed

from .scenes.running import MeasuredFrame, Shot, run

TITLE = "Contact: rigid scenes by every method"
METHODS = ("prox", "cr", "regions", "ica", "admm")
FRAMES = 6
SCENES = {  # with their sizes
    "spheres": 27,
    "jacks": 27,
    "wall": 3,
    "tower": 3,
    "funnel": 27,
    "glasses": 8,
    "chalices": 2,
    "temple": 3,
    "colosseum": 6,
    "stacked_boxes": 5,
}


class Cell(NamedTuple):
    seconds: float  # a frame
    iterations: float  # a frame
    residual: float  # largest [mm]
    crossings: int  # in all frames
    held_back: int  # nodes

    def __str__(self):
        more = f", {self.held_back} held back" if self.held_back else ""
        more += f", {self.crossings} crossings" if self.crossings else ""
        return f"{self.seconds:.2f} s, {self.iterations:.0f}, {self.residual:.3f} mm{more}"


def measured(name: str, size: int, method: str, frame_count: int = FRAMES) -> Cell:
    shot: Shot = importlib.import_module(f"benchmarks.scenes.{name}").SHOT
    scene = shot.build(size)
    scene.contact_method = method
    return _cell(list(run(shot, scene, frame_count))[1:])


def _cell(frames: list[MeasuredFrame]) -> Cell:
    """The first frame is the start, and takes no time."""
    reports = [entry.report for entry in frames]
    return Cell(
        float(np.mean([entry.seconds for entry in frames])),
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
