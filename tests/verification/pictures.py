"""Pictures of closed forms beside what the solver finds, for the documentation.

They are made only where the environment variable STICTION_PICTURES names a folder:
`STICTION_PICTURES=docs/pictures python -m pytest tests/verification`.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

only_for_pictures = pytest.mark.skipif("STICTION_PICTURES" not in os.environ, reason="no pictures are asked for")
EXACT = {"color": "0.6", "linewidth": 4, "solid_capstyle": "round"}  # the closed form, drawn first
OURS = {"color": "tab:blue", "linewidth": 1, "marker": "o", "markersize": 3}


def picture(name: str, draw: Callable, columns: int = 1, size=(4.6, 3.6), **axes_options) -> None:
    """Let `draw` fill a row of axes, each of a size [inch], and write it to validation_<name>.png."""
    folder = os.environ.get("STICTION_PICTURES")
    if not folder:
        return
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        *(1, columns),
        figsize=(size[0] * columns, size[1]),
        layout="constrained",
        squeeze=False,
        subplot_kw=axes_options,
    )
    draw(*axes[0])
    # matplotlib would write its version; nothing about the machine belongs into the file
    figure.savefig(Path(folder) / f"validation_{name}.png", dpi=110, metadata={"Software": None})
    plt.close(figure)
