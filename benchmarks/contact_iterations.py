"""How many iterations contact methods need on steps of the hairy ball [Daviet 2020, table 3].

The paper starts its solver with the geometry of five frames and counts the iterations until δ∞, the largest change of
the velocities and their largest distance from their copies as ways in a step, is below 0.01 mm. We take five steps of
one simulation: of hair that falls, lies and is turned. A run is warm if it starts as the simulation does, from the
impulses of the last step's contacts and the velocities that they give, and cold from no impulses and the velocities
without them.

`python -m benchmarks.contact_iterations STRANDS FOLDER` measures a ball with so many strands, and draws the methods'
convergence to the folder, if one is given.
"""

import sys
from statistics import median

from .contact_runs import TOLERANCE, ContactRuns, Run
from .report import Row, print_table
from .scenes.friction_problems import ball_steps, settled_step

STRANDS = 500
SLEEPING_STRANDS = 1500  # for the time of projections: with few contacts it is that of calling them
PAPER_ITERATIONS = 31  # of ADMM
PAPER_STEP, PAPER_DELTA = 25, 4e-5  # iterations, and the δ∞ then [m]
SLEEP_BOUND = 0.5  # of the time of projections with all contacts awake
FEWER = 8  # times, than NL-ICA
TRIED = 9  # times ADMM's iterations: NL-ICA is given up after that many
ROUNDS = 3  # of ADMM, for the time of its projections
TITLE = "Contact: iterations on steps of the hairy ball"


def measure(strands: int = STRANDS) -> list[Row]:
    return _rows(strands, _steps(strands))


def _steps(strands):
    return [ContactRuns(step) for step in ball_steps(strands)]


def _rows(strands, steps):
    warm, cold = ([step.admm(is_warm=is_warm) for step in steps] for is_warm in (True, False))
    nl_ica, ica = ([step.ica(is_pyramid) for step in steps] for is_pyramid in (False, True))
    return [
        _iterations(f"warm, {strands} strands with {_contacts(steps)} contacts", warm, 1.0),
        _iterations("cold", cold),
        _after_as_many(steps),
        _equal_accuracy(steps, cold),
        _own_measure("NL-ICA", cold, nl_ica),
        _own_measure("ICA", cold, ica),
        _seconds("NL-ICA", cold, nl_ica),
        _seconds("ICA", cold, ica),
        _residuals("NL-ICA", cold, nl_ica),
        _residuals("ICA", cold, ica),
        _sleeping(ContactRuns(settled_step(SLEEPING_STRANDS))),
    ]


def _contacts(steps):
    counts = sorted({step.step.contacts.contact_count for step in steps})
    return " to ".join(f"{count:,}" for count in (counts[0], counts[-1])[: len(counts)])


def _iterations(what, runs, bound=None):
    iterations = _median(runs, "iterations")
    return Row(
        f"iterations of ADMM until δ∞ is {1e3 * TOLERANCE:g} mm, {what}",
        f"{iterations:.0f} ({', '.join(str(run.iterations) for run in runs)})",
        f"{PAPER_ITERATIONS} in the paper",
        iterations / PAPER_ITERATIONS,
        bound,
    )


def _after_as_many(steps):
    """As the simulation ends a step that has not converged."""
    deltas = [step.admm(is_warm=True, tolerance=0.0, iterations=PAPER_STEP).history[-1] for step in steps]
    shown, paper = f"{1e3 * median(deltas):.3f} mm", f"{1e3 * PAPER_DELTA:.2f} mm in the paper (16k strands)"
    return Row(f"δ∞ after {PAPER_STEP} iterations, warm", shown, paper, median(deltas) / PAPER_DELTA)


def _equal_accuracy(steps, admm):
    """δ∞ is the last change. Relaxation creeps, and hardly changes long before it is near the solution."""
    most = [TRIED * run.iterations for run in admm]
    others = [step.ica(False, near=run.error, tolerance=0.0, most=end) for step, run, end in zip(steps, admm, most)]
    arrived = all(run.iterations < end for run, end in zip(others, most))
    counted = f"NL-ICA {'' if arrived else 'more than '}{_median(others, 'iterations'):.0f}"
    ratio = median(run.iterations / other.iterations for run, other in zip(admm, others))
    what = f"iterations until the solution is as near as where ADMM ends, {1e3 * _median_error(admm):.2f} mm"
    return Row(what, f"{_median(admm, 'iterations'):.0f}", counted, ratio, 1.0 / FEWER)


def _own_measure(name, admm, others):
    def shown(runs):
        return f"{_median(runs, 'iterations'):.0f}, {1e3 * _median_error(runs):.2f} mm off"

    ratio = _median(admm, "iterations") / _median(others, "iterations")
    return Row(f"iterations by each one's own δ∞, beside {name}", shown(admm), f"{name} {shown(others)}", ratio)


def _seconds(name, admm, others):
    own, other = _median(admm, "seconds"), _median(others, "seconds")
    return Row(f"time by each one's own δ∞, beside {name}", f"{own:.2f} s", f"{name} {other:.2f} s", own / other)


def _residuals(name, admm, others):
    def shown(runs):
        parts = (median(getattr(run.residuals, part) for run in runs) for part in ("natural_map", "dynamics"))
        return "{:.1e} and {:.1e}".format(*parts)

    what = f"residuals of law and dynamics by each one's own δ∞, beside {name}"
    return Row(what, shown(admm), f"{name} {shown(others)}", float("nan"))


def _sleeping(step):
    own, other = (_quickest(step, sleeps) for sleeps in (True, False))
    what = f"projection with contacts that sleep, warm, {SLEEPING_STRANDS} strands with {_contacts([step])} contacts"
    shown, reference = (f"{run.projection_seconds:.3f} s, {run.iterations} iterations" for run in (own, other))
    return Row(what, shown, f"all awake {reference}", own.projection_seconds / other.projection_seconds, SLEEP_BOUND)


def _quickest(step, sleeps):
    runs = (step.admm(is_warm=True, sleeps=sleeps) for _ in range(ROUNDS))
    return min(runs, key=lambda run: run.projection_seconds)


def _median(runs: list[Run], name: str) -> float:
    return median(getattr(run, name) for run in runs)


def _median_error(runs):
    return median(run.error for run in runs)


def main(strands: str = str(STRANDS), folder: str = ""):
    steps = _steps(int(strands))
    print_table(TITLE, _rows(int(strands), steps))
    if folder:
        from .contact_curves import draw_convergence

        draw_convergence(steps[-1], folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
