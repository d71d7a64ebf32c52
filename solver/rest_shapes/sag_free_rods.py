"""Natural shapes of strands that hold the groom's pose against gravity (docs/theory/sag_free.md)."""

import numpy as np

from ..rods.rods import RodFrames, Rods
from ..rods.stresses import RodStresses, strains_at, stresses_of
from .balanced_rods import balance_strands, subtract_balance
from .report import SagFreeReport
from .rod_stability import find_stiffening
from .rod_statics import RodStiffness

# Where a natural shape is no longer sensible, against the pose:
MOST_STRAIN = 0.75  # of an edge
MOST_CURVATURE = 2.0 * np.tan(np.deg2rad(60.0))  # a turn by 120° at one vertex
MOST_TWIST = 0.5 * np.pi  # [rad] at one vertex


def sag_free_rods(
    rods: Rods, frames: RodFrames, positions: np.ndarray, gravity: np.ndarray, most_stiffening: float = 1000.0
) -> tuple[Rods, SagFreeReport]:
    """Strands whose rest lengths, natural curvatures and twists balance gravity (3,) [m/s²] at `positions` (n, 3) [m].

    The frames are those of the pose, and no material frame is turned against them. Strands without a held point keep
    their natural shape, and fall. A strand that would topple, or need an absurd natural shape, becomes stiffer against
    bending and twisting, by no more than `most_stiffening`; where that is not enough, it bears a share of its weight.
    """
    is_held = _of_strands(np.logical_or, rods, ~rods.is_free)
    weights = np.outer(rods.masses * _per_point(rods, is_held), gravity)
    strains = strains_at(rods, frames, positions, np.zeros(len(positions)))
    before = stresses_of(rods, strains)
    stresses = RodStresses(*(array.copy() for array in before))
    is_balanced = np.zeros(len(is_held), bool)
    balance_strands(rods, frames, positions, weights, _stiffness(rods), stresses, is_balanced)
    needed = np.ones(len(is_held))
    find_stiffening(rods, frames, positions, _stiffness(rods), stresses, needed)
    np.maximum(needed, _stiffening_against_bends(rods, stresses), out=needed)
    needed[~(is_balanced & is_held)] = np.inf
    shares = np.minimum(most_stiffening / needed, _shares_of_stretching(rods, before, stresses)).clip(max=1.0)
    stiffening = np.where(shares > 0.0, needed.clip(max=most_stiffening), 1.0)
    found = _with_stresses(_stiffened(rods, stiffening), strains, before, stresses, _per_point(rods, shares))
    torques = np.zeros(len(positions))
    subtract_balance(found, frames, positions, stresses_of(found, strains), weights, torques)
    acceleration = _largest_acceleration(rods, weights, torques)
    limited = np.flatnonzero(is_held & (shares < 1.0))
    return found, SagFreeReport(acceleration, limited, np.flatnonzero(~is_held), stiffening)


def _stiffness(rods):
    return RodStiffness(rods.stretching / rods.rest_lengths, np.column_stack([rods.bending, rods.twisting]))


def _stiffening_against_bends(rods, stresses):
    """The factor (s,) that keeps natural curvatures and twists sensible."""
    bends = _bends(rods, stresses)
    excess = np.maximum(np.linalg.norm(bends[:, :2], axis=1) / MOST_CURVATURE, np.abs(bends[:, 2]) / MOST_TWIST)
    return _of_strands(np.maximum, rods, excess)


def _shares_of_stretching(rods, before, after):
    """How far strands can go from one tension to the other (s,), 0 to 1, before rest lengths turn absurd."""
    strains, strains_after = before.tensions / rods.stretching, after.tensions / rods.stretching
    is_within = np.abs(strains_after) <= MOST_STRAIN
    way = np.abs(strains_after - strains)
    shares = np.divide(MOST_STRAIN - np.abs(strains), way, out=np.ones_like(way), where=~is_within)
    return _of_strands(np.minimum, rods, np.clip(shares, 0.0, 1.0))


def _stiffened(rods, factors):
    """Strands that resist bending and twisting more."""
    factors = _per_point(rods, factors)
    return rods._replace(bending=rods.bending * factors[:, None], twisting=rods.twisting * factors)


def _with_stresses(rods, strains, before, after, shares):
    """The rods with rest shapes that give stresses between two (equation 2, solved for the rest shape)."""
    between = RodStresses(
        before.tensions + shares * (after.tensions - before.tensions),
        before.moments + shares[:, None] * (after.moments - before.moments),
    )
    bends = strains.bends - _bends(rods, between)
    lengths = strains.lengths / (1.0 + between.tensions / rods.stretching)
    return rods._replace(
        rest_lengths=np.where(shares > 0.0, lengths, rods.rest_lengths),
        rest_curvatures=np.where(shares[:, None] > 0.0, bends[:, :2], rods.rest_curvatures),
        rest_twists=np.where(shares > 0.0, bends[:, 2], rods.rest_twists),
    )


def _bends(rods, stresses):
    """Curvatures and twists against the natural ones (n, 3)."""
    stiffness = np.column_stack([rods.bending, rods.twisting])
    return np.divide(stresses.moments, stiffness, out=np.zeros_like(stiffness), where=stiffness > 0.0)


def _largest_acceleration(rods, forces, torques):
    """[m/s²]; a torque counts as a force at the end of its edge."""
    largest = np.maximum(np.linalg.norm(forces, axis=1), np.abs(torques) / rods.rest_lengths)
    return float((largest / rods.masses).max(initial=0.0))


def _per_point(rods, values):
    return np.repeat(values, np.diff(rods.offsets))


def _of_strands(operation, rods, values):
    """An operation over the points of each strand (s,)."""
    return operation.reduceat(values, rods.offsets[:-1]) if len(values) else values
