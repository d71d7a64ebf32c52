"""Where the numbers of each front lie: pivot columns in the factor, the update of its parent in a workspace.

Rows are in panels of 12, which are 4 nodes (dense_tiles.py). A front's part of the factor is the triangle of its
pivots, panel after panel, each up to and with its diagonal tile, then the panels of its trailing rows, each with all
pivot columns. Its update is a triangle again. Missing rows of last panels are zero.
"""

from typing import NamedTuple

import numpy as np
from numba import int32, int64

from ..jit_cache import compiled, kernel, tuple_of
from .dense_tiles import GROUP_COLUMNS, PANEL_ROWS
from .elimination_tree import NO_PARENT, Elimination, FrontTree, elimination_type

PANEL_NODES = PANEL_ROWS // 3

# Columns of the table of fronts.
PIVOTS = 0  # how many nodes it eliminates
TRAILING = 1  # how many nodes it updates
TRAILING_START = 2  # first one in the lists of trailing nodes
FACTOR_START = 3  # first number of its part of the factor
UPDATE_START = 4  # first number of its update
PIVOT_VECTOR = 5  # first number of its pivots in a vector with padded fronts
TRAILING_VECTOR = 6  # first number of its trailing rows in a vector of all fronts' trailing rows
CHILD_START, CHILD_END = 7, 8  # its children in the list of them
PARENT = 9  # or NO_PARENT
FIELDS = 10


class Fronts(NamedTuple):
    table: np.ndarray  # one row a front, see above                                 (f, FIELDS) int64
    children: np.ndarray  # fronts by parent                                        (f,) int32
    slots_in_parent: np.ndarray  # row of each trailing node among its parent's     (t,) int32
    slots_in_vector: np.ndarray  # node of each trailing node in the padded vector  (t,) int32


fronts_type = tuple_of(Fronts, int64[:, ::1], int32[::1], int32[::1], int32[::1])


class FrontLayout(NamedTuple):
    fronts: Fronts
    node_slots: np.ndarray  # node of each node in the padded vector                (n,) int32
    entry_blocks: np.ndarray  # blocks of the matrix that are in the lower triangle (e,) int32
    entry_places: np.ndarray  # first number of each in the factor, ascending       (e,) int64
    factor_size: int
    update_size: int
    pivot_vector_size: int
    trailing_vector_size: int


def lay_out(tree: FrontTree, offsets, columns, subtree_starts) -> FrontLayout:
    """subtree_starts (f,) int32: first front of the subtree that a front belongs to, or −1 for the fronts above."""
    table = np.zeros((len(tree.parents), FIELDS), np.int64)
    table[:, PIVOTS] = np.diff(tree.starts)
    table[:, TRAILING] = np.diff(tree.trailing_offsets)
    table[:, TRAILING_START] = tree.trailing_offsets[:-1]
    table[:, PARENT] = tree.parents
    pivot_panels, trailing_panels = _panels(table[:, PIVOTS]), _panels(table[:, TRAILING])
    table[:, FACTOR_START], factor_size = _starts(_factor_sizes(table))
    table[:, PIVOT_VECTOR], pivot_vector_size = _starts(pivot_panels * PANEL_ROWS)
    table[:, TRAILING_VECTOR], trailing_vector_size = _starts(trailing_panels * PANEL_ROWS)
    children = np.argsort(tree.parents, kind="stable").astype(np.int32)
    table[:, CHILD_START] = np.searchsorted(tree.parents[children], np.arange(len(table)), "left")
    table[:, CHILD_END] = np.searchsorted(tree.parents[children], np.arange(len(table)), "right")
    table[:, UPDATE_START], update_size = _place_updates(tree, subtree_starts, _triangle(trailing_panels))
    fronts_of_places = np.repeat(np.arange(len(table), dtype=np.int32), table[:, PIVOTS])
    slots_of_places = (
        table[fronts_of_places, PIVOT_VECTOR] // 3 + np.arange(len(tree.order)) - tree.starts[fronts_of_places]
    ).astype(np.int32)
    places = np.empty_like(tree.order)
    places[tree.order] = np.arange(len(tree.order), dtype=np.int32)
    slots_in_parent = _find_slots(table, tree.parents, tree.starts, tree.trailing)
    elimination = Elimination(offsets, columns, tree.order, places, tree.starts)
    entry_blocks, entry_places = _place_entries(elimination, fronts_of_places, table, tree.trailing)
    ascending = np.argsort(entry_places, kind="stable")
    return FrontLayout(
        *(Fronts(table, children, slots_in_parent, slots_of_places[tree.trailing]), slots_of_places[places]),
        *(entry_blocks[ascending], entry_places[ascending]),
        *(factor_size, update_size, pivot_vector_size, trailing_vector_size),
    )


