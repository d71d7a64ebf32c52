"""Where the unknowns of hair strands lie: strands of equal length share vector registers, four at a time.

A strand of n vertices has the 4 n − 1 unknowns [x₀ θ₀ x₁ θ₁ … x_{n−1}], and a matrix with BAND entries below
the diagonal. Four strands make a group; a group has as many rows as its strands have unknowns, and the rows of
all groups follow each other. Vectors are [row][lane], matrices [row][band][lane].
"""

from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from .band_columns import COLUMN
from .lanes import LANES, aligned_zeros

CHUNKS = 192  # pieces of equal work: divisible by most numbers of threads


class StrandLayout(NamedTuple):
    unknown_offsets: np.ndarray  # first unknown of each strand, strand after strand      (s + 1,) int64
    strand_groups: np.ndarray  # group of each strand                                     (s,) int32
    strand_lanes: np.ndarray  # its lane there                                            (s,) int32
    group_strands: np.ndarray  # strand in each lane, −1 where there is none              (g, LANES) int32
    group_rows: np.ndarray  # first row of each group in the storage                      (g + 1,) int64
    chunk_groups: np.ndarray  # first group of each chunk; chunks have about equal rows   (c + 1,) int64

    @classmethod
    def from_offsets(cls, strand_offsets) -> "StrandLayout":
        """Layout of strands with the vertices strand_offsets[i] … strand_offsets[i + 1]; (s + 1,)."""
        unknown_counts = 4 * np.diff(strand_offsets).astype(np.int64) - 1
        groups, lanes = _groups_of_equal_length(unknown_counts)
        group_count = groups.max(initial=-1) + 1
        group_strands = np.full((group_count, LANES), -1, np.int32)
        group_strands[groups, lanes] = np.arange(len(groups))
        group_rows = _offsets(unknown_counts[group_strands[:, 0]])
        chunk_ends = np.linspace(0, group_rows[-1], CHUNKS + 1)
        chunk_groups = np.searchsorted(group_rows, chunk_ends)
        return cls(_offsets(unknown_counts), groups, lanes, group_strands, group_rows, chunk_groups)

    @property
    def strand_rows(self) -> np.ndarray:
        """Row of each strand's first unknown in the storage (s,) int64."""
        return self.group_rows[self.strand_groups]

    @property
    def unknown_count(self) -> int:
        return int(self.unknown_offsets[-1])

    @property
    def vector_size(self) -> int:
        return int(self.group_rows[-1]) * LANES

    @property
    def matrix_size(self) -> int:
        return self.vector_size * COLUMN

    def new_vector(self) -> np.ndarray:
        return aligned_zeros(self.vector_size)

    def new_matrix(self) -> np.ndarray:
        return aligned_zeros(self.matrix_size)


@compiled
def vector_index(row, lane):
    """Where a vector keeps an unknown; `row` counts from the start of the storage (see `strand_rows`)."""
    return row * LANES + lane


@compiled
def band_index(row, band, lane):
    """Where a matrix keeps the entries (row, row + band) and (row + band, row), 0 ≤ band ≤ BAND.

    Only one of the two is stored. Entries beyond a strand's last unknown must stay 0, and so must empty lanes.
    """
    return (row * COLUMN + band) * LANES + lane


def to_lanes(layout: StrandLayout, flat, lanes_out):
    """Copy a vector, strand after strand (unknown_count,), into the storage (vector_size,)."""
    _to_lanes(layout.chunk_groups, layout.group_rows, layout.group_strands, layout.unknown_offsets, flat, lanes_out)


def from_lanes(layout: StrandLayout, lanes, flat_out):
    """Copy a vector from the storage (vector_size,) to strand after strand (unknown_count,)."""
    _from_lanes(layout.chunk_groups, layout.group_rows, layout.group_strands, layout.unknown_offsets, lanes, flat_out)


COPY = "void(int64[::1], int64[::1], int32[:, ::1], int64[::1], float64[::1], float64[::1])"


@kernel(COPY, parallel=True)
def _to_lanes(chunk_groups, group_rows, group_strands, unknown_offsets, flat, lanes_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            for lane in range(LANES):
                strand = group_strands[group, lane]
                if strand >= 0:
                    _fill_lane(group_rows[group], group_rows[group + 1], lane, flat, unknown_offsets[strand], lanes_out)
                else:
                    _clear_lane(group_rows[group], group_rows[group + 1], lane, lanes_out)


@kernel(COPY, parallel=True)
def _from_lanes(chunk_groups, group_rows, group_strands, unknown_offsets, lanes, flat_out):
    for chunk in numba.prange(len(chunk_groups) - 1):
        for group in range(chunk_groups[chunk], chunk_groups[chunk + 1]):
            for lane in range(LANES):
                strand = group_strands[group, lane]
                if strand >= 0:
                    _read_lane(group_rows[group], group_rows[group + 1], lane, lanes, unknown_offsets[strand], flat_out)


@compiled
def _fill_lane(first, last, lane, flat, start, lanes_out):
    for row in range(first, last):
        lanes_out[vector_index(row, lane)] = flat[start + row - first]


@compiled
def _clear_lane(first, last, lane, lanes_out):
    for row in range(first, last):
        lanes_out[vector_index(row, lane)] = 0.0


@compiled
def _read_lane(first, last, lane, lanes, start, flat_out):
    for row in range(first, last):
        flat_out[start + row - first] = lanes[vector_index(row, lane)]


def _groups_of_equal_length(lengths):
    """Group and lane of each strand; groups in the order of their first strands, so that neighbours stay near."""
    by_length = np.argsort(lengths, kind="stable")
    ordered = lengths[by_length]
    place = np.arange(len(lengths)) - np.searchsorted(ordered, ordered)
    lanes, groups = np.empty((2, len(lengths)), np.int32)
    lanes[by_length] = place % LANES
    groups[by_length] = np.cumsum(place % LANES == 0) - 1
    return _numbered_by_first_use(groups), lanes


def _numbered_by_first_use(groups):
    _, first_uses = np.unique(groups, return_index=True)
    return np.argsort(np.argsort(first_uses)).astype(np.int32)[groups]


def _offsets(counts):
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
