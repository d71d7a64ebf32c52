"""How the schemes of PROX converge over many problems: quartiles and roll-backs [Erleben 2017, figures 4 to 9].

`python -m benchmarks.prox_quartiles FOLDER` prints the table, and draws the picture into a folder, if one is given.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from stiction.solver.contact.local_form import LocalForm, local_form
from stiction.solver.contact.proximal import ProxSettings, run_prox
from stiction.solver.contact.r_factors import BLOCKED, GLOBAL, LOCAL

from .scenes.rigid_pile import box_tower, sphere_pile

NAME = "prox_convergence.png"
TITLE = "Contact: schemes of PROX over many problems"
SEEDS = 12
ITERATIONS = 1000  # the paper's limit
NEAR = 1e-3  # the paper's threshold: the largest change of an impulse over the first one
NOTHING = 1e-12  # of the velocities without contacts: a run ends there
SHOWN = 400  # iterations
SCHEMES = [(is_jacobi, strategy) for is_jacobi in (False, True) for strategy in (GLOBAL, LOCAL, BLOCKED)]
QUARTERS = (25, 50, 75)


class Runs(NamedTuple):
    errors: np.ndarray  # smallest change so far over the first one, of each problem and iteration  (p, i)
    roll_backs: np.ndarray  # (p,)

    @property
    def iterations(self) -> np.ndarray:
        """Until the threshold is reached, or all (p,)."""
        return np.where(self.is_near, (self.errors > NEAR).sum(axis=1) + 1, ITERATIONS)

    @property
    def is_near(self) -> np.ndarray:
        return self.errors[:, -1] <= NEAR


def problems() -> list[LocalForm]:
    """Piles of spheres, some of them heavier on top, and towers of boxes; low and high friction."""
    forms = []
    for seed in range(SEEDS):
        friction = (0.2, 0.5, 1.0)[seed % 3]
        forms.append(local_form(sphere_pile(3, friction=friction, seed=seed)))
        forms.append(local_form(sphere_pile(3, friction=friction, seed=seed, heaviest=10.0)))
        forms.append(local_form(sphere_pile(3, True, friction=friction, seed=seed)))
        forms.append(local_form(box_tower(3, 3, friction, seed)))
    return forms


def measure() -> dict[tuple[bool, str], Runs]:
    forms = problems()
    return {scheme: runs_of(forms, *scheme) for scheme in SCHEMES}


def runs_of(forms: list[LocalForm], is_jacobi: bool, strategy: str) -> Runs:
    errors, roll_backs = [], []
    for form in forms:
        least = NOTHING * float(np.linalg.norm(form.q))
        result = run_prox(form, ProxSettings(is_jacobi, strategy, ITERATIONS, least))
        smallest = np.minimum.accumulate(result.history) / max(result.history[0], np.finfo(float).tiny)
        errors.append(np.pad(smallest, (0, ITERATIONS - len(smallest)), mode="edge"))
        roll_backs.append(result.roll_backs)
    return Runs(np.array(errors), np.array(roll_backs))


def scheme_name(is_jacobi: bool, strategy: str) -> str:
    return f"{'Jacobi' if is_jacobi else 'Gauss-Seidel'}, {strategy.capitalize()}"


def print_report(runs: dict[tuple[bool, str], Runs]) -> None:
    count = len(next(iter(runs.values())).roll_backs)
    print(f"\n## {TITLE}\n\n{count} problems of rigid bodies; quartiles.\n")
    print("| scheme | iterations to 10⁻³ | not within 1,000 | change after 100 | roll-backs in 1,000 |")
    print("|---|---|---|---|---|")
    for scheme, run in runs.items():
        near, after, back = (
            np.percentile(values, QUARTERS) for values in (run.iterations, run.errors[:, 99], run.roll_backs)
        )
        columns = (
            f"{near[1]:.0f} ({near[0]:.0f} to {near[2]:.0f})",
            f"{(~run.is_near).sum()}",
            f"{after[1]:.0e} ({after[0]:.0e} to {after[2]:.0e})",
            f"{back[1]:.0f} ({back[0]:.0f} to {back[2]:.0f})",
        )
        print(f"| {scheme_name(*scheme)} | {' | '.join(columns)} |")


def draw(runs: dict[tuple[bool, str], Runs], folder: str) -> None:
    """Above the change by iterations, below how often schemes rolled back."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(13.6, 7.0), layout="constrained")
    for column, strategy in enumerate((GLOBAL, LOCAL, BLOCKED)):
        for is_jacobi in (False, True):
            _draw_band(axes[0, column], runs[is_jacobi, strategy].errors[:, :SHOWN], is_jacobi)
        axes[0, column].set(title=strategy.capitalize(), xlabel="iterations", yscale="log", ylim=(1e-13, 2.0))
        axes[0, column].legend(fontsize=8)
        backs = [runs[is_jacobi, strategy].roll_backs for is_jacobi in (False, True)]
        axes[1, column].boxplot(backs, tick_labels=["Gauss-Seidel", "Jacobi"], whis=(0, 100))
    axes[0, 0].set_ylabel("largest change of an impulse, over the first")
    axes[1, 0].set_ylabel(f"roll-backs in {ITERATIONS:,} iterations")
    # matplotlib would write its version; nothing about the machine belongs into the file
    figure.savefig(Path(folder) / NAME, dpi=90, metadata={"Software": None})
    plt.close(figure)


def _draw_band(axes, errors, is_jacobi):
    low, middle, high = np.percentile(errors, QUARTERS, axis=0)
    label, colour = ("Jacobi", "C1") if is_jacobi else ("Gauss-Seidel", "C0")
    axes.fill_between(np.arange(len(middle)), low, high, color=colour, alpha=0.25, linewidth=0)
    axes.plot(middle, color=colour, label=f"{label}, median and quartiles")


def report() -> None:
    print_report(measure())


def main(folder: str = "") -> None:
    runs = measure()
    print_report(runs)
    if folder:
        draw(runs, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
