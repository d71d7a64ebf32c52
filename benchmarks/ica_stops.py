"""Where the paper's stopping rules end ICA, and how far from the dynamics that is [Otaduy et al. 2009, section 5.5].

`python -m benchmarks.ica_stops FOLDER` takes the problems of a folder (see `method_problems`).
"""

import sys
from pathlib import Path

import numpy as np

from stiction.solver.contact.ica import SWEEPS, IcaResult, IcaSettings, run_ica, unconstrained_velocities
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge
from stiction.solver.contact.slow_progress import PAPERS_SHARE

from .method_problems import FOLDER, method_problems

KINDS = ("rigid", "solid", "solid-stiff", "cloth", "cloth-stiff", "mixed")
ITERATIONS = 1000
TOLERANCE = 1e-9  # of δ∞ over the velocities without contacts
DEEPEST = 1e-3  # of these velocities, on the mean: a contact may approach by so much
RULES = {
    "by δ∞": {},
    "by the paper's rules": {"slow": PAPERS_SHARE, "deepest": DEEPEST},
    "the same, however deep": {"slow": PAPERS_SHARE},
}


def stopped(problem: FrictionProblem, slow: float = 0.0, deepest: float = np.inf) -> IcaResult:
    start = unconstrained_velocities(problem)
    speed = float(np.linalg.norm(problem.relative_velocities(start)))
    deepest *= speed / np.sqrt(problem.contact_count)
    settings = IcaSettings(ITERATIONS, SWEEPS, TOLERANCE * speed, slow, deepest)
    return run_ica(problem, start, 1.0, settings, is_pyramid=True)


def _cell(problem, result):
    dynamics = judge(problem, result.velocities, result.impulses).dynamics
    return f"{result.iterations}, {result.sweeps / result.iterations:.1f}, {dynamics:.0e}"


def print_report(problems: dict[str, FrictionProblem]) -> None:
    """A cell has iterations, sweeps in each, and the judge's residual of the dynamics."""
    print(f"| problem | {' | '.join(RULES)} |\n|{'---|' * (1 + len(RULES))}")
    for name in KINDS:
        cells = [_cell(problems[name], stopped(problems[name], **rule)) for rule in RULES.values()]
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    print_report(method_problems(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
