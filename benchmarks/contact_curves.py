"""How contact methods converge on one step, as a picture [Daviet 2020, figure 16]."""

from pathlib import Path

from .contact_runs import TOLERANCE, ContactRuns

NAME = "contact_convergence.png"
MULTIPLES = (1 / 16, 1 / 4, 1, 4, 16)  # of the weights
ITERATIONS = 150


def draw_convergence(step: ContactRuns, folder: str) -> None:
    """For several weights δ∞ and the way to the solution; then this way for several methods."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13.6, 4.0), layout="constrained")
    _draw_weights(step, *axes[:2])
    _draw_methods(step, axes[2])
    for panel, label in zip(axes, ("δ∞", "way to the solution", "way to the solution")):
        panel.axhline(1e3 * TOLERANCE, color="0.6", linewidth=0.8)
        panel.set(xlabel="iterations", ylabel=f"{label} (mm)", yscale="log", xlim=(0, ITERATIONS))
        panel.legend(fontsize=8)
    # matplotlib would write its version; nothing about the machine belongs into the file
    figure.savefig(Path(folder) / NAME, dpi=110, metadata={"Software": None})
    plt.close(figure)


def _draw_weights(step, changes, errors):
    for place, multiple in enumerate(MULTIPLES):
        for accelerates, dashes in ((False, "-"), (True, "--")):
            run = step.admm(multiple, tolerance=TOLERANCE / 10.0, accelerates=accelerates, iterations=ITERATIONS)
            label = None if accelerates else f"weights × {multiple:g}" if multiple != 1 else "weights (7)"
            style = {"color": f"C{place}", "linestyle": dashes, "linewidth": 2.0 if multiple == 1 else 1.0}
            changes.plot([1e3 * delta for delta in run.history], label=label, **style)
            errors.plot([1e3 * error for error in run.errors], label=label, **style)
    for panel in (changes, errors):
        panel.set_title("ADMM's weights; dashed with acceleration", fontsize=10)


def _draw_methods(step, axes):
    end = {"tolerance": TOLERANCE / 10.0, "iterations": ITERATIONS}
    runs = {
        "ADMM": step.admm(**end),
        "ADMM, no acceleration": step.admm(accelerates=False, **end),
        "ADMM, no sleeping": step.admm(sleeps=False, **end),
        "NL-ICA": step.ica(False, tolerance=TOLERANCE / 10.0, most=ITERATIONS),
        "ICA": step.ica(True, tolerance=TOLERANCE / 10.0, most=ITERATIONS),
    }
    for name, run in runs.items():
        dashes = "--" if name == "ICA" else "-"  # it may lie on the line before
        axes.plot([1e3 * error for error in run.errors], dashes, label=name, linewidth=1.2)
    axes.set_title("Methods", fontsize=10)
