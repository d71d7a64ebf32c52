"""Pairs keep the ways they are left, all at once, and momentum stays as it was."""

from typing import NamedTuple

import numpy as np
import pytest

from stiction.solver.collision.surface_parts import join_parts
from stiction.solver.integrator.pushed_pairs import PushedPairs

from ..collision.parts import part


class Pairs(NamedTuple):
    points: np.ndarray
    weights: np.ndarray


def pushed_strand_pairs(random, count=6):
    """Strands of one segment each, nodes of their own; of neighbours, one place of each touches one of the other."""
    nodes = np.arange(2 * count, dtype=np.int32).reshape(-1, 2)
    parts = [
        part(f"strand {number}", random.normal(size=(2, 3)), segments=[[0, 1]], nodes=own[:, None])
        for number, own in enumerate(nodes)
    ]
    places = random.uniform(0.1, 0.9, size=(count - 1, 2))
    weights = np.stack([1.0 - places[:, 0], places[:, 0], places[:, 1] - 1.0, -places[:, 1]], axis=1)
    return join_parts(parts), Pairs(np.concatenate([nodes[:-1], nodes[1:]], axis=1), weights)


def ways(pairs, motion):
    return np.einsum("mk,mkx->mx", pairs.weights, motion[pairs.points])


def test_all_pairs_keep_their_shares_after_a_few_rounds():
    random = np.random.default_rng(0)
    surface, pairs = pushed_strand_pairs(random)
    masses, motion = random.uniform(0.5, 2.0, 12), random.normal(size=(12, 3))
    before, pushing = motion.copy(), PushedPairs(surface, masses, np.ones(12, bool), np.zeros((12, 3)))
    first, rest = (Pairs(*(values[rows] for values in pairs)) for rows in (slice(0, 2), slice(2, None)))
    wanted = [0.3 * ways(first, motion)]
    pushing.push(first, np.full(2, 0.3), motion)
    wanted.append(0.5 * ways(rest, motion))
    pushing.push(rest, np.full(3, 0.5), motion)
    for _ in range(20):
        pushing.push(Pairs(pairs.points[:0], pairs.weights[:0]), np.empty(0), motion)
    assert ways(pairs, motion) == pytest.approx(np.concatenate(wanted), abs=1e-6)
    assert masses @ motion == pytest.approx(masses @ before)


def test_a_pair_met_again_has_only_its_new_way():
    random = np.random.default_rng(1)
    surface, pairs = pushed_strand_pairs(random, 2)
    motion = random.normal(size=(4, 3))
    before, pushing = ways(pairs, motion), PushedPairs(surface, np.ones(4), np.ones(4, bool), np.zeros((4, 3)))
    for _ in range(2):
        pushing.push(pairs, np.full(1, 0.5), motion)
    assert ways(pairs, motion) == pytest.approx(0.25 * before)


def test_what_is_not_free_is_not_pushed():
    random = np.random.default_rng(2)
    surface, pairs = pushed_strand_pairs(random, 2)
    motion, is_free = random.normal(size=(4, 3)), np.array([False, False, True, True])
    before = motion.copy()
    nodes = PushedPairs(surface, np.ones(4), is_free, np.zeros((4, 3))).push(pairs, np.zeros(1), motion)
    assert set(nodes) == {2, 3} and np.array_equal(motion[:2], before[:2])
    assert ways(pairs, motion) == pytest.approx(np.zeros((1, 3)), abs=1e-12)
