"""The plain twin of linear_algebra/banded_cholesky.py: a strand at a time, by LAPACK."""

import numpy as np
from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded


def strand_vector(layout, vector, strand):
    """The unknowns of one strand in the storage, as a view (n,)."""
    return _rows_of_strand(layout, vector, strand)[:, layout.strand_lanes[strand]]


def strand_band(layout, matrix, strand):
    """The lower band of one strand's matrix in the storage, as a view (11, n): LAPACK's own form."""
    rows = _rows_of_strand(layout, matrix, strand)
    return rows.reshape(len(rows), 11, 4)[:, :, layout.strand_lanes[strand]].T


def dense(band):
    """The full symmetric matrix of a lower band (n, n)."""
    size = band.shape[1]
    lower = sum(np.diag(diagonal[: size - offset], -offset) for offset, diagonal in enumerate(band[:size]))
    return lower + np.tril(lower, -1).T


def factorize(layout, matrix, factor_out):
    is_positive = np.ones(len(layout.strand_lanes), bool)
    for strand in range(len(is_positive)):
        try:
            band = cholesky_banded(strand_band(layout, matrix, strand), lower=True)
        except LinAlgError:
            is_positive[strand] = False
            continue
        band[0] = 1.0 / band[0]
        strand_band(layout, factor_out, strand)[:] = band
    return is_positive


def solve(layout, factor, right_side, solution_out):
    for strand in range(len(layout.strand_lanes)):
        band = strand_band(layout, factor, strand).copy()
        band[0] = 1.0 / band[0]
        solution = cho_solve_banded((band, True), strand_vector(layout, right_side, strand))
        strand_vector(layout, solution_out, strand)[:] = solution


def dense_factor(layout, factor, strand):
    """L of one strand (n, n)."""
    band = strand_band(layout, factor, strand).copy()
    band[0] = 1.0 / band[0]
    return np.tril(dense(band))


def multiply(layout, matrix, vector, product_out):
    for strand in range(len(layout.strand_lanes)):
        full = dense(strand_band(layout, matrix, strand))
        strand_vector(layout, product_out, strand)[:] = full @ strand_vector(layout, vector, strand)


def to_lanes(layout, flat, lanes_out):
    lanes_out[:] = 0.0
    for strand, unknowns in enumerate(np.split(flat, layout.unknown_offsets[1:-1])):
        strand_vector(layout, lanes_out, strand)[:] = unknowns


def from_lanes(layout, lanes, flat_out):
    flat_out[:] = np.concatenate([strand_vector(layout, lanes, s) for s in range(len(layout.strand_lanes))])


def _rows_of_strand(layout, storage, strand):
    group = layout.strand_groups[strand]
    return storage.reshape(layout.group_rows[-1], -1)[layout.group_rows[group] : layout.group_rows[group + 1]]
