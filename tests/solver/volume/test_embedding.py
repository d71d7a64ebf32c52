"""Vertices follow their nodes, and forces on them do the same work there."""

import numpy as np
import pytest

from stiction.solver.reference import embedding as plain
from stiction.solver.volume.cage import cage
from stiction.solver.volume.embedding import Embedding, embed, identity_embedding, spread

from .shapes import bumpy


@pytest.fixture(scope="module")
def caged():
    return cage(*bumpy(3))


@pytest.mark.parametrize("width", [1, 4, 16])
def test_kernels_match_their_plain_twins(width):
    random = np.random.default_rng(0)
    count = 50
    nodes = random.integers(0, count, (200, width)).astype(np.int32)
    embedding = Embedding(nodes, random.dirichlet(np.ones(width), 200))
    values, forces = random.normal(size=(count, 3)), random.normal(size=(200, 3))
    assert np.allclose(embed(embedding, values), plain.embed(embedding, values), rtol=0, atol=1e-14)
    assert np.allclose(spread(embedding, forces, count), plain.spread(embedding, forces, count), rtol=0, atol=1e-12)


def test_spread_forces_do_the_same_work(caged):
    mesh, embedding = caged
    random = np.random.default_rng(1)
    velocities, forces = random.normal(size=mesh.nodes.shape), random.normal(size=(len(embedding.nodes), 3))
    work = (embed(embedding, velocities) * forces).sum()
    assert (velocities * spread(embedding, forces, len(mesh.nodes))).sum() == pytest.approx(work, rel=1e-12)


def test_identity_moves_nothing():
    positions = np.random.default_rng(2).normal(size=(7, 3))
    embedding = identity_embedding(5)
    assert np.array_equal(embed(embedding, positions), positions[:5])
    assert np.array_equal(spread(embedding, positions[:5], 7)[:5], positions[:5])
