"""Gauss-Seidel on packed contacts against a plain twin."""

import numba
import numpy as np
import pytest

from stiction.solver.contact.colouring import STAGES, stages_of
from stiction.solver.contact.coulomb_law import OPEN, SLIP, STICK
from stiction.solver.contact.nodal_contacts import NodalContacts, joined
from stiction.solver.contact.projection import Projection

from .problems import frames_at


def random_contacts(seed, nodes, count, widest=4):
    rng = np.random.default_rng(seed)
    widths = rng.integers(1, widest + 1, count)
    normals = frames_at(_units(rng, count))[:, 0]
    return NodalContacts(
        offsets=np.concatenate([[0], np.cumsum(widths)]).astype(np.int32),
        nodes=np.concatenate([rng.choice(nodes, width, replace=False) for width in widths]).astype(np.int32),
        weights=rng.uniform(-1.0, 1.0, widths.sum()),
        normals=np.ascontiguousarray(normals),
        velocities=0.3 * rng.normal(size=(count, 3)),
        friction=rng.uniform(0.0, 1.5, count),
        cohesion=rng.uniform(0.0, 0.1, count),
        compliance=rng.choice([0.0, 0.2], count),
    )


def _units(rng, count):
    vectors = rng.normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def plain_sweeps(contacts, order, weights, velocities, sweeps):
    """Algorithm 3 of the paper, word by word, with impulses instead of pushes."""
    impulses = np.zeros((contacts.contact_count, 3))
    places = [slice(*contacts.offsets[c : c + 2]) for c in range(contacts.contact_count)]
    for c in order:
        nodes, b = contacts.nodes[places[c]], contacts.weights[places[c]]
        velocities[nodes] -= (b / weights[nodes])[:, None] * contacts.cohesion[c] * contacts.normals[c]
    for _ in range(sweeps):
        for c in order:
            nodes, b, n = contacts.nodes[places[c]], contacts.weights[places[c]], contacts.normals[c]
            s = (b**2 / weights[nodes]).sum() + contacts.compliance[c]
            u = b @ velocities[nodes] + contacts.velocities[c] + contacts.compliance[c] * impulses[c]
            free = u - s * impulses[c]
            wanted = free.copy()
            if free @ n < 0.0:
                across = free - (free @ n) * n
                wanted = across * max(0.0, 1.0 + contacts.friction[c] * (free @ n) / np.linalg.norm(across))
            change = (wanted - u) / s
            impulses[c] += change
            velocities[nodes] += (b / weights[nodes])[:, None] * change
    return impulses


@pytest.mark.parametrize("widest", [4, 12])
@pytest.mark.parametrize("seed", range(5))
def test_sweeps_equal_the_plain_twin(seed, widest):
    contacts, weights = random_contacts(seed, 60, 40, widest), np.random.default_rng(seed).uniform(0.5, 2.0, 60)
    start = np.random.default_rng(seed + 100).normal(size=(60, 3))
    projection, projected, expected = Projection(contacts, weights), start.copy(), start.copy()
    projection.project(projected, 7)
    order = _visiting_order(projection, contacts)
    impulses = plain_sweeps(contacts, order, weights, expected, 7)
    assert projected == pytest.approx(expected, abs=1e-12)
    assert projection.impulses == pytest.approx(impulses, abs=1e-12)


def _visiting_order(projection, contacts):
    """Stage by stage, the narrow contacts of each before the wide ones."""
    stages = stages_of(contacts.offsets, contacts.nodes, 60)
    order = projection.sets[0].packed.order
    narrow_count = len(projection.sets[0].packed.narrow.rows)
    is_wide = np.arange(len(order)) >= narrow_count
    return order[np.lexsort([is_wide, stages[order]])]


def test_a_second_call_goes_on_where_the_first_ended():
    contacts, weights = random_contacts(1, 60, 40), np.ones(60)
    start = np.random.default_rng(2).normal(size=(60, 3))
    once, twice = Projection(contacts, weights), Projection(contacts, weights)
    whole, parts = start.copy(), start.copy()
    once.project(whole, 10)
    twice.project(parts, 4)
    parts[:] = start  # its impulses are given again
    twice.project(parts, 6)
    assert parts == pytest.approx(whole, abs=1e-12)


