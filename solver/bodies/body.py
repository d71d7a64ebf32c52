"""What every object but hair becomes: nodes, laws, and its vertices among the nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:  # what is not imported is not compiled
    from ..energies.law import Law
    from ..volume.embedding import Embedding


@dataclass
class Body:
    """One object; its laws and its skin number the nodes from 0."""

    positions: np.ndarray  # of the nodes                                       (n, 3) [m]
    masses: np.ndarray  # of the nodes                                          (n,) [kg]
    laws: list[Law]
    skin: Embedding | None = None  # of the vertices; None: vertices are nodes
    warnings: list[str] = field(default_factory=list)  # sentences about the object
    is_rigid: bool = False  # whether its nodes keep their arrangement without any law

    @property
    def vertices_are_nodes(self) -> bool:
        """Each vertex is a node of the same number; there may be more nodes."""
        return self.skin is None or self.skin.nodes.shape[1] == 1

    def embedding(self, vertices) -> tuple[np.ndarray, np.ndarray]:
        """Nodes (m, w) and weights (m, w) of some vertices (m,)."""
        if self.skin is None:
            return np.asarray(vertices, np.int32)[:, None], np.ones((len(vertices), 1))
        return self.skin.nodes[vertices], self.skin.weights[vertices]
