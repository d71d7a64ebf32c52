"""Strands of equal length share vector registers; nothing is lost on the way there and back."""

import numpy as np
import pytest

from stiction.solver.linear_algebra.strand_layout import StrandLayout, band_index, from_lanes, to_lanes
from stiction.solver.reference import banded_cholesky as plain

LENGTHS = {2: 5, 3: 1, 17: 7, 32: 9, 100: 3}  # vertices: strands


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def layout(rng):
    return layout_of(rng.permutation(np.repeat(list(LENGTHS), list(LENGTHS.values()))))


def layout_of(vertex_counts):
    return StrandLayout.from_offsets(np.concatenate([[0], np.cumsum(vertex_counts)]).astype(np.int32))


def test_strands_of_a_group_are_equally_long_and_share_no_lane(layout):
    counts = np.diff(layout.unknown_offsets)
    assert np.array_equal(np.diff(layout.group_rows)[layout.strand_groups], counts)
    assert np.array_equal(layout.group_strands[layout.strand_groups, layout.strand_lanes], np.arange(len(counts)))
    assert np.sum(layout.group_strands >= 0) == len(counts)
    assert len(layout.group_strands) == sum(-(-count // 4) for count in LENGTHS.values())


def test_neighbouring_strands_of_one_length_stay_neighbours():
    layout = layout_of(np.full(10, 6))
    assert np.array_equal(layout.group_strands.ravel()[:10], np.arange(10))


def test_chunks_share_the_rows_out_evenly():
    layout = layout_of(np.repeat([5, 100], 20_000))
    assert layout.chunk_groups[0] == 0 and layout.chunk_groups[-1] == len(layout.group_strands)
    rows = np.diff(layout.group_rows[layout.chunk_groups])
    assert abs(rows - rows.mean()).max() <= np.diff(layout.group_rows).max()


def test_band_index_addresses_the_entry_it_names(layout):
    matrix, strand = layout.new_matrix(), int(np.argmax(np.diff(layout.unknown_offsets)))
    matrix[band_index(layout.strand_rows[strand] + 5, 3, layout.strand_lanes[strand])] = 7.0
    full = plain.dense(plain.strand_band(layout, matrix, strand))
    assert full[5, 8] == full[8, 5] == 7.0
    assert np.count_nonzero(full) == 2


def test_lanes_and_back_is_the_identity(layout, rng):
    flat = rng.normal(size=layout.unknown_count)
    lanes, expected, back = np.full(layout.vector_size, np.nan), layout.new_vector(), np.empty_like(flat)
    to_lanes(layout, flat, lanes)
    plain.to_lanes(layout, flat, expected)
    from_lanes(layout, lanes, back)
    assert np.array_equal(lanes, expected)
    assert np.array_equal(back, flat)
