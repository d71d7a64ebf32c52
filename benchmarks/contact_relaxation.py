"""What a sweep of PROX takes, on one thread.

`python -m benchmarks.contact_relaxation` prints the table.
"""

from functools import partial

import numba

from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.proximal_schemes import OverDelassus, OverRoot
from stiction.solver.contact.r_factors import LOCAL, cone_law, ellipsoid_law

from .report import Row, print_table
from .scenes.rigid_pile import sphere_pile
from .timing import best_seconds

TITLE = "Contact: a sweep over rigid bodies, one thread"
SIDE = 20  # spheres along each edge of a pile: 22,800 contacts
SWEEPS = 60  # each timed by itself: on a busy machine a longer stretch is never undisturbed
NANOSECONDS = 100.0  # asked, for a contact and sweep


def measure() -> list[Row]:
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return [row for spin in (False, True) for row in _rows(spin)]
    finally:
        numba.set_num_threads(threads)


def _rows(spin):
    form = local_form(sphere_pile(SIDE, spin))
    what = f"PROX Gauss-Seidel, {'ellipsoids, with spin' if spin else 'cones'}, {len(form.q):,} contacts"
    make_law = ellipsoid_law if spin else cone_law
    return [
        _row(f"{what}: a contact and sweep", OverRoot(form, make_law(form, LOCAL), False), 1.0),
        _row(f"{what}: the same with the whole of W", OverDelassus(form, make_law(form, LOCAL), False)),
    ]


def _row(what, scheme, bound=None):
    state = scheme.motion if isinstance(scheme, OverRoot) else scheme.impulses
    run = partial(scheme.sweep, scheme.rows, scheme.law, 1.0, False, state, state)
    run()
    nanoseconds = 1e9 * best_seconds(run, SWEEPS) / len(scheme.impulses)
    return Row(what, f"{nanoseconds:.0f} ns", f"{NANOSECONDS:.0f} ns asked", nanoseconds / NANOSECONDS, bound)


if __name__ == "__main__":
    print_table(TITLE, measure())
