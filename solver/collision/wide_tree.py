"""A tree of boxes, eight children a node, over primitives in Morton order: built rarely, refitted each step.

Primitives are sorted once along a space-filling curve. Eight neighbours make a node of the lowest level, eight nodes
one of the next, up to the root: no pointers, and a node's eight boxes are compared in a few vector instructions. The
box of a primitive is that around the boxes of its corners.
"""

from typing import NamedTuple

import numpy as np
from numba import float32, float64, int32, int64, prange

from ..jit_cache import compiled, kernel, tuple_of
from .box_overlaps import NOWHERE, WIDTH, box_of, union_box
from .morton_order import morton_order
from .swept_boxes import POINT_BOXES

AREA_CHUNK = 512  # nodes that are summed together, whatever the number of threads


class WideTree(NamedTuple):
    order: np.ndarray  # primitive at each place                                           (n,) int32
    corners: np.ndarray  # points of the primitive at each place                           (n, k) int32
    level_starts: np.ndarray  # first node of each level, the lowest first, and the end    (levels + 1,) int64
    boxes: np.ndarray  # of the children: low x, y, z, then high x, y, z                   (nodes, 6, WIDTH) float32

    @property
    def leaf_count(self) -> int:
        return int(self.level_starts[1])


TREE = tuple_of(WideTree, int32[::1], int32[:, ::1], int64[::1], float32[:, :, ::1])


def build_tree(primitives: np.ndarray, corners: np.ndarray, point_boxes: np.ndarray) -> WideTree:
    """A tree for some numbered primitives (n,) int32 with corners (n, k), sorted by their centres; to be refitted."""
    order = morton_order(corners, point_boxes)
    counts = [max(-(-len(order) // WIDTH), 1)]
    while counts[-1] > 1 or len(counts) == 1:  # searches begin above the lowest nodes
        counts.append(-(-counts[-1] // WIDTH))
    level_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    boxes = np.empty((level_starts[-1], 6, WIDTH), np.float32)
    tree = WideTree(np.empty(len(order), np.int32), np.empty_like(corners), level_starts, boxes)
    put_in_order(order, primitives, corners, tree.order, tree.corners)
    return tree


@kernel((int32[::1], int32[::1], int32[:, ::1], int32[::1], int32[:, ::1]), parallel=True)
def put_in_order(order, primitives, corners, primitives_out, corners_out):
    for place in prange(len(order)):
        primitives_out[place] = primitives[order[place]]
        for corner in range(corners.shape[1]):
            corners_out[place, corner] = corners[order[place], corner]


def refit(tree: WideTree, point_boxes: np.ndarray) -> float:
    """New boxes of points (p, 6) for the same primitives; returns how slack the tree is.

    That is the area of the lowest nodes' boxes against that of their primitives, which rises as primitives lose their
    order.
    """
    areas = np.empty((-(-tree.leaf_count // AREA_CHUNK), 2))
    _refit_lowest(tree, point_boxes, areas)
    refit_upper(tree)
    of_nodes, of_primitives = areas.sum(axis=0)
    return float(of_nodes / max(of_primitives, np.finfo(float).tiny))


@compiled
def primitive_box(tree, point_boxes, place):
    """The box around the boxes of a primitive's corners."""
    box = NOWHERE
    for corner in range(tree.corners.shape[1]):
        point = tree.corners[place, corner]
        low = point_boxes[point, 0], point_boxes[point, 1], point_boxes[point, 2]
        box = union_box(box, (*low, point_boxes[point, 3], point_boxes[point, 4], point_boxes[point, 5]))
    return box


@compiled
def put_box(box, boxes_out, node, child):
    for bound in range(6):
        boxes_out[node, bound, child] = box[bound]


@compiled
def _half_area(box):
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return float64(x * y + y * z + z * x)


@kernel((TREE, POINT_BOXES, float64[:, ::1]), parallel=True)
def _refit_lowest(tree, point_boxes, areas_out):
    """Boxes of the lowest level; areas of nodes and of primitives, summed a chunk of nodes."""
    boxes = tree.boxes
    for chunk in prange(len(areas_out)):
        of_nodes, of_primitives = 0.0, 0.0
        for node in range(AREA_CHUNK * chunk, min(AREA_CHUNK * (chunk + 1), tree.level_starts[1])):
            around = NOWHERE
            for child in range(WIDTH):
                box = NOWHERE
                if WIDTH * node + child < len(tree.order):
                    box = primitive_box(tree, point_boxes, WIDTH * node + child)
                    of_primitives += _half_area(box)
                put_box(box, boxes, node, child)
                around = union_box(around, box)
            if around[0] <= around[3]:
                of_nodes += _half_area(around)
        areas_out[chunk, 0], areas_out[chunk, 1] = of_nodes, of_primitives


# Not parallel: there are few upper nodes, and each level would wait for all threads.
@kernel((TREE,))
def refit_upper(tree):
    """Boxes of all levels but the lowest, from those of the lowest."""
    for level in range(1, len(tree.level_starts) - 1):
        below, above, end = tree.level_starts[level - 1], tree.level_starts[level], tree.level_starts[level + 1]
        for node in range(above, end):
            for child in range(WIDTH):
                lower = below + WIDTH * (node - above) + child
                box = NOWHERE
                if lower < above:
                    for grandchild in range(WIDTH):
                        box = union_box(box, box_of(tree.boxes, lower, grandchild))
                put_box(box, tree.boxes, node, child)
