"""Plots for the documentation."""

from collections.abc import Callable
from pathlib import Path


def save_plot(path: Path, plot: Callable, size: tuple[float, float] = (8.0, 4.0), panels: int = 1) -> None:
    """Let `plot` draw on axes, as many as there are panels beside each other, and write a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, panels, figsize=size, layout="constrained", squeeze=False)
    plot(*axes[0])
    for panel in axes[0]:
        panel.legend(fontsize=8)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
