"""Banded Cholesky of a whole head of hair, against LAPACK and against the memory that it must read and write."""

from typing import NamedTuple

import numba
import numpy as np
from scipy.linalg.lapack import dpbtrf, dpbtrs

from stiction.solver.linear_algebra.banded_cholesky import BAND, LANES, StrandLayout, factorize, multiply, solve

from .report import Row
from .timing import best_seconds

TITLE = "Linear systems of strands"
STRANDS, POINTS = 16_384, 32
LAPACK_STRANDS = 512
FEW, SOME, MANY = 1_024, 4_096, 65_536  # 12, 47 and 750 MB: the few stay in most caches
BOUND = 2.0  # against STREAM's triad of as many bytes
GROWTH_BOUND = 1.5  # a strand among many against one among some


class Hair(NamedTuple):
    layout: StrandLayout
    matrix: np.ndarray
    factor: np.ndarray
    right_side: np.ndarray
    solution: np.ndarray

    def factorize(self):
        factorize(self.layout, self.matrix, self.factor)

    def solve(self):
        solve(self.layout, self.factor, self.right_side, self.solution)

    def multiply(self):
        multiply(self.layout, self.matrix, self.right_side, self.solution)


def measure() -> list[Row]:
    hair = _hair(STRANDS)
    return [*_against_lapack(hair), *_against_memory(hair), *_against_one_thread(hair), *_growth()]


def _hair(strand_count):
    layout = StrandLayout.from_offsets(np.arange(strand_count + 1) * POINTS)
    hair = Hair(layout, layout.new_matrix(), layout.new_matrix(), layout.new_vector(), layout.new_vector())
    hair.matrix.reshape(len(layout.group_strands), -1, BAND + 1, LANES)[:] = _band().T[None, :, :, None]
    hair.right_side[:] = 1.0
    hair.factorize()
    return hair


def _band():
    """The lower band of a positive definite matrix, as LAPACK has it."""
    size = 4 * POINTS - 1
    band = np.random.default_rng(1).uniform(-1, 1, (BAND + 1, size))
    band[0] += 2 * BAND + 1
    for offset in range(1, BAND + 1):
        band[offset, size - offset :] = 0.0
    return band


def _against_lapack(hair):
    """LAPACK's routines themselves: scipy's checks around them take longer than they do."""
    band = np.asfortranarray(_band())
    right_side = np.ones(band.shape[1])
    factor, _ = dpbtrf(band, lower=1)
    return [
        _lapack_row("factorise", hair.factorize, lambda: dpbtrf(band, lower=1)),
        _lapack_row("solve", hair.solve, lambda: dpbtrs(factor, right_side, lower=1)),
    ]


def _lapack_row(what, ours, lapack_once):
    ours_seconds = best_seconds(ours, 20)
    lapack_seconds = best_seconds(lambda: [lapack_once() for _ in range(LAPACK_STRANDS)]) * STRANDS / LAPACK_STRANDS
    return Row(f"{what} {_size()}", _ms(ours_seconds), f"LAPACK {_ms(lapack_seconds)}", ours_seconds / lapack_seconds)


def _against_memory(hair):
    """Each byte once: a factorisation reads and writes the matrices, a solve only reads them."""
    matrix, vector = hair.matrix.nbytes, hair.right_side.nbytes
    work = [("factorise", hair.factorize, 2 * matrix), ("solve", hair.solve, matrix + 2 * vector)]
    work.append(("multiply", hair.multiply, matrix + 2 * vector))
    return [_memory_row(*each, threads) for threads in _thread_counts() for each in work]


def _memory_row(what, ours, byte_count, threads):
    arrays = np.ones((3, byte_count // 24))
    with _Threads(threads):
        ours_seconds, triad_seconds = best_seconds(ours, 20), best_seconds(lambda: _triad(*arrays), 20)
    what = f"{what} {_size()}, threads: {threads}"
    reference = f"triad of {byte_count / 1e6:.0f} MB {_ms(triad_seconds)}"
    return Row(what, _ms(ours_seconds), reference, ours_seconds / triad_seconds, BOUND)


@numba.njit(parallel=True)
def _triad(a, b, c_out):
    for i in numba.prange(len(a)):
        c_out[i] = a[i] + 3.0 * b[i]


def _against_one_thread(hair):
    return [_threads_row("factorise", hair.factorize), _threads_row("solve", hair.solve)]


def _threads_row(what, ours):
    one, most = (_seconds_on(threads, ours) for threads in (1, _thread_counts()[-1]))
    what = f"{what} {_size()}, {_thread_counts()[-1]} threads against 1"
    return Row(what, _ms(most), f"1 thread {_ms(one)}", most / one)


def _seconds_on(threads, action):
    with _Threads(threads):
        return best_seconds(action, 20)


def _growth():
    few, some, many = (_seconds_a_strand(count) for count in (FEW, SOME, MANY))
    rows = []
    for action, name in enumerate(("factorise", "solve")):
        rows.append(_growth_row(name, FEW, few[action], many[action], None))
        rows.append(_growth_row(name, SOME, some[action], many[action], GROWTH_BOUND))
    return rows


def _seconds_a_strand(count):
    hair = _hair(count)
    return [best_seconds(action, 20) / count for action in (hair.factorize, hair.solve)]


def _growth_row(what, count, seconds, seconds_among_many, bound):
    what = f"{what}, a strand among {MANY} against one among {count}"
    ratio = seconds_among_many / seconds
    return Row(what, f"{1e6 * seconds_among_many:.2f} µs", f"{1e6 * seconds:.2f} µs", ratio, bound)


class _Threads:
    """A number of threads for a while."""

    def __init__(self, count):
        self.count, self.before = count, numba.get_num_threads()

    def __enter__(self):
        numba.set_num_threads(self.count)

    def __exit__(self, *_):
        numba.set_num_threads(self.before)


def _thread_counts():
    return [1, numba.config.NUMBA_NUM_THREADS] if numba.config.NUMBA_NUM_THREADS > 1 else [1]


def _size():
    return f"{STRANDS // 1024}k × {POINTS}"


def _ms(seconds):
    return f"{1e3 * seconds:.1f} ms"
