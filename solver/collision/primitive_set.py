"""Primitives of one kind that are searched together: their tree, and which of their boxes have grown in the step."""

import numpy as np
from numba import float32, prange, uint8

from ..jit_cache import kernel
from .box_overlaps import WIDTH, box_of, union_box
from .box_search import NO_BOXES, NO_MARKS, SearchedSet
from .pair_filter import traits_of
from .surface import SurfacePoints
from .swept_boxes import POINT_BOXES
from .wide_tree import TREE, WideTree, build_tree, primitive_box, put_box, refit, refit_upper

REBUILD = 2.0  # times as slack as it was when it was built


class PrimitiveSet:
    """Primitives with numbers (n,) and corners (n, k)."""

    def __init__(self, points: SurfacePoints, numbers: np.ndarray, corners: np.ndarray):
        in_memory = np.argsort(corners[:, 0], kind="stable")  # trees are built from boxes read one after the other
        self.points, self.numbers = points, numbers[in_memory].astype(np.int32)
        self.corners = np.ascontiguousarray(corners[in_memory], np.int32)
        self.objects = np.unique(points.objects[corners[:, 0]])
        self.has_grown = False
        self._tree: WideTree | None = None
        self._traits = traits_of(points, corners[:0])
        self._slackness_built = 0.0
        self._is_grown, self._boxes_before = NO_MARKS, NO_BOXES

    def owners(self, numbers: np.ndarray) -> np.ndarray:
        """Objects that primitives of these numbers belong to."""
        order = np.argsort(self.numbers)
        places = order[np.searchsorted(self.numbers, numbers, sorter=order)]
        return self.points.objects[self.corners[places, 0]]

    @property
    def searched(self) -> SearchedSet:
        assert self._tree is not None
        return SearchedSet(*self._tree, *self._traits, self._is_grown, self._boxes_before)

    def forget_tree(self) -> None:
        self._tree = None

    def refit(self, point_boxes: np.ndarray) -> None:
        """Boxes for a new step; the tree is built anew when its order has become a bad one."""
        self.has_grown, self._is_grown, self._boxes_before = False, NO_MARKS, NO_BOXES
        if self._tree is None or refit(self._tree, point_boxes) > REBUILD * self._slackness_built:
            self._tree = build_tree(self.numbers, self.corners, point_boxes)
            self._traits = traits_of(self.points, self._tree.corners)
            self._slackness_built = refit(self._tree, point_boxes)

    def leaves(self, has_left: np.ndarray, point_boxes: np.ndarray) -> bool:
        """Mark primitives that leave their boxes with points that have left theirs (p,) uint8; whether any does."""
        tree = self._tree
        assert tree is not None
        self._is_grown = np.zeros(len(tree.order), np.uint8)
        mark_grown(tree, has_left, point_boxes, self._is_grown)
        self.has_grown = bool(self._is_grown.any())
        return self.has_grown

    def grow(self, point_boxes: np.ndarray) -> None:
        """Enlarge the boxes of those that are marked."""
        tree = self._tree
        assert tree is not None
        boxes = tree.boxes[: tree.leaf_count]
        self._boxes_before = boxes.copy() if self.has_grown else boxes
        if self.has_grown:
            enlarge_boxes(tree, point_boxes, self._is_grown, boxes)
            refit_upper(tree)


@kernel((TREE, uint8[::1], POINT_BOXES, uint8[::1]), parallel=True)
def mark_grown(tree, has_left, point_boxes, is_grown_out):
    """`is_grown_out` are zeros."""
    for place in prange(len(tree.order)):
        may_grow = False
        for corner in range(tree.corners.shape[1]):
            may_grow |= has_left[tree.corners[place, corner]] != 0
        if may_grow:
            old, new = box_of(tree.boxes, place // WIDTH, place % WIDTH), primitive_box(tree, point_boxes, place)
            is_grown_out[place] = union_box(old, new) != old


@kernel((TREE, POINT_BOXES, uint8[::1], float32[:, :, ::1]), parallel=True)
def enlarge_boxes(tree, point_boxes, is_grown, boxes_out):
    """`boxes_out` are the lowest ones of the tree: what they were, and what they must be now."""
    for place in prange(len(tree.order)):
        node, child = place // WIDTH, place % WIDTH
        if is_grown[place]:
            box = union_box(box_of(boxes_out, node, child), primitive_box(tree, point_boxes, place))
            put_box(box, boxes_out, node, child)
