"""The laws of all bodies as few large ones: a kernel's start costs as much as hundreds of elements."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..energies.law import ElementLaw, Law
from ..model import DampedLaw


class PlacedLaw(NamedTuple):
    """The law of one object, whose node 0 is node `first` of all bodies."""

    law: Law
    first: int
    damping: float  # ξ [s]
    is_keyed: bool = False  # its constants change, and stay its own


def joined_laws(placed: Iterable[PlacedLaw]) -> tuple[DampedLaw, ...]:
    """Laws that number the nodes of all bodies; those of one kind and damping become one, in order of appearance."""
    alike: dict[tuple, list[Law]] = {}
    for law, first, damping, is_keyed in placed:
        moved = law.moved(first)
        is_joinable = isinstance(moved, ElementLaw) and not is_keyed
        key = (type(moved), moved.nodes.shape[1], damping, None if is_joinable else len(alike))
        alike.setdefault(key, []).append(moved)
    return tuple(DampedLaw(_joined(laws), key[2]) for key, laws in alike.items())


def _joined(laws):
    if len(laws) == 1:
        return laws[0]
    fields = zip(*(law.elements for law in laws), strict=True)
    elements = type(laws[0].elements)(*(np.concatenate(parts) for parts in fields))
    return type(laws[0])(elements)
