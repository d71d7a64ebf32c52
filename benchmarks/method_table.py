"""Every method on every kind of problem: iterations, time, and the residual by the judge, or why it refuses.

`python -m benchmarks.method_table FOLDER` measures the problems of a folder (see `method_problems`); each may be solved
again by `stiction solve FOLDER --method NAME --tolerance 1e-6`. One thread, without the time of compiling.
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

import numba

from stiction.solver.contact.methods import ALL_METHODS, solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge

from .method_problems import FOLDER, KINDS, method_problems

TITLE = "Contact: every method on every kind of problem"
TOLERANCE = 1e-6
ITERATIONS = 1000  # of each method's own
REPEAT_BELOW = 0.2  # a faster run is measured again, so that the first touch of memory does not count [s]


class Entry(NamedTuple):
    iterations: int
    seconds: float
    residual: float  # the larger of law and dynamics, by the judge
    refusal: str = ""

    @property
    def is_solved(self) -> bool:
        return not self.refusal and self.residual <= TOLERANCE

    def __str__(self) -> str:
        if self.refusal:
            return "refused"
        time_told = f"{1e3 * self.seconds:.0f} ms" if self.seconds < 1.0 else f"{self.seconds:.1f} s"
        told = f"{self.iterations}, {time_told}, {self.residual:.0e}"
        return told if self.is_solved else f"*{told}*"


Table = dict[str, dict[str, Entry]]  # by method, by problem


def measure(folder: Path = FOLDER) -> Table:
    problems = method_problems(folder)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return {
            method: {name: _told(method, name, problem) for name, problem in problems.items()} for method in ALL_METHODS
        }
    finally:
        numba.set_num_threads(threads)


def _told(method, name, problem):
    entry = _entry(method, problem)
    print(f"{method} on {name}: {entry}", file=sys.stderr, flush=True)
    return entry


def _entry(method, problem):
    try:
        solve(problem, method, TOLERANCE, 2)  # compiles, and refuses
    except ValueError as error:
        return Entry(0, 0.0, float("nan"), str(error))
    v, r, history, seconds = _timed(method, problem.rebounding())
    if seconds < REPEAT_BELOW:
        seconds = min(seconds, _timed(method, problem.rebounding())[-1])
    residuals = judge(problem, v, r)
    return Entry(len(history), seconds, max(residuals.natural_map, residuals.dynamics))


def _timed(method, problem: FrictionProblem):
    start = time.perf_counter()
    v, r, history = ALL_METHODS[method](problem, TOLERANCE, ITERATIONS)
    return v, r, history, time.perf_counter() - start


def print_report(table: Table, problems: dict[str, FrictionProblem]) -> None:
    """Rows are methods; what did not reach the tolerance is in italics, and refusals are told below."""
    print(f"\n## {TITLE}\n\n| problem | contacts | unknowns | what |\n|---|---|---|---|")
    for name, problem in problems.items():
        print(f"| `{name}` | {problem.contact_count} | {len(problem.f) or '–'} | {KINDS[name].what} |")
    print(f"\n| method | {' | '.join(problems)} |\n|{'---|' * (1 + len(problems))}")
    for method, entries in table.items():
        print(f"| `{method}` | {' | '.join(str(entry) for entry in entries.values())} |", flush=True)
    refusals = {entry.refusal for entries in table.values() for entry in entries.values() if entry.refusal}
    print("\n" + "\n".join(f"- refused: {sentence}" for sentence in sorted(refusals)))
    for name in problems:
        solvers = [method for method, entries in table.items() if entries[name].is_solved]
        fastest = min(solvers, key=lambda method: table[method][name].seconds, default="none")
        print(f"- `{name}`: solved by {len(solvers)}, fastest `{fastest}`")


def report(folder: Path = FOLDER) -> None:
    print_report(measure(folder), method_problems(folder))


if __name__ == "__main__":
    report(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
