"""Steps of solids by conjugate residuals on one thread, beside the paper's [Verschoor and Jalba 2019, table 1].

The bodies fall on each other before, in longer steps by ADMM, or by CR where factors would be dear; what comes of that
is stored in out/bench/fallen. Each scene runs in a process of its own. `python -m benchmarks.mixed_rows NAME…` measures
some of them.
"""

import json
import subprocess
import sys
from typing import NamedTuple

from .mixed_case import CASES, Measured
from .report import Row, print_table

TITLE = "Contact: steps of solids by conjugate residuals"
LEAST_GAIN = 3.0  # of Full over Diag
LEAST_BANDWIDTH = 0.7  # of a triad


class Paper(NamedTuple):
    iterations: float
    seconds: float
    contacts: float
    gain: float | None = None  # of CR over ICA in resolution, at least
    memory: float | None = None  # [MB]
    is_bound: bool = True  # its iterations and seconds are, for steps as exact as those of the other rows
    fits_cache: bool = False  # the matrix; its products then tell nothing about memory


PAPER = {
    "rings": Paper(97, 1.46, 760, memory=380.0, fits_cache=True),
    "stiff rings": Paper(154, 1.6, 633, gain=2.5, fits_cache=True),
    "pyramid": Paper(69, 6.0, 2855, memory=1800.0),
    "bunnies": Paper(900, 36.2, 233, gain=5.0, memory=2200.0),
    "pulled body": Paper(81, 10.71, 1450),
    "pulled body, absolute error": Paper(81, 10.71, 1450, is_bound=False),
    "bearing": Paper(480, 22.9, 1348),
}


def measure(names: list[str] | None = None) -> list[Row]:
    return [row for name in names or CASES for row in _rows(name, PAPER[name], _measured(name))]


def _measured(name):
    command = [sys.executable, "-m", "benchmarks.mixed_case", name]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return Measured(**json.loads(printed))


def _rows(name, paper, ours):
    contacts = f"{ours.contacts:.0f} contacts ({paper.contacts:g} in the paper)"
    steps = f"{name}: a step with {contacts}, mean of {CASES[name].steps}"
    solved = f"{100.0 * ours.is_solved:.0f} % solved"
    bound = 1.0 if paper.is_bound else None
    what = f"{steps}, iterations, {solved}"
    rows = [
        _against_paper(what, f"{ours.iterations:.0f}", ours.iterations, paper.iterations, bound),
        _against_paper(f"{name}: a step, seconds", f"{ours.seconds:.2f} s", ours.seconds, paper.seconds, bound),
    ]
    if CASES[name].rivals:
        rows += _against_rivals(name, paper, ours)
    if paper.memory is not None:
        what = f"{name}: memory above the warmed process"
        rows.append(_against_paper(what, f"{ours.memory:.0f} MB", ours.memory, paper.memory))
    return rows


def _against_rivals(name, paper, ours):
    """By Diag and ICA; of products with A, that they take the bandwidth there is."""
    rows = [
        Row(
            f"{name}: iterations, Full against Diag, {CASES[name].rivals} systems",
            *(f"{ours.full:.0f}", f"{ours.diag:.0f}", LEAST_GAIN * ours.full / ours.diag, 1.0),
        ),
        Row(
            f"{name}: the same with A's diagonal in Full, as published",
            *(f"{ours.published:.0f}", f"{ours.diag:.0f}", LEAST_GAIN * ours.published / ours.diag),
        ),
        _against_ica(name, paper, ours),
    ]
    if ours.diag_step is not None:
        ratio = LEAST_GAIN * ours.iterations / ours.diag_step
        what = f"{name}: iterations a step, Full against Diag in steps of its own"
        rows.insert(2, Row(what, f"{ours.iterations:.0f}", f"{ours.diag_step:.0f}", ratio, 1.0))
    if not paper.fits_cache:
        shown, ratio = f"{100 * ours.product:.0f} % of a triad's", LEAST_BANDWIDTH / ours.product
        rows.append(Row(f"{name}: products with A, bandwidth", shown, "70 % asked", ratio, 1.0))
    return rows


def _against_paper(what, shown, ours, paper, bound=1.0):
    return Row(what, shown, f"{paper:g} in the paper", ours / paper, bound)


def _against_ica(name, paper, ours):
    """The ratio is of times, and has a bound where the paper has one."""
    least = "at least " if ours.is_capped else ""
    bound = None if paper.gain is None else 1.0 / paper.gain
    what = f"{name}: resolution of a system, against ICA, until the dynamics are solved as well"
    reference = f"ICA {least}{ours.anticipated:.2f} s"
    return Row(what, f"{ours.mixed:.3f} s", reference, ours.mixed / ours.anticipated, bound)


if __name__ == "__main__":
    print_table(TITLE, measure(sys.argv[1:]))
