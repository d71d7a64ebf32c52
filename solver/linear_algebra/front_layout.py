"""Where the numbers of each front lie: pivot columns in the factor, the update of its parent in a workspace.

Rows are in panels of 12, which are 4 nodes (dense_tiles.py). A front's part of the factor is the triangle of its
pivots, panel after panel, each up to and with its diagonal tile, then the panels of its trailing rows, each with all
pivot columns. Its update is a triangle again. Missing rows of last panels are zero.
"""

from typing import NamedTuple

import numpy as np

from ..jit_cache import compiled, kernel
from .dense_tiles import GROUP_COLUMNS, PANEL_ROWS
from .elimination_tree import NO_PARENT, FrontTree

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


class FrontLayout(NamedTuple):
    fronts: np.ndarray  # one row a front, see above                                (f, FIELDS) int64
    children: np.ndarray  # fronts by parent                                        (f,) int32
    slots_in_parent: np.ndarray  # row of each trailing node among its parent's     (t,) int32
    slots_in_vector: np.ndarray  # node of each trailing node in the padded vector  (t,) int32
    node_slots: np.ndarray  # node of each node there                               (n,) int32
    entry_blocks: np.ndarray  # blocks of the matrix that are in the lower triangle (e,) int32
    entry_places: np.ndarray  # first number of each in the factor, ascending       (e,) int64
    factor_size: int
    update_size: int
    pivot_vector_size: int
    trailing_vector_size: int


