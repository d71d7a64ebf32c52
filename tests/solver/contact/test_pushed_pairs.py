"""Pairs that hit keep the ways they are left, those of before come no nearer, and momentum stays as it was."""

from typing import NamedTuple

import numpy as np
import pytest

from stiction.solver.collision.surface_parts import join_parts
from stiction.solver.integrator.pushed_pairs import PushedPairs

from ..collision.parts import part


class Pairs(NamedTuple):
    points: np.ndarray
    weights: np.ndarray
    normals: np.ndarray

    def rows(self, which):
        return Pairs(*(values[which] for values in self))


def strands_in_a_row(random, count):
    """Strands of one segment each; of neighbours, a place of each touches one of the other."""
    nodes = np.arange(2 * count, dtype=np.int32).reshape(-1, 2)
    parts = [
        part(f"strand {number}", random.normal(size=(2, 3)), segments=[[0, 1]], nodes=own[:, None])
        for number, own in enumerate(nodes)
    ]
    places = random.uniform(0.1, 0.9, size=(count - 1, 2))
    weights = np.stack([1.0 - places[:, 0], places[:, 0], places[:, 1] - 1.0, -places[:, 1]], axis=1)
    normals = random.normal(size=(count - 1, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return join_parts(parts), Pairs(np.concatenate([nodes[:-1], nodes[1:]], axis=1), weights, normals)


def ways(pairs, motion):
    return np.einsum("mk,mkx->mx", pairs.weights, motion[pairs.points])


def approach(pairs, motion):
    return np.einsum("mx,mx->m", pairs.normals, ways(pairs, motion))


def pushing_of(surface, masses, is_free=None):
    count = len(masses)
    return PushedPairs(surface, masses, np.ones(count, bool) if is_free is None else is_free, np.zeros((count, 3)))


@pytest.mark.parametrize("seed", range(5))
def test_pairs_that_hit_keep_their_shares(seed):
    random = np.random.default_rng(seed)
    surface, pairs = strands_in_a_row(random, 4)
    masses, motion = random.uniform(0.5, 2.0, 8), random.normal(size=(8, 3))
    before = motion.copy()
    pushing_of(surface, masses).push(pairs, np.full(3, 0.3), motion)
    assert ways(pairs, motion) == pytest.approx(0.3 * ways(pairs, before), abs=0.05)  # what twenty sweeps leave
    assert masses @ motion == pytest.approx(masses @ before)


@pytest.mark.parametrize("seed", range(5))
def test_what_hit_before_comes_no_nearer_than_it_was_left(seed):
    random = np.random.default_rng(seed)
    surface, pairs = strands_in_a_row(random, 3)
    motion = random.normal(size=(6, 3))
    first, second = pairs.rows(slice(0, 1)), pairs.rows(slice(1, 2))
    pushing = pushing_of(surface, np.ones(6))
    pushing.push(first, np.full(1, 0.5), motion)
    left = approach(first, motion)
    wanted = 0.5 * ways(second, motion)
    pushing.push(second, np.full(1, 0.5), motion)
    assert approach(first, motion) >= left - 1e-3
    assert ways(second, motion) == pytest.approx(wanted, abs=1e-3)


def test_a_pair_met_again_has_only_its_new_way():
    random = np.random.default_rng(1)
    surface, pairs = strands_in_a_row(random, 2)
    motion = random.normal(size=(4, 3))
    before, pushing = ways(pairs, motion), pushing_of(surface, np.ones(4))
    for _ in range(2):
        pushing.push(pairs, np.full(1, 0.5), motion)
    assert ways(pairs, motion) == pytest.approx(0.25 * before)


def test_what_is_not_free_is_not_pushed():
    random = np.random.default_rng(2)
    surface, pairs = strands_in_a_row(random, 2)
    motion, is_free = random.normal(size=(4, 3)), np.array([False, False, True, True])
    before = motion.copy()
    nodes = pushing_of(surface, np.ones(4), is_free).push(pairs, np.zeros(1), motion)
    assert set(nodes) == {2, 3} and np.array_equal(motion[:2], before[:2])
    assert ways(pairs, motion) == pytest.approx(np.zeros((1, 3)), abs=1e-12)
