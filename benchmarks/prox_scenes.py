"""How the schemes of PROX converge in each of the paper's scenes: quartiles, and how often they diverge.

[Erleben 2017, figures 4 to 9], at sizes of a small machine; one scene has a thousand objects. The problems are those
of the scenes' own steps. `python -m benchmarks.prox_scenes FOLDER` prints the table, and draws the picture into a
folder, if one is given.
"""

import importlib
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stiction.solver import Simulation
from stiction.solver.contact.local_form import LocalForm, local_form
from stiction.solver.contact.r_factors import BLOCKED, GLOBAL, LOCAL

from .prox_quartiles import ITERATIONS, QUARTERS, SCHEMES, Runs, runs_of, scheme_name
from .scenes.friction_problems import problems_by_method
from .scenes.running import Shot, compile_all

NAME = "prox_scenes.png"
TITLE = "Contact: schemes of PROX in the paper's scenes"
PROBLEMS = 8  # of a scene, those of its last steps
FEW = 2  # of scenes of thousands of contacts
SHOWN = 300  # iterations
DRAWN = {(False, LOCAL): "C0", (False, GLOBAL): "C2", (False, BLOCKED): "C3", (True, LOCAL): "C1"}


class Case(NamedTuple):
    module: str  # under benchmarks/scenes
    size: int
    steps: int  # until most of it lies on something
    problems: int = PROBLEMS


CASES = [
    Case("jacks", 27, 40),
    Case("spheres", 27, 40),
    Case("glasses", 12, 40),
    Case("tower", 3, 12),
    Case("wall", 3, 12),
    Case("temple", 2, 4, FEW),
    Case("colosseum", 170, 2, FEW),
    Case("funnel", 27, 40),
    Case("chalices", 2, 12),
]


class Measured(NamedTuple):
    name: str
    objects: int
    contacts: int  # of the largest problem
    runs: dict[tuple[bool, str], Runs]


def measure() -> list[Measured]:
    return [_measured(case) for case in CASES]


def _measured(case):
    shot: Shot = importlib.import_module(f"benchmarks.scenes.{case.module}").SHOT
    scene = shot.build(case.size)
    compile_all(scene)
    forms = [local_form(problem) for problem in _last_problems(Simulation(scene), case)]
    contacts = max(len(form.q) for form in forms)
    print(f"{case.module}: {len(forms)} problems of up to {contacts:,} contacts", file=sys.stderr, flush=True)
    runs = {scheme: runs_of(forms, *scheme) for scheme in SCHEMES}
    return Measured(case.module, len(scene.simulated), contacts, runs)


def _last_problems(simulation, case):
    """Of the steps: only the last ones are kept in memory."""
    kept: list[LocalForm] = []
    for problem in problems_by_method(simulation, case.steps):
        kept = [*kept, problem][-case.problems :]
    return kept


def print_report(measured: list[Measured]) -> None:
    names = [scheme_name(*scheme) for scheme in SCHEMES]
    print(f"\n## {TITLE}\n\n| scene | objects | contacts | {' | '.join(names)} |\n|{'---|' * (3 + len(names))}")
    for entry in measured:
        cells = " | ".join(_cell(entry.runs[scheme]) for scheme in SCHEMES)
        print(f"| `{entry.name}` | {entry.objects:,} | {entry.contacts:,} | {cells} |", flush=True)


def _cell(run):
    """Iterations to the threshold by quartiles, then how many problems did not get there, and roll-backs in all."""
    low, middle, high = np.percentile(run.iterations, QUARTERS)
    return f"{middle:.0f} ({low:.0f} to {high:.0f}), {(~run.is_near).sum()}, {run.roll_backs.sum()}"


def draw(measured: list[Measured], folder: str) -> None:
    """A plot a scene: median and quartiles of the largest change by iterations."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(3, 3, figsize=(13.6, 10.0), layout="constrained", sharex=True, sharey=True)
    for entry, place in zip(measured, axes.flat, strict=True):
        for scheme, colour in DRAWN.items():
            low, middle, high = np.percentile(entry.runs[scheme].errors[:, :SHOWN], QUARTERS, axis=0)
            place.fill_between(np.arange(len(middle)), low, high, color=colour, alpha=0.2, linewidth=0)
            place.plot(middle, color=colour, label=scheme_name(*scheme))
        place.set(title=f"{entry.name}, {entry.objects:,} objects, {entry.contacts:,} contacts", yscale="log")
        place.set_ylim(1e-10, 2.0)
    axes[0, 0].legend(fontsize=8)
    for place in axes[:, 0]:
        place.set_ylabel("largest change, over the first")
    for place in axes[-1]:
        place.set_xlabel("iterations")
    # matplotlib would write its version; nothing about the machine belongs into the file
    figure.savefig(Path(folder) / NAME, dpi=80, metadata={"Software": None})
    plt.close(figure)


def main(folder: str = "") -> None:
    measured = measure()
    print(f"Iterations at most {ITERATIONS:,}.")
    print_report(measured)
    if folder:
        draw(measured, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
