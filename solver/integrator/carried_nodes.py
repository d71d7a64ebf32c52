"""Points of the surface that bodies carry, as weighted sums of the bodies' nodes: contacts push what carries them."""

import numpy as np

from ..collision.surface import CollisionSurface, PointNodes
from ..model import Model
from ..rods.bound_points import bound_positions


def contact_nodes(point_nodes: PointNodes, model: Model) -> PointNodes:
    """What moves each point, with the nodes of bound points replaced by those that carry them.

    The height above the carrying triangle is left out: in the linear system its normal is a constant.
    """
    bound = model.bound_points
    if bound is None:
        return point_nodes
    places = np.full(len(model.masses), -1)
    places[bound.points] = np.arange(len(bound.points))
    place = places[point_nodes.nodes]
    is_bound = place >= 0
    counts = np.where(is_bound, bound.nodes.shape[1], 1)
    nodes, weights = np.repeat(point_nodes.nodes, counts), np.repeat(point_nodes.weights, counts)
    is_replaced = np.repeat(is_bound, counts)
    nodes[is_replaced] = (bound.nodes[place[is_bound]] + model.body_nodes.start).ravel()
    weights[is_replaced] *= bound.weights[place[is_bound]].ravel()
    first_entries = np.concatenate([[0], np.cumsum(counts)])
    return PointNodes(first_entries[point_nodes.offsets].astype(np.int32), nodes, weights)


def pushed_surface(surface: CollisionSurface, model: Model) -> CollisionSurface:
    """The surface with the nodes that contacts push; points of strands that a free body carries are free."""
    nodes, points = contact_nodes(surface.nodes, model), surface.points
    point_of = np.repeat(np.arange(len(points.radii)), np.diff(nodes.offsets))
    is_given = points.is_given.copy()
    is_given[point_of[model.is_free[nodes.nodes] & (nodes.weights != 0.0)]] = False
    return surface._replace(nodes=nodes, points=points._replace(is_given=is_given))


def carry_bound(model: Model, positions: np.ndarray) -> np.ndarray:
    """Put bound points where bodies with nodes at positions (n, 3) [m] have them; in place."""
    if model.bound_points is not None:
        positions[model.bound_points.points] = bound_positions(model.bound_points, positions[model.body_nodes])
    return positions
