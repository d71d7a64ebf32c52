"""Banded Cholesky factors of many strands at once, against LAPACK a strand at a time."""

import numba
import numpy as np
import pytest
from scipy.linalg import cholesky_banded

from stiction.solver.linear_algebra import banded_cholesky as ours
from stiction.solver.linear_algebra.banded_cholesky import BAND, StrandLayout
from stiction.solver.reference import banded_cholesky as plain

LENGTHS = {2: 5, 3: 1, 17: 7, 32: 9, 100: 3}  # vertices: strands
EPSILON = np.finfo(float).eps


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def layout(rng):
    return layout_of(rng.permutation(np.repeat(list(LENGTHS), list(LENGTHS.values()))))


def layout_of(vertex_counts):
    return StrandLayout.from_offsets(np.concatenate([[0], np.cumsum(vertex_counts)]).astype(np.int32))


def strands(layout):
    return range(len(layout.strand_lanes))


def random_band(rng, size):
    """A well-conditioned matrix: diagonally dominant."""
    band = rng.uniform(-1.0, 1.0, (BAND + 1, size))
    band[0] = rng.uniform(21.0, 30.0, size)
    return cut(band)


def hair_band(rng, size, mass):
    """Springs of stiffness 1 in random directions between next neighbours, a thousandth of it over three, and mass."""
    full = mass * np.eye(size)
    for start in range(0, size - 6, 4):
        for reach, stiffness in ((7, 1.0), (BAND + 1, 1e-3)):
            rows = np.arange(start, min(start + reach, size))
            direction = rng.normal(size=len(rows))
            full[np.ix_(rows, rows)] += stiffness * np.outer(direction, direction)
    return cut(np.array([np.pad(np.diagonal(full, -band), (0, min(band, size))) for band in range(BAND + 1)]))


def cut(band):
    """Nothing beyond the last row."""
    for offset in range(1, BAND + 1):
        band[offset, max(band.shape[1] - offset, 0) :] = 0.0
    return band


def matrix_of(layout, make_band):
    matrix = layout.new_matrix()
    for strand in strands(layout):
        band = plain.strand_band(layout, matrix, strand)
        band[:] = make_band(band.shape[1])
    return matrix


def random_vector(layout, rng):
    vector = layout.new_vector()
    ours.to_lanes(layout, rng.normal(size=layout.unknown_count), vector)
    return vector


@pytest.mark.parametrize("scale", 10.0 ** np.arange(-120, 121, 40))
def test_factor_is_lapacks_at_every_scale(layout, rng, scale):
    matrix = matrix_of(layout, lambda size: scale * random_band(rng, size))
    factor, expected = layout.new_matrix(), layout.new_matrix()
    assert ours.factorize(layout, matrix, factor).all()
    plain.factorize(layout, matrix, expected)
    for strand in strands(layout):
        band, lapacks = (plain.strand_band(layout, each, strand) for each in (factor, expected))
        np.testing.assert_allclose(band[0], lapacks[0], rtol=20 * EPSILON)
        np.testing.assert_allclose(band[1:], lapacks[1:], rtol=0, atol=20 * EPSILON * abs(lapacks[1:]).max())


def test_unknowns_of_very_different_scale_do_not_hurt(layout, rng):
    def scaled_band(size):
        scales = 10.0 ** rng.uniform(-6, 6, size + BAND)
        return random_band(rng, size) * scales[:size] * scales[np.add.outer(np.arange(BAND + 1), np.arange(size))]

    matrix, exact = matrix_of(layout, scaled_band), random_vector(layout, rng)
    right_side, solution = layout.new_vector(), layout.new_vector()
    factor = layout.new_matrix()
    assert ours.factorize(layout, matrix, factor).all()
    ours.multiply(layout, matrix, exact, right_side)
    ours.solve(layout, factor, right_side, solution)
    assert backward_error(layout, matrix, solution, right_side) < 100 * EPSILON


def test_product_is_the_dense_one(layout, rng):
    matrix, vector = matrix_of(layout, lambda size: random_band(rng, size)), random_vector(layout, rng)
    product, expected = layout.new_vector(), layout.new_vector()
    ours.multiply(layout, matrix, vector, product)
    plain.multiply(layout, matrix, vector, expected)
    np.testing.assert_allclose(product, expected, rtol=0, atol=50 * EPSILON * abs(expected).max())


def test_solving_undoes_multiplying(layout, rng):
    matrix, vector = matrix_of(layout, lambda size: random_band(rng, size)), random_vector(layout, rng)
    product, solution, lapacks = layout.new_vector(), layout.new_vector(), layout.new_vector()
    ours.multiply(layout, matrix, vector, product)
    ours.factorize(layout, matrix, matrix)
    ours.solve(layout, matrix, product, solution)
    plain.solve(layout, matrix, product, lapacks)
    np.testing.assert_allclose(solution, vector, rtol=0, atol=100 * EPSILON)
    np.testing.assert_allclose(solution, lapacks, rtol=0, atol=100 * EPSILON)


def test_in_place_gives_the_same_bits(layout, rng):
    matrix, vector = matrix_of(layout, lambda size: random_band(rng, size)), random_vector(layout, rng)
    factor, solution = layout.new_matrix(), layout.new_vector()
    ours.factorize(layout, matrix, factor)
    ours.solve(layout, factor, vector, solution)
    ours.factorize(layout, matrix, matrix)
    ours.solve(layout, matrix, vector, vector)
    assert np.array_equal(matrix, factor)
    assert np.array_equal(vector, solution)


