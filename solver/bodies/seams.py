"""Attachments between bodies as tethers: the springs of seams and laces."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ..attachment import Attachment
from ..energies.law import Law
from .placement import Placed


def seam_laws(attachments: Iterable[Attachment], bodies: Mapping[str, Placed]) -> Iterator[Law]:
    """A law for each attachment between two bodies."""
    for tied in attachments:
        if tied.first in bodies and tied.second in bodies:
            yield _tether(tied, bodies[tied.first], bodies[tied.second])


def _tether(tied, first, second):
    """d = the first point minus the second; both are weighted sums of nodes."""
    from ..energies.tether import Tether, tether_elements

    nodes, weights = first.body.embedding(tied.first_vertices)
    other_nodes, other_weights = _weighted(second.body, tied.second_vertices, tied.second_weights)
    all_nodes = np.hstack([nodes + first.first, other_nodes + second.first])
    all_weights = np.hstack([weights, -other_weights])
    lengths: np.ndarray | float = 0.0
    if tied.keeps_distance:
        here = np.einsum("mw,mwx->mx", weights, first.body.positions[nodes])
        there = np.einsum("mw,mwx->mx", other_weights, second.body.positions[other_nodes])
        lengths = np.linalg.norm(here - there, axis=1)
    return Tether(tether_elements(all_nodes, all_weights, (0.0, 0.0, 0.0), tied.stiffness, lengths))


def _weighted(body, vertices, weights):
    """Nodes and weights (m, k w) of weighted sums (m, k) of vertices."""
    nodes, own = body.embedding(vertices.ravel())
    shape = (len(vertices), -1)
    return nodes.reshape(shape), (own.reshape(*vertices.shape, -1) * weights[:, :, None]).reshape(shape)
