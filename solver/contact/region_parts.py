"""The regions of a problem as rows that kernels visit: by W where contacts answer to few others, else by W's root.

docs/theory/regions.md, 7.
"""

from typing import NamedTuple

import numpy as np

from .local_form import TINY, LocalForm, own_blocks, with_compliance
from .problem import AXES
from .proximal_schemes import root_rows
from .region_answers import RegionRows, rows_of_delassus
from .region_rows import LEAST_SHARE, contact_regions, region_rows
from .rooted_sweeps import RootRows

BLOCKS_AS_LONG = 4.0  # blocks of W that take as long as one of its root, which is read and written


class RegionPart(NamedTuple):
    """Some of the regions, with all of their contacts."""

    rows: RegionRows  # contacts region by region
    own: np.ndarray  # diagonal of a contact's block, then 1n, 2n, 21            (m, 6) [1/kg]
    contacts: np.ndarray  # which these are                                       (m,)
    starts: np.ndarray  # first of each region, and the end                       (regions + 1,)

    @property
    def costs(self) -> np.ndarray:
        """Of a visit to all contacts of each region (regions,), in blocks of W."""
        blocks = np.diff(self.rows.offsets[self.starts])
        return BLOCKS_AS_LONG * blocks if self.rows.is_rooted else blocks


def region_parts(form: LocalForm, regions: tuple[int, np.ndarray] | None) -> list[RegionPart]:
    """Given how many regions there are and that of each contact (m,); with W they are found if they are not known.

    Without W each region has the rows that are visited faster, whatever the others have.
    """
    if form.W is not None:
        return [_by_delassus(form.W, regions or contact_regions(form.W), np.arange(len(form.q)))]
    assert regions is not None  # or they would have to be found in the root
    rows, numbers = root_rows(form), regions[1]
    is_wide = _are_wide(rows, *regions)[numbers]
    parts = []
    for is_chosen, part_of in ((~is_wide, _by_product), (is_wide, _by_root)):
        if is_chosen.any():
            chosen = np.flatnonzero(is_chosen)
            names, renumbered = np.unique(numbers[chosen], return_inverse=True)
            parts.append(part_of(form, rows, (len(names), renumbered), chosen))
    return parts


def _are_wide(rows: RootRows, count, numbers):
    """Regions of which W would be larger than its root (count,): contacts answer at least to those of one body."""
    sizes = np.diff(rows.offsets)
    contacts = np.repeat(np.arange(len(sizes)), sizes)
    others = np.zeros(len(sizes))
    np.maximum.at(others, contacts, np.bincount(rows.columns)[rows.columns])
    by_product = np.bincount(numbers, others, minlength=count)
    by_root = np.bincount(numbers, BLOCKS_AS_LONG * sizes, minlength=count)
    return by_product > by_root


def _by_delassus(W, regions, contacts):
    rows, own, order, starts = region_rows(W, *regions)
    return RegionPart(rows_of_delassus(rows), own, contacts[order], starts)


def _by_product(form, rows, regions, chosen):
    root = form.root if len(chosen) == len(form.q) else form.root[_rows_of(chosen)]
    return _by_delassus(with_compliance(root @ root.T, form.compliance[chosen], AXES), regions, chosen)


def _by_root(form, rows, regions, chosen):
    """With a z of its own for each region: three columns of the root may belong to two of them."""
    count, numbers = regions
    order = np.argsort(numbers, kind="stable")
    contacts = chosen[order]
    sizes = np.diff(rows.offsets)[contacts]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(offsets[-1]) + np.repeat(rows.offsets[contacts] - offsets[:-1], sizes)
    width = int(rows.columns.max(initial=0)) + 1
    moved, columns = np.unique(
        np.repeat(numbers[order], sizes) * np.int64(width) + rows.columns[places], return_inverse=True
    )
    of_region = RegionRows(
        *(offsets.astype(np.int32), columns.astype(np.int32), rows.blocks[places], rows.give[contacts]),
        *(np.zeros((len(moved), AXES)), np.searchsorted(moved, width * np.arange(count + 1)), True),
    )
    starts = np.searchsorted(numbers[order], np.arange(count + 1))
    return RegionPart(of_region, _own_parts(own_blocks(form)[contacts]), contacts, starts)


def _own_parts(blocks):
    """The diagonal of each contact's block, a little more of it, then 1n, 2n and 21."""
    diagonal = np.einsum("mii->mi", blocks)
    more = LEAST_SHARE * diagonal.sum(axis=1) + TINY
    others = blocks[:, 1, 0], blocks[:, 2, 0], blocks[:, 2, 1]
    return np.column_stack([diagonal + more[:, None], *others])


def _rows_of(contacts):
    return (AXES * contacts[:, None] + np.arange(AXES)).ravel()
