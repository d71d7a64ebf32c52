"""How the time of ICA and of full anticipation grows with the contacts [Otaduy et al. 2009, figure 6, left].

`python -m benchmarks.anticipation_growth` prints the table.
"""

from functools import partial

import numpy as np

from stiction.solver.contact.methods import ALL_METHODS

from .report import Row, print_table
from .scenes.resting_sheet import resting_sheet
from .timing import best_seconds

TITLE = "Contact: iterative against full anticipation"
SIDE = 30  # nodes along an edge of the sheet
CONTACTS = 100, 200, 400, 800
TOLERANCE = 1e-4
ITERATIONS = 300


def measure() -> list[Row]:
    return [row for friction in (0.0, 0.4) for row in _rows(friction)]


def _rows(friction):
    seconds = {method: [_seconds(method, count, friction) for count in CONTACTS] for method in ("ica", "anticipation")}
    first, last = CONTACTS[0], CONTACTS[-1]
    ours, full = (f"{1e3 * times[-1]:.0f} ms" for times in seconds.values())
    growth = {method: _exponent(times) for method, times in seconds.items()}
    what = f"a sheet with {last} contacts, friction {friction:g}"
    return [
        Row(f"{what}: ICA against full anticipation", ours, full, seconds["ica"][-1] / seconds["anticipation"][-1]),
        Row(
            f"{what}: power of the number of contacts by which time grows, {first} to {last}",
            f"ICA {growth['ica']:.2f}",
            f"full anticipation {growth['anticipation']:.2f}",
            growth["ica"] / growth["anticipation"],
        ),
    ]


def _seconds(method, contacts, friction):
    problem = resting_sheet(SIDE, contacts, friction)
    run = partial(ALL_METHODS[method], problem, TOLERANCE, ITERATIONS)  # without the judge, who factorises A
    run()
    return best_seconds(run, 3)


def _exponent(seconds):
    return float(np.polyfit(np.log(CONTACTS), np.log(seconds), 1)[0])


if __name__ == "__main__":
    print_table(TITLE, measure())
