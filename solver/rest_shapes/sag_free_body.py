"""Rest shapes of cloth and solids that hold their pose against gravity (docs/theory/sag_free.md)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ..energies.corotated import Corotated
from ..energies.fixed_corotated import FixedCorotated
from ..energies.hinge_bending import HingeBending
from ..energies.law import Law
from ..energies.membrane import Membrane
from ..energies.neo_hookean import NeoHookean
from ..energies.spring import Spring
from .balanced_elements import BalancedElements, nodal_sum
from .element_stresses import RestShapes
from .hinge_rest import HingeRest
from .membrane_rest import MembraneRest
from .report import SagFreeReport
from .spring_rest import SpringRest
from .tetrahedron_rest import TetrahedronRest

REST_SHAPES: dict[type, RestShapes] = {
    Membrane: MembraneRest(),
    HingeBending: HingeRest(),
    Spring: SpringRest(),
    **dict.fromkeys((NeoHookean, FixedCorotated, Corotated), TetrahedronRest()),
}
MOST_ROUNDS = 6  # of leaving elements at what they can bear
STIFFER = 4.0  # from try to try
HALVINGS = 2  # after which the stiffening is known to a fifth


class Try(NamedTuple):
    """Rest shapes found with hinges or solids that much stiffer."""

    stiffening: float
    laws: list[Law]
    limited: np.ndarray  # nodes of elements that do not bear what they should  int32
    is_stable: bool

    @property
    def is_good(self) -> bool:
        return self.is_stable and not len(self.limited)


def sag_free_body(
    laws: Sequence[Law],
    positions: np.ndarray,
    masses: np.ndarray,
    is_free: np.ndarray,
    gravity: np.ndarray,
    most_stiffening: float = 1000.0,
) -> tuple[list[Law], SagFreeReport]:
    """Laws whose rest shapes balance gravity (3,) [m/s²] at `positions` (n, 3) [m]; masses (n,) [kg], is_free (n,).

    Pieces without a held node keep their rest shapes, and fall. If the pose would not be stable, or rest shapes would
    be absurd, hinges and solids become stiffer, by no more than `most_stiffening`. If that does not help they stay as
    they are, absurd elements go as far as is sensible, and others bear what they can of the rest; or nothing changes,
    if that is better.
    """
    search = _Search(laws, positions, masses, is_free, np.asarray(gravity, float))
    best = search.best_try(most_stiffening)
    if search.acceleration(best.laws) > search.acceleration(search.changed):
        best = Try(1.0, search.changed, best.limited, is_stable=False)
    report = SagFreeReport(
        acceleration=search.acceleration(best.laws),
        limited=best.limited,
        unheld=np.flatnonzero(~search.is_held),
        stiffening=np.array([best.stiffening]),
        is_stable=best.is_stable,
    )
    return search.put_back(best.laws), report


class _Search:
    """What all tries share."""

    def __init__(self, laws, positions, masses, is_free, gravity):
        self.laws, self.positions, self.masses = laws, positions, masses
        self.is_held = _is_held(laws, is_free)
        self.is_movable = is_free & self.is_held
        self.changed = [law for law in laws if type(law) in REST_SHAPES]
        others = (_gradient(law, positions) for law in laws if type(law) not in REST_SHAPES)
        self.forces = np.outer(masses * self.is_held, gravity) - sum(others, np.zeros_like(positions))
        self.shapes = [REST_SHAPES[type(law)] for law in self.changed]
        self.statics = [shapes.statics(law, positions) for shapes, law in zip(self.shapes, self.changed, strict=True)]
        self.balance = BalancedElements([law.nodes for law in self.changed], positions, masses, self.is_movable)

    def best_try(self, most_stiffening) -> Try:
        """That with the least stiffening of those that are good; without any, if none is."""
        tried, too_soft = self._try(1.0), 1.0
        while not tried.is_good:
            too_soft = tried.stiffening
            stiffening = min(STIFFER * too_soft, most_stiffening)
            if stiffening <= too_soft or not any(shapes.can_stiffen for shapes in self.shapes):
                return self._try(1.0, MOST_ROUNDS)
            tried = self._try(stiffening)
        for _ in range(HALVINGS if tried.stiffening > 1.0 else 0):
            between = self._try(float(np.sqrt(too_soft * tried.stiffening)))
            if between.is_good:
                tried = between
            else:
                too_soft = between.stiffening
        return tried

    def _try(self, stiffening, rounds=1) -> Try:
        laws = [shapes.stiffened(law, stiffening) for shapes, law in zip(self.shapes, self.changed, strict=True)]
        self.balance.start(self._stiffened_statics(stiffening))
        for _ in range(rounds):
            self.balance.find(self.forces)
            recoveries = [self._recover(law, part) for law, part in zip(laws, self.balance.laws, strict=True)]
            if not sum(part.fix(item.limited, item.stresses) for part, item in zip(self.balance.laws, recoveries)):
                break
        limited = np.unique(np.concatenate([part.nodes[part.is_fixed].ravel() for part in self.balance.laws]))
        return Try(stiffening, [item.law for item in recoveries], limited, self._is_stable(laws))

    def _is_stable(self, laws):
        parts = zip(self.shapes, laws, self.balance.laws, strict=True)
        turned = [shapes.stress_stiffness(law, self.positions, part.stresses) for shapes, law, part in parts]
        return self.balance.is_stable(turned)

    def _stiffened_statics(self, factor):
        """The stresses that are there stay what they are."""
        for shapes, statics in zip(self.shapes, self.statics, strict=True):
            yield statics._replace(stiffness=factor * statics.stiffness) if shapes.can_stiffen else statics

    def _recover(self, law, part):
        return REST_SHAPES[type(law)].with_stresses(law, self.positions, part.stresses)

    def acceleration(self, changed) -> float:
        """The largest with which a held node starts to move [m/s²]."""
        left = (self.forces - sum(_gradient(law, self.positions) for law in changed))[self.is_movable]
        return float((np.linalg.norm(left, axis=1) / self.masses[self.is_movable]).max(initial=0.0))

    def put_back(self, changed) -> list[Law]:
        """All laws, in their order."""
        remaining = iter(changed)
        return [next(remaining) if type(law) in REST_SHAPES else law for law in self.laws]


def _gradient(law, positions):
    """Of a law's energy by the nodes (n, 3) [N]."""
    gradients, hessians = np.zeros((*law.nodes.shape, 3)), np.zeros((*law.nodes.shape, law.nodes.shape[1], 3, 3))
    law.derivatives(positions, gradients, hessians)
    return nodal_sum(law.nodes, gradients, len(positions))


def _is_held(laws, is_free):
    """Nodes (n,) that elements connect to one that is not free."""
    count = len(is_free)
    starts = np.concatenate([np.repeat(law.nodes[:, :1], law.nodes.shape[1], axis=1).ravel() for law in laws])
    ends = np.concatenate([law.nodes.ravel() for law in laws])
    links = coo_array((np.ones(len(starts), bool), (starts, ends)), (count, count))
    piece_count, pieces = connected_components(links, directed=False)
    return np.bincount(pieces, ~is_free, minlength=piece_count)[pieces] > 0
