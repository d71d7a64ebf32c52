"""Pairs that may come into contact during a step: searched for once, and added to where points go further than meant.

[Verschoor and Jalba 2019, section 5.1]: boxes that primitives sweep in the step, and a local search for those that
leave theirs. See docs/theory/collision.md.
"""

import numpy as np

from .box_pairs import PairsExceeded, overlapping_pairs
from .box_search import Scope
from .common_motion import common_motion, move_along
from .errors import PositionsNotFinite, TooManyPairs, commonest
from .growing_rows import GrowingRows
from .left_boxes import are_finite, enlarge_left, mark_left
from .morton_order import morton_order
from .primitive_set import PrimitiveSet
from .surface import NOTHING, CollisionSurface, SurfacePoints
from .swept_boxes import swept_boxes

MOST_PAIRS = 150_000_000  # 3 GB with what is known of them: room for 64 thousand strands that turn
EVERYTHING = Scope(is_self=False, is_local=False, leaves_grown=False)
GROWN = EVERYTHING._replace(is_local=True)
NOT_YET = np.empty(0, np.int32)
NO_PAIRS = np.empty((0, 2), np.int32)


class StepCandidates:
    """The candidates of a surface; made once, searched each step.

    `edge_pairs` (k, 2) int32 are two edges each, `point_triangle_pairs` (k, 2) int32 a point and a triangle.
    Given primitives, which are not searched among themselves, have trees of their own.
    """

    def __init__(self, surface: CollisionSurface, most: int = MOST_PAIRS):
        self.surface, self.most = surface, most
        self._order = self._places = NOT_YET
        self.edge_pairs = self.point_triangle_pairs = NO_PAIRS
        self._point_boxes = np.empty((len(surface.points.radii), 6), np.float32)
        self._has_left = np.zeros(len(surface.points.radii), np.uint8)
        self._starts, self._margin, self._motion = np.empty((0, 3)), 0.0, np.zeros((3, 3))
        self._seen_ends, self._seen_radii = (
            np.empty((len(surface.points.radii), 3)),
            np.empty(len(surface.points.radii)),
        )

    @property
    def edge_pairs(self) -> np.ndarray:
        return self._edge_rows.rows

    @edge_pairs.setter
    def edge_pairs(self, pairs: np.ndarray) -> None:
        self._edge_rows = GrowingRows(pairs)

    @property
    def point_triangle_pairs(self) -> np.ndarray:
        return self._point_triangle_rows.rows

    @point_triangle_pairs.setter
    def point_triangle_pairs(self, pairs: np.ndarray) -> None:
        self._point_triangle_rows = GrowingRows(pairs)

    def search(self, starts: np.ndarray, ends: np.ndarray, margin: float, room: float = 0.0) -> None:
        """Find all pairs for points that move from starts to ends (p, 3) [m].

        Boxes reach around points by their radius and a margin [m]: no pair is missed that comes nearer than the sum of
        its radii and two margins. Some room [m] to spare lets points end elsewhere without leaving their boxes. Raises
        PositionsNotFinite and TooManyPairs.
        """
        if self._order is NOT_YET:
            in_turn = np.arange(len(starts), dtype=np.int32)
            swept_boxes(self.surface, in_turn, starts, ends, self.surface.points.radii + margin, self._point_boxes)
            self._put_sets(_order_in_space(self.surface.points, self._point_boxes))
        self._starts, self._margin, self._motion = starts.copy(), margin, common_motion(starts, ends)
        seen_ends, seen_radii = self._moving_along(ends)
        swept_boxes(self.surface, self._places, starts, seen_ends, seen_radii + (margin + room), self._point_boxes)
        for primitives in self._sets:
            primitives.refit(self._point_boxes)
        self.edge_pairs = self.point_triangle_pairs = NO_PAIRS
        self._add_pairs(lambda first, second: [self._pairs(first, second, EVERYTHING)])

    def extend(self, ends: np.ndarray, room: float = 0.0) -> int:
        """Add what is missing for points that end elsewhere (p, 3) [m] than was meant; returns the pairs added.

        Boxes that are too small get some room [m] to spare, so that they serve the next time, too.
        """
        if not self._enlarge_boxes(ends, room):
            return 0
        leave = [primitives.leaves(self._has_left, self._point_boxes) for primitives in self._sets]
        if not any(leave):
            return 0
        for primitives in self._sets:
            primitives.grow(self._point_boxes)
        before = self._pair_count
        self._add_pairs(self._local_pairs)
        return self._pair_count - before

    def _moving_along(self, ends):
        """Ends (p, 3) and radii (p,) [m] as seen by one who moves with what is common to all."""
        move_along(self._starts, ends, self._motion, self.surface.points.radii, self._seen_ends, self._seen_radii)
        return self._seen_ends, self._seen_radii

    def _enlarge_boxes(self, ends, room):
        """Whether any point leaves its box; those that do get a larger one."""
        boxes = self._point_boxes
        ends, radii = self._moving_along(ends)
        mark_left(self._order, ends, radii, self._margin, boxes, self._has_left)
        left = np.flatnonzero(self._has_left)
        if not are_finite(self._order[left], ends):
            raise PositionsNotFinite(self.surface, self._starts, ends)
        if len(left):
            enlarge_left(self._order, ends, radii, self._margin + room, self._has_left, boxes)
        return len(left) > 0

    def forget_trees(self) -> None:
        """Build them anew in the next search: their order, and that of the pairs, depends on when they were built."""
        for primitives in self._sets if self._order is not NOT_YET else ():
            primitives.forget_tree()

    @property
    def _pair_count(self):
        return len(self.edge_pairs) + len(self.point_triangle_pairs)

    @property
    def _sets(self):
        points, edges = (self.free_points, self.given_points), (self.free_edges, self.given_edges)
        every = *points, *edges, self.free_triangles, self.given_triangles
        return [primitives for primitives in every if len(primitives.numbers)]

    @property
    def _edge_searches(self):
        return (self.free_edges, self.free_edges), (self.free_edges, self.given_edges)

    @property
    def _point_triangle_searches(self):
        return (
            (self.free_points, self.free_triangles),
            (self.free_points, self.given_triangles),
            (self.given_points, self.free_triangles),
        )

    def _put_sets(self, order):
        """What is searched, with points renumbered: the first is `order[0]`. What is found keeps its own numbers."""
        surface, self._order, self._places = self.surface, order, np.argsort(order).astype(np.int32)
        edge_points = np.unique(surface.edges)[:, None]  # what belongs to no edge belongs to nothing that is seen
        self.free_points, self.given_points = self._split(edge_points, edge_points[:, 0])
        self.free_edges, self.given_edges = self._split(surface.edges, np.arange(len(surface.edges)))
        self.free_triangles, self.given_triangles = self._split(surface.triangles, np.arange(len(surface.triangles)))

    def _split(self, corners, numbers):
        """The primitives of which a point moves freely, and the others; none of objects that meet nothing."""
        points = SurfacePoints(*(values[self._order] for values in self.surface.points))
        corners = self._places[corners]
        meets_any = self.surface.meets.any(axis=1)[points.objects[corners[:, 0]]]
        is_given = points.is_given[corners].all(axis=1)
        parts = np.flatnonzero(meets_any & ~is_given), np.flatnonzero(meets_any & is_given)
        return tuple(PrimitiveSet(points, numbers[part], corners[part]) for part in parts)

    def _add_pairs(self, pairs_of):
        """Search all sets that may meet, each search knowing how many pairs there are already."""
        for first, second in self._edge_searches:
            for pairs in pairs_of(first, second):
                self._edge_rows.add(pairs)
        for first, second in self._point_triangle_searches:
            for pairs in pairs_of(first, second):
                self._point_triangle_rows.add(pairs)

    def _local_pairs(self, first, second):
        """Pairs of which the first has grown, and those of which only the second has."""
        is_self = first is second
        yield self._pairs(first, second, GROWN._replace(is_self=is_self))
        if not is_self:
            yield self._pairs(second, first, GROWN._replace(leaves_grown=True))[:, ::-1]

    def _pairs(self, first, second, scope):
        scope = scope._replace(is_self=first is second)
        meets = self.surface.meets
        if not meets[np.ix_(first.objects, second.objects)].any() or (scope.is_local and not first.has_grown):
            return NO_PAIRS
        try:
            return overlapping_pairs(first.searched, second.searched, meets, scope, self.most - self._pair_count)
        except PairsExceeded as exceeded:
            owners = np.column_stack([first.owners(exceeded.sample[:, 0]), second.owners(exceeded.sample[:, 1])])
            raise TooManyPairs(self.most, commonest(self.surface, owners)) from None


def _order_in_space(points, point_boxes):
    """Numbers of the points (p,) so that strands that are near each other are also near in memory.

    Grooms list their strands in any order, and then a search of many spends half of its time waiting for memory.
    """
    follows = np.zeros(len(point_boxes), bool)
    follows[1:] = (np.diff(points.strands) == 0) & (np.diff(points.objects) == 0) & (points.strands[1:] != NOTHING)
    firsts = np.maximum.accumulate(np.where(follows, 0, np.arange(len(point_boxes)))).astype(np.int32)
    return morton_order(firsts[:, None], point_boxes)