def test_contacts_that_are_added_end_where_all_at_once_do():
    first, second = random_contacts(1, 200, 30), random_contacts(2, 200, 20)
    weights, start = np.ones(200), np.random.default_rng(2).normal(size=(200, 3))
    all_at_once, one_by_one = Projection(joined([first, second]), weights), Projection(first, weights)
    one_by_one.project(start.copy(), 5)
    one_by_one.add(second, weights)
    whole, parts = start.copy(), start.copy()
    all_at_once.project(whole, 2000)
    one_by_one.project(parts, 2000)
    assert parts == pytest.approx(whole, abs=1e-9)
    assert one_by_one.impulses.shape == (50, 3)
    assert (one_by_one.states(parts) == all_at_once.states(whole)).all()


def test_many_sweeps_obey_the_law():
    contacts, weights = random_contacts(3, 200, 60)._replace(cohesion=np.zeros(60)), np.ones(200)
    velocities = np.random.default_rng(4).normal(size=(200, 3))
    projection = Projection(contacts, weights)
    projection.project(velocities, 2000)
    states, impulses = projection.states(velocities), projection.impulses
    assert {OPEN, STICK, SLIP} == set(states)
    along = (impulses * contacts.normals).sum(axis=1)
    across = np.linalg.norm(impulses - along[:, None] * contacts.normals, axis=1)
    assert (along >= -1e-12).all() and (across <= contacts.friction * along + 1e-12).all()
    assert np.abs(impulses[states == OPEN]).max() < 1e-12
    assert across[states == SLIP] == pytest.approx(contacts.friction[states == SLIP] * along[states == SLIP])


def test_contacts_that_hardly_change_rest_until_the_next_call():
    contacts, weights = random_contacts(5, 200, 60), np.ones(200)
    start = np.random.default_rng(6).normal(size=(200, 3))
    awake = start.copy()
    Projection(contacts, weights).project(awake, 2000)
    sleepy, errors = Projection(contacts, weights), []
    for _ in range(400):
        projected = start.copy()
        sleepy.project(projected, 5, sleep_below=1e-3)
        errors.append(np.abs(projected - awake).max())
    assert errors[0] > 0.05  # those that rested too early are found out
    assert errors[-1] < 0.01


def test_stages_touch_no_node_twice():
    contacts = random_contacts(7, 500, 3000)
    stages = stages_of(contacts.offsets, contacts.nodes, 500)
    stage_of_place = np.repeat(stages, np.diff(contacts.offsets))
    assert stages.max() == STAGES
    for stage in range(STAGES):
        touched = contacts.nodes[stage_of_place == stage]
        assert len(touched) and len(np.unique(touched)) == len(touched)


def test_the_same_bits_on_any_number_of_threads():
    contacts, weights = random_contacts(8, 60000, 40000), np.ones(60000)
    start = np.random.default_rng(9).normal(size=(60000, 3))
    results, before = [], numba.get_num_threads()
    for count in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(count)
        try:
            velocities = start.copy()
            Projection(contacts, weights).project(velocities, 3)
            results.append(velocities)
        finally:
            numba.set_num_threads(before)
    assert np.array_equal(*results)


def test_very_many_contacts_of_one_node_take_no_harm():
    count = 100_000
    contacts = NodalContacts(
        *(np.arange(count + 1, dtype=np.int32), np.zeros(count, np.int32), np.ones(count)),
        *(np.tile([0.0, 0.0, 1.0], (count, 1)), np.zeros((count, 3))),
        *(np.full(count, 1000.0), np.zeros(count), np.zeros(count)),
    )
    velocities = np.array([[1.0, 0.0, -1.0]])
    Projection(contacts, np.ones(1)).project(velocities, 3)
    assert velocities == pytest.approx(np.zeros((1, 3)), abs=1e-12)