def lay_out(tree: FrontTree, offsets, columns, subtree_starts) -> FrontLayout:
    """subtree_starts (f,) int32: first front of the subtree that a front belongs to, or −1 for the fronts above."""
    fronts = np.zeros((len(tree.parents), FIELDS), np.int64)
    fronts[:, PIVOTS] = np.diff(tree.starts)
    fronts[:, TRAILING] = np.diff(tree.trailing_offsets)
    fronts[:, TRAILING_START] = tree.trailing_offsets[:-1]
    fronts[:, PARENT] = tree.parents
    pivot_panels, trailing_panels = _panels(fronts[:, PIVOTS]), _panels(fronts[:, TRAILING])
    padded_columns = -(-3 * fronts[:, PIVOTS] // GROUP_COLUMNS) * GROUP_COLUMNS
    factor_sizes = _triangle(pivot_panels) + trailing_panels * padded_columns * PANEL_ROWS
    fronts[:, FACTOR_START], factor_size = _starts(factor_sizes)
    fronts[:, PIVOT_VECTOR], pivot_vector_size = _starts(pivot_panels * PANEL_ROWS)
    fronts[:, TRAILING_VECTOR], trailing_vector_size = _starts(trailing_panels * PANEL_ROWS)
    children = np.argsort(tree.parents, kind="stable").astype(np.int32)
    fronts[:, CHILD_START] = np.searchsorted(tree.parents[children], np.arange(len(fronts)), "left")
    fronts[:, CHILD_END] = np.searchsorted(tree.parents[children], np.arange(len(fronts)), "right")
    update_size = _place_updates(tree.parents, children, subtree_starts, _triangle(trailing_panels), fronts)
    fronts_of_places = np.repeat(np.arange(len(fronts), dtype=np.int32), fronts[:, PIVOTS])
    slots_in_parent = _find_slots(fronts, tree.parents, tree.starts, tree.trailing)
    slots_of_places = (
        fronts[fronts_of_places, PIVOT_VECTOR] // 3 + np.arange(len(tree.order)) - tree.starts[fronts_of_places]
    ).astype(np.int32)
    places = np.empty_like(tree.order)
    places[tree.order] = np.arange(len(tree.order), dtype=np.int32)
    entry_blocks, entry_places = _place_entries(
        *(offsets, columns, tree.order, places, tree.starts, fronts_of_places, fronts, tree.trailing)
    )
    ascending = np.argsort(entry_places, kind="stable")
    return FrontLayout(
        *(fronts, children, slots_in_parent, slots_of_places[tree.trailing], slots_of_places[places]),
        *(entry_blocks[ascending], entry_places[ascending]),
        *(factor_size, update_size, pivot_vector_size, trailing_vector_size),
    )


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


@kernel("int64(int32[::1], int32[::1], int32[::1], int64[::1], int64[:, ::1])")
def _place_updates(parents, children, subtree_starts, sizes, fronts_out):
    """Give each front's update a place; returns the space for all.

    A subtree is worked on by one thread, children first: its updates are on two stacks, for even and odd depths, since
    a front's update is made while those of its children are still read. The stacks grow from both ends of
    the subtree's space, whose size the first pass finds. Above, each update has its own place.
    """
    depths = np.zeros(len(parents), np.int64)
    for front in range(len(parents) - 1, -1, -1):
        if parents[front] != NO_PARENT:
            depths[front] = depths[parents[front]] + 1
    total = 0
    tops, peaks = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for front in range(len(parents)):
        if subtree_starts[front] < 0:
            fronts_out[front, UPDATE_START] = total
            total += sizes[front]
            continue
        if subtree_starts[front] == front:
            tops[:] = 0
            peaks[:] = 0
        _push_update(front, children, depths[front] % 2, sizes[front], fronts_out, tops, peaks)
        is_last = front + 1 == len(parents) or subtree_starts[front + 1] != subtree_starts[front]
        if is_last:
            for member in range(subtree_starts[front], front + 1):
                side = depths[member] % 2
                fronts_out[member, UPDATE_START] += total + side * peaks[0]
            total += peaks[0] + peaks[1]
    return total


@compiled
def _push_update(front, children, side, size, fronts_out, tops, peaks):
    """Put an update on one stack and take those of its children from the other."""
    fronts_out[front, UPDATE_START] = tops[side]
    tops[side] += size
    peaks[side] = max(peaks[side], tops[side])
    if fronts_out[front, CHILD_END] > fronts_out[front, CHILD_START]:
        first_child = children[fronts_out[front, CHILD_START]]
        tops[1 - side] = fronts_out[first_child, UPDATE_START]


@kernel("int32[::1](int64[:, ::1], int32[::1], int32[::1], int32[::1])")
def _find_slots(fronts, parents, starts, trailing):
    """Rows of trailing nodes in their parents: pivots first, trailing nodes from the next panel on."""
    slots = np.empty(len(trailing), np.int32)
    for index in range(len(fronts)):
        parent = parents[index]
        if parent == NO_PARENT:
            continue
        begin = fronts[index, TRAILING_START]
        cursor = fronts[parent, TRAILING_START]
        for item in range(begin, begin + fronts[index, TRAILING]):
            if trailing[item] < starts[parent + 1]:
                slots[item] = trailing[item] - starts[parent]
                continue
            while trailing[cursor] < trailing[item]:
                cursor += 1
            padded_pivots = PANEL_NODES * panel_count(fronts[parent, PIVOTS])
            slots[item] = padded_pivots + cursor - fronts[parent, TRAILING_START]
    return slots


@kernel(
    "Tuple((int32[::1], int64[::1]))(int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], "
    "int64[:, ::1], int32[::1])"
)
def _place_entries(offsets, columns, order, places, starts, fronts_of_places, fronts, trailing):
    """The blocks of the lower triangle, in the order of elimination, and where they go in the factor."""
    count = (len(columns) + len(order)) // 2
    blocks, targets = np.empty(count, np.int32), np.empty(count, np.int64)
    count = 0
    for node in range(len(order)):
        for block in range(offsets[node], offsets[node + 1]):
            row, column = places[node], places[columns[block]]
            if row < column:
                continue
            index = fronts_of_places[column]
            front = fronts[index]
            slot = row - starts[index]
            if row >= starts[index + 1]:
                begin = front[TRAILING_START]
                rows = trailing[begin : begin + front[TRAILING]]
                slot = PANEL_NODES * panel_count(front[PIVOTS]) + np.searchsorted(rows, row)
            blocks[count] = block
            targets[count] = _block_place(front, slot, column - starts[index])
            count += 1
    return blocks, targets


@compiled
def _block_place(front, slot, column):
    return factor_panel(front, slot // PANEL_NODES) + PANEL_ROWS * 3 * column + 3 * (slot % PANEL_NODES)
