"""How well each step of a heap of rings meets the laws of contact [Verschoor and Jalba 2019, figure 13].

`python -m benchmarks.complementarity FOLDER RINGS STEPS` draws the largest value of the Fischer-Burmeister function of
all contacts of each step, as a way in the step, and prints in how many steps it is below the paper's tolerances.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stiction.solver.contact.coulomb_law import OPEN, SLIP, STICK
from stiction.solver.contact.residuals import contact_softness, fischer_burmeister, velocities_of

from .mixed_steps import problem_of, watched_steps
from .plots import save_plot
from .scenes.rings import rings
from .scenes.solids import MILLISECOND

NAME = "mixed_complementarity.png"
RINGS, STEPS = 20, 300
LEAST_SHOWN = 1e-10  # [m]
SOLVER_TOLERANCE, CONTACT_TOLERANCE = 5e-5, 5e-6  # ε₁ and ε₂ of the paper, as ways in a step [m]


class Errors(NamedTuple):
    """The largest of a step [m]."""

    normal: float
    static: float
    kinetic: float  # as in the paper: of sliding speed and room in the cone
    kinetic_with_direction: float  # and how far friction is from pointing against the sliding


BOUNDS = Errors(SOLVER_TOLERANCE, SOLVER_TOLERANCE, CONTACT_TOLERANCE, SOLVER_TOLERANCE)


def errors_of(solver, time_step: float) -> Errors:
    problem, impulses, states = problem_of(solver), solver.rows.impulses, solver.rows.states
    u = velocities_of(problem, solver.state.v, impulses)
    softness = contact_softness(problem)
    both = fischer_burmeister(u, impulses, problem.mu, softness)  # its second part looks at the direction, too
    room = softness * (problem.mu * impulses[:, 0] - np.linalg.norm(impulses[:, 1:], axis=1))
    speed = np.linalg.norm(u[:, 1:], axis=1)
    cone = speed + room - np.hypot(speed, room)
    parts = both[states != OPEN, 0], both[states == STICK, 1], cone[states == SLIP], both[states == SLIP, 1]
    return Errors(*(time_step * float(np.abs(part).max(initial=0.0)) for part in parts))


def measure_errors(count: int = RINGS, step_count: int = STEPS) -> list[Errors]:
    scene = rings(count)
    scene.contact_method = "cr"
    steps = watched_steps(scene, step_count)
    return [errors_of(step.solvers[-1], scene.time_step) for step in steps if step.contact_count]


def draw(folder: str, errors: list[Errors]) -> None:
    def plot(axes):
        times = MILLISECOND * np.arange(len(errors))
        for name, values, colour in zip(Errors._fields, zip(*errors), ("C0", "C2", "C1")):
            axes.plot(times, np.maximum(values, LEAST_SHOWN), label=name, linewidth=0.9, color=colour)
        for bound, name in ((SOLVER_TOLERANCE, "ε₁"), (CONTACT_TOLERANCE, "ε₂")):
            axes.axhline(bound, color="0.5", linewidth=0.8)
            axes.annotate(name, (0.0, bound), fontsize=8)
        axes.set(xlabel="time since the first contact (s)", ylabel="largest |φ| (m)", yscale="log")

    save_plot(Path(folder) / NAME, plot)


def main(folder: str, count: str = str(RINGS), step_count: str = str(STEPS)) -> None:
    errors = measure_errors(int(count), int(step_count))
    for name, values, bound in zip(Errors._fields, zip(*errors), BOUNDS):
        below = sum(value < bound for value in values)
        shown = f"median {np.median(values):.1e} m, largest {max(values):.1e} m"
        print(f"{name:22} {shown}, {below} of {len(values)} steps below {bound:g} m")
    draw(folder, errors)


if __name__ == "__main__":
    main(*sys.argv[1:])
