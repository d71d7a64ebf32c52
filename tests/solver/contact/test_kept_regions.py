"""Regions kept while contacts come and go, against the quadratic algorithm on each step's contacts."""

import numpy as np
import pytest

from benchmarks.scenes.shapes import box, sheet
from stiction.solver import Cloth, Collider, Scene, Simulation
from stiction.solver.contact.kept_regions import KeptRegions, Touched, contact_names, touched_parts
from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.region_rows import contact_regions
from stiction.solver.reference.regions import regions_by_comparison

from .problems import random_problem
from .test_regions import same_partition, scattered_problem


def as_arrays(contacts):
    offsets = np.concatenate([[0], np.cumsum([len(points) for points in contacts])]).astype(np.int32)
    points = np.concatenate([[], *(sorted(points) for points in contacts)]).astype(np.int32)
    return Touched(offsets, points)


def random_contacts(rng, count, point_count):
    return [set(rng.choice(point_count, rng.integers(0, 4), replace=False).tolist()) for _ in range(count)]


@pytest.mark.parametrize("point_count", [12, 40, 300])
@pytest.mark.parametrize("seed", range(5))
def test_regions_equal_those_of_the_quadratic_algorithm_in_every_step(seed, point_count):
    rng = np.random.default_rng(seed)
    kept, contacts = KeptRegions(), random_contacts(rng, 40, point_count)
    for _ in range(30):
        stay = rng.random(len(contacts)) < rng.choice([0.0, 0.5, 0.95, 1.0])
        contacts = [points for points, stays in zip(contacts, stay) if stays]
        contacts += random_contacts(rng, int(rng.integers(0, 8)), point_count)
        contacts = [contacts[place] for place in rng.permutation(len(contacts))]
        count, regions = kept.update(point_count, as_arrays(contacts))
        expected = regions_by_comparison(contacts)
        assert count == len(set(expected)) and same_partition(regions.tolist(), expected)


def test_only_what_changed_is_joined_anew():
    """Three chains of contacts: one stays, one loses a contact in its middle, and one gets longer."""
    chains = [[{first + n, first + n + 1} for n in range(9)] for first in (0, 10, 20)]
    kept = KeptRegions()
    assert kept.update(40, as_arrays([points for chain in chains for points in chain]))[0] == 3
    assert kept.joined_count == 27
    stayed, torn, longer = chains[0], chains[1][:4] + chains[1][5:], [*chains[2], {29, 30}]
    count, regions = kept.update(40, as_arrays(stayed + torn + longer))
    assert count == 4 and kept.joined_count == len(torn) + 1
    assert len(set(regions[:9])) == 1 and len(set(regions[9:17])) == 2
    assert kept.update(40, as_arrays(stayed + torn + longer))[0] == 4 and kept.joined_count == 0
    assert kept.update(40, as_arrays([]))[0] == 0
    assert kept.update(40, as_arrays(longer))[0] == 1


def test_contacts_of_nothing_that_moves_are_regions_of_their_own():
    count, regions = KeptRegions().update(3, as_arrays([set(), {1}, set(), {1, 2}]))
    assert count == 3 and regions[1] == regions[3] and len(set(regions)) == 3


def test_names_tell_contacts_apart():
    pairs = [{a, b} for a in range(60) for b in range(a)]
    assert len(set(contact_names(as_arrays(pairs)))) == len(pairs)
    assert np.array_equal(contact_names(as_arrays([{3, 7}])), contact_names(as_arrays([{7, 3}])))


@pytest.mark.parametrize("seed", range(5))
def test_parts_of_the_dynamics_give_the_regions_of_the_delassus_operator(seed):
    for problem in (scattered_problem(seed)[0], random_problem(seed)):
        part_count, touched = touched_parts(problem)
        count, regions = KeptRegions().update(part_count, touched)
        expected_count, expected = contact_regions(local_form(problem).W)
        assert count == expected_count and same_partition(regions.tolist(), expected.tolist())


def test_kept_regions_give_the_same_solution():
    problem = scattered_problem(1)[0]
    alone = solve(problem, "regions", 1e-9)
    problem.kept = KeptRegions()
    for _ in range(2):
        assert solve(problem, "regions", 1e-9).r == pytest.approx(alone.r, abs=1e-9)
    assert problem.kept.joined_count == 0
    none = FrictionProblem(problem.A, problem.f, np.zeros((0, len(problem.f))), np.zeros((0, 3)), 0.3)
    none.kept = problem.kept
    assert solve(none, "regions").r.shape == (0, 3)
    other = random_problem(2)
    other.kept = problem.kept
    assert solve(other, "regions", 1e-9).converged


def test_steps_keep_their_regions():
    """Of napkins that rest on the floor: nothing is joined once their contacts stay."""
    scene = Scene(contact_method="regions", steps_per_frame=8)
    scene.add(Collider("floor", *box((2.0, 2.0, 0.2), (0.0, 0.0, -0.1)), friction=0.5, thickness=1e-3))
    points, triangles = sheet((3, 3), (0.1, 0.1))
    for side in (-0.1, 0.1):
        placed = points + [side, 0.0, 1.01e-3]
        scene.add(Cloth(f"napkin {side}", placed, triangles, friction=0.5, thickness=1e-3))
    simulation = Simulation(scene)
    for _ in range(12):
        simulation.advance()
    kept = simulation.integrator.solver.kept_regions
    assert len(kept.names) > 4 and len(set(kept.names)) == 2 and kept.joined_count == 0
