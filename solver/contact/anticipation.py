"""Full constraint anticipation: what every contact does to every other, as a dense matrix.

[Otaduy et al. 2009, section 5.1]. The comparison of the paper's figure 6: one solve with A for each row of J, then
sweeps over a dense matrix. Friction is Coulomb's.
"""

import numpy as np
import scipy.sparse as sparse

from .local_form import TINY, local_form, velocities_under
from .problem import FrictionProblem
from .regions import STRICTER, RegionSettings, run_regions


def solve_by_anticipation(problem: FrictionProblem, tolerance: float, iterations: int):
    """Velocities, impulses and the history of the projected residual, relative to the velocities without contacts."""
    form = local_form(problem)
    if not problem.contact_count:
        return velocities_under(problem, form.q), form.q, [0.0]
    scale = max(float(np.linalg.norm(form.q)), TINY)
    settings = RegionSettings(
        iterations, STRICTER * tolerance * scale, is_split=False, gradient_steps=0, uses_newton=False
    )
    result = run_regions(form._replace(W=dense(form.W)), settings)
    return velocities_under(problem, result.impulses), result.impulses, [value / scale for value in result.history]


def dense(W: sparse.csr_array) -> sparse.csr_array:
    """All entries stored, zeros too: what a dense matrix costs."""
    size = W.shape[0]
    columns = np.tile(np.arange(size, dtype=np.int32), size)
    offsets = np.arange(0, size * size + 1, size, dtype=np.int64)
    return sparse.csr_array((W.toarray().ravel(), columns, offsets), shape=W.shape)