def test_condition_of_real_hair_leaves_residuals_at_rounding(layout, rng):
    matrix, right_side = matrix_of(layout, lambda size: hair_band(rng, size, 1e-11)), random_vector(layout, rng)
    longest = int(np.argmax(np.diff(layout.unknown_offsets)))
    assert np.linalg.cond(plain.dense(plain.strand_band(layout, matrix, longest))) > 1e12
    factor, solution = layout.new_matrix(), layout.new_vector()
    assert ours.factorize(layout, matrix, factor).all()
    ours.solve(layout, factor, right_side, solution)
    assert backward_error(layout, matrix, solution, right_side) < 10 * EPSILON


def backward_error(layout, matrix, solution, right_side):
    """The largest |A x − b| / (|A| |x| + |b|), row by row [Oettli & Prager 1964]."""
    errors = []
    for strand in strands(layout):
        full = plain.dense(plain.strand_band(layout, matrix, strand))
        x, b = (plain.strand_vector(layout, each, strand) for each in (solution, right_side))
        errors.append((abs(full @ x - b) / (abs(full) @ abs(x) + abs(b))).max())
    return max(errors)


@pytest.mark.parametrize("pivot", [-3.0, 0.0, 1e-320, np.inf, np.nan])
@pytest.mark.parametrize("row", [0, 6, 60, 126])
def test_a_bad_pivot_is_told_and_stays_in_its_strand(rng, pivot, row):
    layout = layout_of([32] * 7)
    matrix, right_side = matrix_of(layout, lambda size: random_band(rng, size)), random_vector(layout, rng)
    good, factor = layout.new_matrix(), layout.new_matrix()
    ours.factorize(layout, matrix, good)
    band = plain.strand_band(layout, matrix, 5)
    band[1:] = 0.0  # the entry is the pivot
    band[0, row] = pivot
    is_positive = ours.factorize(layout, matrix, factor)
    assert np.array_equal(is_positive, np.arange(7) != 5)
    for strand in set(range(7)) - {5}:
        assert np.array_equal(*(plain.strand_band(layout, each, strand) for each in (factor, good)))
    ours.solve(layout, factor, right_side, right_side)
    assert np.isfinite(right_side).all()
    assert plain.strand_vector(layout, right_side, 5)[row] == 0.0


def test_an_indefinite_strand_is_told_and_solved_without_nan(layout, rng):
    matrix, right_side = matrix_of(layout, lambda size: random_band(rng, size)), random_vector(layout, rng)
    for strand in (0, 11):
        plain.strand_band(layout, matrix, strand)[0] -= 24.0
        with pytest.raises(np.linalg.LinAlgError):
            cholesky_banded(plain.strand_band(layout, matrix, strand), lower=True)
    is_positive = ours.factorize(layout, matrix, matrix)
    assert np.array_equal(np.flatnonzero(~is_positive), [0, 11])
    ours.solve(layout, matrix, right_side, right_side)
    assert np.isfinite(right_side).all()


def test_a_nan_anywhere_is_told(layout, rng):
    matrix = matrix_of(layout, lambda size: random_band(rng, size))
    plain.strand_band(layout, matrix, 4)[3, 2] = np.nan
    assert np.array_equal(np.flatnonzero(~ours.factorize(layout, matrix, matrix)), [4])


def test_no_strands_are_no_trouble():
    layout = layout_of([])
    empty = layout.new_vector()
    assert ours.factorize(layout, layout.new_matrix(), layout.new_matrix()).shape == (0,)
    ours.solve(layout, layout.new_matrix(), empty, empty)
    ours.to_lanes(layout, empty, empty)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="there is one thread only")
def test_bits_do_not_depend_on_the_number_of_threads(layout, rng):
    matrix, vector = matrix_of(layout, lambda size: hair_band(rng, size, 1e-9)), random_vector(layout, rng)
    before = numba.get_num_threads()
    try:
        one, two = (results_on_threads(layout, matrix, vector, count) for count in (1, 2))
    finally:
        numba.set_num_threads(before)
    for a, b in zip(one, two):
        assert np.array_equal(a, b)


def results_on_threads(layout, matrix, vector, thread_count):
    numba.set_num_threads(thread_count)
    factor, solution, product = layout.new_matrix(), layout.new_vector(), layout.new_vector()
    flat = np.empty(layout.unknown_count)
    ours.factorize(layout, matrix, factor)
    ours.solve(layout, factor, vector, solution)
    ours.multiply(layout, matrix, vector, product)
    ours.from_lanes(layout, solution, flat)
    return factor, solution, product, flat


def test_half_solves_are_those_of_the_dense_factor(layout, rng):
    matrix = matrix_of(layout, lambda size: random_band(rng, size))
    factor, right = layout.new_matrix(), random_vector(layout, rng)
    ours.factorize(layout, matrix, factor)
    below, above = layout.new_vector(), right.copy()
    ours.solve_lower(layout, factor, right, below)
    ours.solve_upper(layout, factor, above)
    for strand in strands(layout):
        lower = plain.dense_factor(layout, factor, strand)
        b = plain.strand_vector(layout, right, strand)
        assert plain.strand_vector(layout, below, strand) == pytest.approx(np.linalg.solve(lower, b), rel=1e-12)
        assert plain.strand_vector(layout, above, strand) == pytest.approx(np.linalg.solve(lower.T, b), rel=1e-12)
    whole = layout.new_vector()
    ours.solve(layout, factor, right, whole)
    ours.solve_upper(layout, factor, below)
    assert np.array_equal(below, whole)
