"""How conjugate residuals and their comparisons converge on one problem [Verschoor and Jalba 2019, figure 6].

`python -m benchmarks.mixed_curves FOLDER` draws a picture and prints the iterations.
"""

import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.conjugate_residual import CrSettings, run_cr
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge
from stiction.solver.contact.staggered import run_staggered

from .plots import save_plot

NAME = "mixed_convergence.png"
TOLERANCE, ITERATIONS = 1e-9, 6000
SIDE, LAYERS = 12, 4  # nodes of each slab
STIFFNESS, FRICTION = 40.0, 0.5  # of a spring, in masses of a node


def pressed_slabs() -> FrictionProblem:
    """Two elastic slabs on a floor, pressed down in the middle and pushed sideways; each node meets the one below."""
    A = sparse.block_diag([_slab()] * 2)
    count = SIDE * SIDE * LAYERS
    across = np.linspace(-1.0, 1.0, SIDE)
    press = np.exp(-2.0 * (across[:, None] ** 2 + across**2)).ravel()
    f = np.tile([0.05, 0.02, -0.1], (2 * count, 1))
    f[-SIDE * SIDE :, 2] -= press  # on top of the upper slab
    f[-SIDE * SIDE :, 0] += 0.5 * press
    ground, below, above = (first + np.arange(SIDE * SIDE) for first in (0, count - SIDE * SIDE, count))
    nodes = np.concatenate([ground, np.column_stack([above, below]).ravel()])
    weights = np.concatenate([np.ones(SIDE * SIDE), np.tile([1.0, -1.0], SIDE * SIDE)])
    offsets = np.concatenate([np.arange(SIDE * SIDE), SIDE * SIDE + 2 * np.arange(SIDE * SIDE + 1)])
    frames = np.tile([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], (2 * SIDE * SIDE, 1, 1))
    return FrictionProblem.nodal(A, f.ravel(), offsets, nodes, weights, frames, np.zeros((len(frames), 3)), FRICTION)


def _slab():
    """Unit masses on a lattice, layer after layer, with springs between neighbours."""
    shape = LAYERS, SIDE, SIDE
    numbers = np.arange(np.prod(shape)).reshape(shape)
    pairs = [(numbers.take(range(n - 1), a), numbers.take(range(1, n), a)) for a, n in enumerate(shape)]
    first, second = (np.concatenate([pair[end].ravel() for pair in pairs]) for end in (0, 1))
    rows = np.arange(len(first))
    steps = sparse.csr_array((np.ones(len(first)), (rows, first)), shape=(len(first), numbers.size))
    steps = steps - sparse.csr_array((np.ones(len(first)), (rows, second)), shape=steps.shape)
    matrix = sparse.eye_array(numbers.size) + STIFFNESS * (steps.T @ steps)
    return sparse.kron(matrix, sparse.eye_array(3))


def histories(problem: FrictionProblem) -> dict[str, list[float]]:
    kinds = {
        "CR (Full)": {},
        "CR (Diag)": {"is_full": False},
        "MINRES (Diag)": {"is_full": False, "is_minres": True},
    }
    found = {}
    for name, choice in kinds.items():
        found[name] = _checked(problem, name, run_cr(problem, CrSettings(TOLERANCE, ITERATIONS, **choice)))
    for name, is_active_set in (("staggered, 2 × CR (Diag)", False), ("staggered, active set", True)):
        settings = CrSettings(TOLERANCE, ITERATIONS, is_full=False, is_active_set=is_active_set)
        found[name] = _checked(problem, name, run_staggered(problem, settings))
    return found


def _checked(problem, name, solution):
    v, r, history = solution
    print(f"{name:26} {len(history):5} iterations, natural map {judge(problem, v, r).natural_map:.1e}", flush=True)
    return history


def draw(folder: str) -> None:
    def plot(axes):
        for name, history in histories(pressed_slabs()).items():
            axes.plot(history, label=name, linewidth=1.0)
        limits = {"xlim": (0, None), "ylim": (TOLERANCE / 3, 10)}
        axes.set(xlabel="iterations", ylabel="residual, relative", yscale="log", **limits)

    save_plot(Path(folder) / NAME, plot)


if __name__ == "__main__":
    draw(sys.argv[1])
