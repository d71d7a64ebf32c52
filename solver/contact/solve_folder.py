"""`stiction solve FOLDER`: solve the problem files of a folder, and tell how well.

`python -m stiction.solver.contact.solve_folder FOLDER` does the same where there is no Blender.
"""

import argparse
import sys
import time
from pathlib import Path

from ..errors import StictionError
from .fclib import load_fclib
from .methods import ALL_METHODS, solve
from .problem import FrictionProblem
from .problem_file import ENDING, load_problem

ENDINGS = (".hdf5", ".h5", ENDING)
DONE, REFUSED, FAILED = 0, 1, 3
HEADER = (
    f"{'contacts':>8}  {'method':<12}  {'iterations':>10}  {'time [ms]':>10}  {'residual':>9}  {'dynamics':>9}  file"
)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "solve_folder",
        description="Solve friction problems in files of Stiction (.npz) or FCLIB (.hdf5); print residuals and times.",
    )
    add_options(parser)
    return solve_folder(parser.parse_args(arguments))


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder, or one file")
    parser.add_argument("--method", choices=list(ALL_METHODS), help="default: one that fits the problem")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="of the judge's residual (default: %(default)s)")
    parser.add_argument("--iterations", type=int, default=1000, help="at most (default: %(default)s)")


def solve_folder(options: argparse.Namespace) -> int:
    """The exit code: 0 if all were solved, 1 if some file was refused, 3 if some was not solved."""
    paths = problem_files(options.folder)
    if not paths:
        print(f'stiction: there is no problem file ({", ".join(ENDINGS)}) in "{options.folder}".', file=sys.stderr)
        return REFUSED
    print(HEADER)
    return max(_solve_and_tell(path, options) for path in paths)


def problem_files(folder: Path) -> list[Path]:
    """The problem files of a folder in the order of their names, or the one file."""
    if folder.is_file():
        return [folder]
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in ENDINGS)


def load(path: Path) -> FrictionProblem:
    """By the file's ending."""
    return load_problem(path) if path.suffix.lower() == ENDING else load_fclib(path)


def _solve_and_tell(path, options):
    try:
        problem = load(path)
        start = time.perf_counter()
        solution = solve(problem, options.method, options.tolerance, options.iterations)
        milliseconds = 1e3 * (time.perf_counter() - start)
    except (StictionError, ValueError) as error:
        print(f"stiction: {path.name}: {error}", file=sys.stderr)
        return REFUSED
    verdict = "" if solution.converged else "  NOT SOLVED"
    print(
        f"{problem.contact_count:>8}  {solution.method:<12}  {solution.iterations:>10}  {milliseconds:>10.1f}  "
        f"{solution.residual:>9.1e}  {solution.dynamics:>9.1e}  {path.name}{verdict}"
    )
    return DONE if solution.converged else FAILED


if __name__ == "__main__":
    sys.exit(main())
