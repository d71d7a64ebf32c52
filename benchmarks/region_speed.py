"""What splitting contacts into regions saves, and how often it converges poorly [contact regions, section 5].

The paper's scenes: balls that break skittles, with up to 45 contacts, and balls that stack in a bucket, up to 80. Its
bodies are masses alone within a step. `python -m benchmarks.region_speed` prints the table; one thread.
"""

from functools import partial
from typing import NamedTuple

import numba
import numpy as np

from stiction.solver import Simulation
from stiction.solver.contact.anticipation import dense
from stiction.solver.contact.kept_regions import KeptRegions, touched_parts
from stiction.solver.contact.local_form import LocalForm, local_form
from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.region_rows import contact_regions
from stiction.solver.contact.regions import RegionSettings, run_regions

from .report import Row, print_table
from .scenes.bucket import bucket
from .scenes.friction_problems import all_steps, lumped_problem
from .scenes.skittles import skittles
from .timing import best_seconds

TITLE = "Contact: regions, one thread"
TOLERANCE = 1e-6  # of the projected residual, over the velocities without contacts
ITERATIONS = 1000  # of 20 sweeps each: what takes more converges poorly
MOVING, STACKED = 2.5, 7.0  # times less, asked
POOR, POOR_PLAIN = 0.009, 0.03  # of solves in the paper, and with projected Gauss-Seidel alone
ROUNDS = 3  # of each solve by itself: on a busy machine a longer stretch is never undisturbed
SKITTLE_ROWS = 6


class Case(NamedTuple):
    form: LocalForm
    touched: tuple  # how many points there are, and those that each contact touches


def measure() -> list[Row]:
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        moving = _cases(Simulation(skittles(SKITTLE_ROWS)), 12, 45)
        stacked = _cases(Simulation(bucket(12)), 14, 80)
        return [
            *_rows("balls and skittles", moving, MOVING),
            *_rows("balls in a bucket", stacked, STACKED),
            *_poor_rows(moving + stacked),
        ]
    finally:
        numba.set_num_threads(threads)


def _cases(simulation, frame, most_contacts):
    """Not more contacts than the paper has."""
    problems = (lumped_problem(step) for step in all_steps(simulation, frame))
    return [
        Case(local_form(problem), touched_parts(problem))
        for problem in problems
        if problem.contact_count <= most_contacts
    ]


def _settings(case, **options):
    return RegionSettings(ITERATIONS, TOLERANCE * max(float(np.linalg.norm(case.form.q)), 1e-12), **options)


def _rows(name, cases, asked):
    contacts = [len(case.form.q) for case in cases]
    regions = np.mean([contact_regions(case.form.W)[0] for case in cases])
    what = f"{name}, {len(cases)} solves of {min(contacts)} to {max(contacts)} contacts in {regions:.1f} regions"
    whole = [case._replace(form=case.form._replace(W=dense(case.form.W))) for case in cases]
    split, sparse_time, dense_time, plain_time, pyramid = (
        _seconds(chosen, **options)
        for chosen, options in (
            (cases, {}),
            (cases, {"is_split": False}),
            (whole, {"is_split": False}),
            (whole, {"is_split": False, "uses_newton": False}),
            (cases, {"is_pyramid": True}),
        )
    )
    kept, found = _finding_seconds(cases)
    return [
        _row(f"{what}: split against the paper's unsplit dense solver", split, dense_time, 1.0 / asked),
        _row(f"{name}: split against the same without Newton's method, as the paper has it", split, plain_time),
        _row(f"{name}: split against our unsplit sparse solver", split, sparse_time),
        _row(f"{name}: friction cone against pyramid", split, pyramid),
        _row(f"{name}: regions kept and updated against found in each solve", kept, found),
    ]


def _row(what, ours, other, bound=None):
    return Row(what, f"{1e3 * ours:.1f} ms", f"{1e3 * other:.1f} ms", ours / other, bound)


def _seconds(cases, **options):
    runs = [partial(run_regions, case.form, _settings(case, **options)) for case in cases]
    runs[0]()
    return sum(best_seconds(run, ROUNDS) for run in runs)


def _finding_seconds(cases):

    def keep():
        kept = KeptRegions()
        for case in cases:
            kept.update(*case.touched)

    def find():
        for case in cases:
            contact_regions(case.form.W)

    keep()
    return best_seconds(keep, ROUNDS), best_seconds(find, ROUNDS)


def _poor_rows(cases):
    """What did not end within the iterations; the paper's figures beside."""
    rows = []
    for what, options, paper, bound in (
        ("gradients, then sweeps, then Newton's method", {}, POOR, 1.0),
        ("gradients, then sweeps", {"uses_newton": False}, POOR, None),
        ("sweeps alone", {"gradient_steps": 0, "uses_newton": False}, POOR_PLAIN, None),
    ):
        poor, solves = _poor(cases, **options)
        rows.append(_poor_row(f"regions that converge poorly, {solves:,} solves: {what}", poor / solves, paper, bound))
    rejected = sum(not _is_accepted(case.form) for case in cases) / len(cases)
    what = f"problems of which the judge does not accept the solution to {TOLERANCE:.0e}, of {len(cases):,}"
    return [*rows, _poor_row(what, rejected, POOR, 1.0)]


def _poor_row(what, share, paper, bound):
    return Row(what, f"{share:.2%}", f"{paper:.1%} in the paper", share / paper, bound)


def _poor(cases, **options):
    results = [run_regions(case.form, _settings(case, **options)) for case in cases]
    return sum(result.unfinished for result in results), sum(result.region_count for result in results)


def _is_accepted(form):
    problem = FrictionProblem.local(form.W, form.q, form.mu)
    return solve(problem, "regions", TOLERANCE, ITERATIONS).converged


if __name__ == "__main__":
    print_table(TITLE, measure())
