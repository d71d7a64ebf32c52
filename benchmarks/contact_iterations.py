"""How many iterations contact methods need on steps of the hairy ball [Daviet 2020, table 3].

`python -m benchmarks.contact_iterations STRANDS STEPS FOLDER` measures so many steps of a ball with so many strands.
It draws the methods' convergence to the folder, if one is given.
"""

import sys
from statistics import median

from .contact_runs import TOLERANCE, ContactRuns, Run
from .report import Row, print_table
from .scenes.friction_problems import captured_steps
from .scenes.hairy_ball import hairy_ball

STRANDS = 500
STEPS = 2  # the third, where all the hair falls together, takes minutes
CONTACTS_A_STRAND = 1  # from which on a step is measured
PAPER_ITERATIONS = 31  # of ADMM
FEWER = 8  # times, than NL-ICA
TRIED = 9  # times ADMM's iterations: NL-ICA is given up after that many
ROUNDS = 3  # of ADMM, for the time of its projections
TITLE = "Contact: iterations on steps of the hairy ball"


def measure(strands: int = STRANDS, count: int = STEPS) -> list[Row]:
    return _rows(strands, _steps(strands, count))


def _steps(strands, count):
    return [ContactRuns(step) for step in captured_steps(hairy_ball(strands), CONTACTS_A_STRAND * strands, count)]


def _rows(strands, steps):
    admm, awake = ([_quickest(step, sleeps) for step in steps] for sleeps in (True, False))
    nl_ica, ica = ([step.ica(is_pyramid) for step in steps] for is_pyramid in (False, True))
    contacts = median(step.step.contacts.contact_count for step in steps)
    iterations = _median(admm, "iterations")
    return [
        Row(
            f"iterations of ADMM until δ∞ is {1e3 * TOLERANCE:g} mm, {strands} strands with {contacts:.0f} contacts",
            f"{iterations:.0f} ({min(run.iterations for run in admm)} to {max(run.iterations for run in admm)})",
            f"{PAPER_ITERATIONS} in the paper",
            iterations / PAPER_ITERATIONS,
            1.0,
        ),
        _equal_accuracy(steps, admm),
        _own_measure("NL-ICA", admm, nl_ica),
        _own_measure("ICA", admm, ica),
        _seconds("NL-ICA", admm, nl_ica),
        _seconds("ICA", admm, ica),
        _residuals("NL-ICA", admm, nl_ica),
        _residuals("ICA", admm, ica),
        _sleeping(admm, awake),
    ]


def _quickest(step, sleeps):
    return min((step.admm(sleeps=sleeps) for _ in range(ROUNDS)), key=lambda run: run.projection_seconds)


def _equal_accuracy(steps, admm):
    """δ∞ is the last change. Relaxation creeps, and hardly changes long before it is near the solution."""
    most = [TRIED * run.iterations for run in admm]
    others = [
        step.ica(False, near=run.errors[-1], tolerance=0.0, most=end) for step, run, end in zip(steps, admm, most)
    ]
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


def _sleeping(admm, awake):
    own, other = (_median(runs, "projection_seconds") for runs in (admm, awake))
    shown = f"{own:.3f} s, {_median(admm, 'iterations'):.0f} iterations"
    reference = f"all awake {other:.3f} s, {_median(awake, 'iterations'):.0f} iterations"
    return Row("projection with contacts that sleep", shown, reference, own / other)


def _median(runs: list[Run], name: str) -> float:
    return median(getattr(run, name) for run in runs)


def _median_error(runs):
    return median(run.errors[-1] for run in runs)


def main(strands: str = str(STRANDS), count: str = str(STEPS), folder: str = ""):
    steps = _steps(int(strands), int(count))
    print_table(TITLE, _rows(int(strands), steps))
    if folder:
        from .contact_curves import draw_convergence

        draw_convergence(steps[-1], folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
