"""What a sweep of PROX takes, and what regions and full anticipation take, on one thread.

`python -m benchmarks.contact_relaxation` prints the table.
"""

from functools import partial

import numba
import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.block_rows import block_rows
from stiction.solver.contact.local_form import LocalForm, local_form
from stiction.solver.contact.proximal_sweeps import sweep_cones, sweep_ellipsoids
from stiction.solver.contact.r_factors import LOCAL, cone_law, ellipsoid_law
from stiction.solver.contact.regions import RegionSettings, run_regions

from .report import Row, print_table
from .scenes.rigid_pile import sphere_pile
from .timing import best_seconds

TITLE = "Contact: relaxation of rigid bodies, one thread"
SIDE = 20  # spheres along each edge of a pile: 22,800 contacts
SWEEPS = 5
NANOSECONDS = 100.0  # asked, for a contact and sweep
PILES = 16  # apart from each other, of 2³ spheres with 12 contacts each


def measure() -> list[Row]:
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return [_sweep_row("cones", False), _sweep_row("ellipsoids, with spin", True), *_region_rows()]
    finally:
        numba.set_num_threads(threads)


def _sweep_row(name, spin):
    form = local_form(sphere_pile(SIDE, spin))
    rows = block_rows(form.W, form.q.shape[1])
    law, sweep = (ellipsoid_law(form, LOCAL), sweep_ellipsoids) if spin else (cone_law(form, LOCAL), sweep_cones)
    impulses = np.zeros_like(form.q)
    run = partial(_sweeps, sweep, rows, law, impulses)
    run()
    nanoseconds = 1e9 * best_seconds(run) / (SWEEPS * len(form.q))
    what = f"PROX Gauss-Seidel, {name}: a contact and sweep, {len(form.q):,} contacts"
    bound = None if spin else 1.0
    return Row(what, f"{nanoseconds:.0f} ns", f"{NANOSECONDS:.0f} ns asked", nanoseconds / NANOSECONDS, bound)


def _sweeps(sweep, rows, law, impulses):
    for _ in range(SWEEPS):
        sweep(rows, law, 1.0, False, impulses, impulses)


def _region_rows():
    form = _apart(local_form(sphere_pile(2)))
    dense = form._replace(W=_stored_whole(form.W))
    settings = RegionSettings(tolerance=1e-6)
    unsplit = RegionSettings(tolerance=1e-6, is_split=False)
    split, sparse_time, dense_time = (
        best_seconds(partial(run_regions, *arguments), 3)
        for arguments in ((form, settings), (form, unsplit), (dense, unsplit))
    )
    what = f"{PILES} regions, {len(form.q)} contacts, against the unsplit"
    ours = f"{1e3 * split:.1f} ms"
    return [
        Row(f"{what} dense solver", ours, f"{1e3 * dense_time:.1f} ms", split / dense_time),
        Row(f"{what} sparse solver", ours, f"{1e3 * sparse_time:.1f} ms", split / sparse_time),
    ]


def _apart(form):
    """Many piles that do not touch, each with other velocities."""
    rng = np.random.default_rng(1)
    return LocalForm(
        sparse.csr_array(sparse.block_diag([form.W] * PILES)),
        np.concatenate([form.q + 0.3 * rng.normal(size=form.q.shape) for _ in range(PILES)]),
        *(np.tile(values, PILES) for values in (form.mu, form.softness)),
    )


def _stored_whole(W):
    """With its zeros."""
    size = W.shape[0]
    columns, offsets = np.tile(np.arange(size), size), np.arange(0, size * size + 1, size)
    return sparse.csr_array((W.toarray().ravel(), columns, offsets), shape=W.shape)


if __name__ == "__main__":
    print_table(TITLE, measure())
