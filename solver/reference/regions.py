"""Contact regions by comparing each contact with each other one [contact regions, algorithm 1]."""

from collections.abc import Sequence


def regions_by_comparison(contacts: Sequence[set[int]]) -> list[int]:
    """The region of each contact, given the points that it touches; in quadratic time and more.

    As printed, the algorithm gives a contact that joins two regions to one of them and leaves the other apart. Here the
    two become one.
    """
    regions = [-1] * len(contacts)
    for i, points in enumerate(contacts):
        if regions[i] < 0:
            regions[i] = i
        for j in range(i + 1, len(contacts)):
            if points & contacts[j]:
                _join(regions, i, j)
    return regions


def _join(regions, i, j):
    if regions[j] < 0:
        regions[j] = regions[i]
        return
    kept, gone = regions[i], regions[j]
    for place, region in enumerate(regions):
        if region == gone:
            regions[place] = kept
