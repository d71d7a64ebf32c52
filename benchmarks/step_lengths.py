"""Iterations of conjugate residuals in a simulated second, by the length of steps [Verschoor and Jalba 2019, figure 9].

Longer steps take more iterations each, but there are fewer of them. `python -m benchmarks.step_lengths FOLDER RINGS
SECONDS` draws how iterations add up and prints their sums.
"""

import sys
from pathlib import Path

import numpy as np

from .mixed_steps import watched_steps
from .plots import save_plot
from .report import Row, print_table
from .scenes.stiff_rings import stiff_rings

NAME = "mixed_step_lengths.png"
STEPS = (5e-4, 1e-3, 2e-3, 4e-3)  # [s]
RINGS, SECONDS = 4, 1.0
TITLE = "Contact: iterations of conjugate residuals by the length of the steps"


def iterations_of_steps(count: int = RINGS, seconds: float = SECONDS) -> dict[float, list[int]]:
    """By the length of a step [s]."""
    found = {}
    for time_step in STEPS:
        scene = stiff_rings(count, time_step=time_step)
        scene.contact_method = "cr"
        found[time_step] = [step.iterations for step in watched_steps(scene, round(seconds / time_step))]
    return found


def measure(count: int = RINGS, seconds: float = SECONDS) -> list[Row]:
    return _rows(count, seconds, iterations_of_steps(count, seconds))


def _rows(count, seconds, found):
    sums = {time_step: sum(iterations) for time_step, iterations in found.items()}
    fewest = min(sums.values())
    rows = []
    for time_step, total in sums.items():
        what = f"iterations in {seconds:g} s of {count} stiff rings, steps of {1e3 * time_step:g} ms"
        mean = np.mean(found[time_step])
        rows.append(Row(what, f"{total:,}, {mean:.1f} a step", f"{fewest:,}, the fewest of all", total / fewest))
    return rows


def draw(folder: str, found: dict[float, list[int]]) -> None:
    def plot(axes):
        for time_step, iterations in found.items():
            times = time_step * np.arange(1, len(iterations) + 1)
            axes.plot(times, np.cumsum(iterations), label=f"{1e3 * time_step:g} ms", linewidth=1.2)
        axes.set(xlabel="time (s)", ylabel="iterations so far", xlim=(0, None), ylim=(0, None))

    save_plot(Path(folder) / NAME, plot)


def main(folder: str, count: str = str(RINGS), seconds: str = str(SECONDS)) -> None:
    found = iterations_of_steps(int(count), float(seconds))
    print_table(TITLE, _rows(int(count), float(seconds), found))
    draw(folder, found)


if __name__ == "__main__":
    main(*sys.argv[1:])
