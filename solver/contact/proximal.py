"""PROX: impulses as a fixed point of proximal operators [Erleben 2017]; docs/theory/proximal.md.

Jacobi and Gauss-Seidel schemes over the Delassus operator, with r-factors that are cut when an iteration diverges.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse

from .leaps import Leaps
from .local_form import TINY, LocalForm, local_form, velocities_under
from .problem import AXES, FrictionProblem
from .proximal_schemes import scheme_of
from .r_factors import BLOCKED, CUTS, LOCAL, cone_law, ellipsoid_law

STRICTER = 1e-2  # than the tolerance asked: the last change is not the error
ROUNDING = 1e-15  # of the largest impulse: changes get no smaller
MEMORY = 10  # iterations: changes come and go, and diverge where they are larger than any of these
GROWTH = 1.01  # by which they may be, on a straight way to where a contact opens
FAR = 30.0  # times the smallest change: with leaps changes come and go
PATIENCE = 10  # iterations that go well, after which the factors grow back by one cut; doubled by each roll-back


@dataclass
class ProxSettings:
    is_jacobi: bool = False  # algorithm 1; else Gauss-Seidel, algorithm 2
    strategy: str = LOCAL  # of r-factors
    iterations: int = 1000
    tolerance: float = 1e-8  # of the largest change, as a velocity                      [m/s]
    leaps: bool = False  # to where sweeps are heading; the paper has none


@dataclass
class ProxResult:
    impulses: np.ndarray  # (m, w) [N s]
    history: list[float]  # largest change of an impulse in each iteration [N s], by which the schemes decide
    roll_backs: int = 0


def solve_by_prox(problem: FrictionProblem, tolerance: float, iterations: int):
    """Velocities, impulses and the history of the largest change, relative to the velocities without contacts."""
    form = local_form(problem, by_root=True)
    if not problem.contact_count:
        return velocities_under(problem, form.q), form.q, [0.0]
    scale = max(float(np.linalg.norm(form.q)), TINY)
    settings = ProxSettings(iterations=iterations, tolerance=STRICTER * tolerance * scale, leaps=True)
    result = run_prox(form, settings, problem.start)
    softness = float(form.softness.max()) / scale
    return velocities_under(problem, result.impulses), result.impulses, [softness * value for value in result.history]


def run_prox(form: LocalForm, settings: ProxSettings, start: np.ndarray | None = None) -> ProxResult:
    """From impulses (m, w) [N s], or none; three rows a contact with one coefficient, or four with three."""
    start = np.zeros_like(form.q) if start is None else start
    if form.q.shape[1] > AXES:
        return _iterate(form, ellipsoid_law(form, settings.strategy), settings, start)
    if settings.strategy != BLOCKED:
        return _iterate(form, cone_law(form, settings.strategy), settings, start)
    widened, start = _widened(form), np.column_stack([start, np.zeros(len(start))])
    result = _iterate(widened, ellipsoid_law(widened, settings.strategy), settings, start)
    result.impulses = np.ascontiguousarray(result.impulses[:, :AXES])
    return result


def _iterate(form, law, settings, start):
    """Algorithms 1 and 2: what diverges is rolled back, and the r-factors are cut; lines as in the paper.

    Changes are measured over the share of the r-factors: cutting them is no progress.
    """
    scheme, cut = scheme_of(form, law, settings.is_jacobi), CUTS[settings.strategy]
    scheme.begin(start)
    leaps = Leaps(form.softness, start) if settings.leaps else None
    result, best, before, smallest = ProxResult(start, []), start, start, np.inf
    share, streak, patience, recent = 1.0, 0, PATIENCE, deque([np.inf], MEMORY)  # line 1
    least = settings.tolerance / float(form.softness.max())
    for _ in range(settings.iterations):
        change = scheme.attempt(share)
        result.history.append(change)
        size = change / share
        if leaps and leaps.is_in_doubt and not size <= FAR * smallest:
            leaps.take_back(scheme)
            continue
        if not size <= FAR * smallest if leaps else _diverges(size, max(recent), scheme.proposed - before, change):
            share, streak, patience = share * cut, 0, 2 * patience  # lines 11 and 12
            scheme.begin(best)
            before, recent = best, deque([np.inf], MEMORY)
            result.roll_backs += 1
            if leaps:
                leaps.begin(best)
            continue
        is_best = size < smallest
        if is_best:
            best, smallest = scheme.impulses, size
        before, streak = scheme.impulses, streak + 1
        scheme.accept()  # line 14
        if is_best or not leaps:
            result.impulses = scheme.impulses
        recent.append(size)
        if size <= max(least, ROUNDING * float(np.abs(scheme.impulses).max())):
            break
        if share < 1.0 and streak % patience == 0:
            share = min(share / cut, 1.0)
            if leaps:
                leaps.begin(scheme.impulses)
        if leaps:
            leaps.go_on(scheme)
    return result


def _diverges(size, largest, way, change):
    """Changes may grow a little on a straight way of two iterations; back and forth they may not even stay the same."""
    comes_back = float(np.abs(way).max()) < change
    return not size <= (1.0 if comes_back else GROWTH) * largest or (comes_back and size == largest)


def _widened(form):
    """The same contacts with a fourth row that nothing turns and no friction holds."""
    count, width = form.q.shape
    places = (AXES + 1) * np.repeat(np.arange(count), width) + np.tile(np.arange(width), count)
    entries = form.W.tocoo()
    shape = (AXES + 1) * count, (AXES + 1) * count
    W = sparse.csr_array((entries.data, (places[entries.row], places[entries.col])), shape=shape)
    q = np.column_stack([form.q, np.zeros(count)])
    mu = np.column_stack([form.mu, form.mu, np.zeros(count)])
    return form._replace(W=W, q=q, mu=mu, root=None)