def _factor_sizes(table):
    padded_columns = -(-3 * table[:, PIVOTS] // GROUP_COLUMNS) * GROUP_COLUMNS
    trailing = _panels(table[:, TRAILING]) * padded_columns * PANEL_ROWS
    return _triangle(_panels(table[:, PIVOTS])) + trailing


def _panels(nodes):
    return -(-nodes // PANEL_NODES)


def _triangle(panels):
    return PANEL_ROWS * PANEL_ROWS // 2 * panels * (panels + 1)


def _starts(sizes):
    ends = np.cumsum(sizes)
    return ends - sizes, int(ends[-1]) if len(ends) else 0


@compiled
def panel_count(nodes):
    return (nodes + PANEL_NODES - 1) // PANEL_NODES


@compiled
def triangle_start(panel):
    """First number of a panel in a triangle."""
    return PANEL_ROWS * PANEL_ROWS // 2 * panel * (panel + 1)


@compiled
def column_count(front):
    """Columns of a front's trailing panels: the pivots' unknowns, in whole groups."""
    return (3 * front[PIVOTS] + GROUP_COLUMNS - 1) // GROUP_COLUMNS * GROUP_COLUMNS


@compiled
def factor_panel(front, panel):
    """First number of a front's row panel in the factor; trailing panels come after those of the pivots."""
    pivot_panels = panel_count(front[PIVOTS])
    if panel < pivot_panels:
        return front[FACTOR_START] + triangle_start(panel)
    trailing_panels = front[FACTOR_START] + triangle_start(pivot_panels)
    return trailing_panels + (panel - pivot_panels) * PANEL_ROWS * column_count(front)


def _place_updates(tree, subtree_starts, sizes):
    """A place for each front's update (f,), and the space for all.

    A subtree is worked on by one thread, children first: its updates are on two stacks, for even and odd depths, since
    a front's update is made while those of its children are still read. The stacks grow from both ends of
    the subtree's space, whose size is known at its last front. Above, each update has its own place.
    """
    parents, subtree_starts = tree.parents.tolist(), subtree_starts.tolist()
    first_children, sides = _first_children(parents), _depths(parents) % 2
    places = [0] * len(parents)
    shifts = np.zeros(len(parents), np.int64)  # of the subtrees' spaces and of the second stacks in them
    total = 0
    tops, peaks = [0, 0], [0, 0]
    for front, (start, side, size) in enumerate(zip(subtree_starts, sides.tolist(), sizes.tolist(), strict=True)):
        if start < 0:
            places[front], total = total, total + size
            continue
        if start == front:
            tops, peaks = [0, 0], [0, 0]
        places[front], tops[side] = tops[side], tops[side] + size
        peaks[side] = max(peaks[side], tops[side])
        if first_children[front] >= 0:
            tops[1 - side] = places[first_children[front]]  # they have been read
        if front + 1 == len(parents) or subtree_starts[front + 1] != start:
            shifts[start : front + 1] = total + sides[start : front + 1] * peaks[0]
            total += sum(peaks)
    return places + shifts, total


def _first_children(parents):
    """The first child of each front, or −1."""
    first = [-1] * len(parents)
    for front in reversed(range(len(parents))):
        if parents[front] != NO_PARENT:
            first[parents[front]] = front
    return first


def _depths(parents):
    depths = [0] * len(parents)
    for front in reversed(range(len(parents))):
        if parents[front] != NO_PARENT:
            depths[front] = depths[parents[front]] + 1
    return np.array(depths, np.int64)


@kernel("int32[::1](int64[:, ::1], int32[::1], int32[::1], int32[::1])")
def _find_slots(table, parents, starts, trailing):
    """Rows of trailing nodes in their parents: pivots first, trailing nodes from the next panel on."""
    slots = np.empty(len(trailing), np.int32)
    for index in range(len(table)):
        parent = parents[index]
        if parent == NO_PARENT:
            continue
        begin = table[index, TRAILING_START]
        cursor = table[parent, TRAILING_START]
        for item in range(begin, begin + table[index, TRAILING]):
            if trailing[item] < starts[parent + 1]:
                slots[item] = trailing[item] - starts[parent]
                continue
            while trailing[cursor] < trailing[item]:
                cursor += 1
            padded_pivots = PANEL_NODES * panel_count(table[parent, PIVOTS])
            slots[item] = padded_pivots + cursor - table[parent, TRAILING_START]
    return slots


@kernel((elimination_type, int32[::1], int64[:, ::1], int32[::1]))
def _place_entries(elimination, fronts_of_places, table, trailing):
    """The blocks of the lower triangle, in the order of elimination, and where they go in the factor."""
    offsets, columns, order, places, starts = elimination
    count = (len(columns) + len(order)) // 2
    blocks, targets = np.empty(count, np.int32), np.empty(count, np.int64)
    count = 0
    for node in range(len(order)):
        for block in range(offsets[node], offsets[node + 1]):
            row, column = places[node], places[columns[block]]
            if row < column:
                continue
            index = fronts_of_places[column]
            front = table[index]
            slot = row - starts[index]
            if row >= starts[index + 1]:
                begin = front[TRAILING_START]
                place = first_not_below(trailing, begin, begin + front[TRAILING], row)
                slot = PANEL_NODES * panel_count(front[PIVOTS]) + place - begin
            blocks[count] = block
            targets[count] = _block_place(front, slot, column - starts[index])
            count += 1
    return blocks, targets


@compiled
def first_not_below(ascending, begin, end, limit):
    """First place from `begin` to `end` − 1 with a value of at least `limit`; `end` if there is none."""
    while begin < end:
        middle = (begin + end) // 2
        if ascending[middle] < limit:
            begin = middle + 1
        else:
            end = middle
    return begin


@compiled
def _block_place(front, slot, column):
    return factor_panel(front, slot // PANEL_NODES) + PANEL_ROWS * 3 * column + 3 * (slot % PANEL_NODES)
