"""Contacts that have no sense, or no solution: told or survived, in bounded time, without numbers that are none."""

import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver.contact.admm import AdmmSettings, run_admm
from stiction.solver.contact.methods import METHODS, solve
from stiction.solver.contact.nodal_contacts import NodalContacts
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.projection import Projection

from .problems import frames_at, general_form, random_problem

UP = frames_at(np.array([[0.0, 0.0, 1.0]]))
FORMS = [lambda problem: problem, general_form]


def one_node(offsets, nodes, frames, k, friction=0.5):
    """Contacts of a node of 1 kg that moves down, and another that moves not."""
    f = np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0])
    return FrictionProblem.nodal(sparse.eye_array(6), f, offsets, nodes, np.ones(len(nodes)), frames, k, friction)


def assert_sane(solution, most):
    for values in (solution.v, solution.r, solution.u, [solution.residual]):
        assert np.isfinite(values).all()
    assert solution.iterations <= most
    assert np.abs(solution.v).max() < 1e3


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_a_friction_of_a_thousand(method, form):
    """The judge multiplies what slides by the friction; it is a solution nevertheless."""
    solution = solve(form(random_problem(2, friction=1000.0)), method, iterations=2000)
    assert_sane(solution, 2000)
    assert solution.residual < 1e-5


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_a_contact_of_which_nothing_can_move_pushes_nothing(method, form):
    """Two colliders that close in on each other; the other contact is solved all the same, and the judge tells."""
    frames, k = np.repeat(UP, 2, axis=0), [[0.0, 0.0, 0.0], [-1.0, 0.5, 0.0]]
    solution = solve(form(one_node([0, 1, 1], [0], frames, k)), method, iterations=200)
    assert_sane(solution, 200)
    assert solution.v == pytest.approx(np.zeros(6), abs=1e-7)
    assert (solution.r[1] == 0.0).all()
    assert not solution.converged


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_contacts_that_contradict_each_other_are_told(method, form):
    """A node between two walls that both push it away with 1 m/s."""
    frames = frames_at(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]))
    solution = solve(form(one_node([0, 1, 2], [0, 0], frames, [[-1.0, 0, 0], [-1.0, 0, 0]])), method, iterations=300)
    assert_sane(solution, 300)
    assert not solution.converged


def contacts_of_one_node(count):
    return NodalContacts(
        *(np.arange(count + 1, dtype=np.int32), np.zeros(count, np.int32), np.ones(count)),
        *(np.tile([0.0, 0.0, 1.0], (count, 1)), np.zeros((count, 3))),
        *(np.full(count, 0.5), np.zeros(count), np.zeros(count)),
    )


class OneNode:
    """Of 1 kg, pushed by an impulse (3,) [N s]; A and W are one."""

    def __init__(self, impulse):
        self.impulse = np.array(impulse)

    def solve(self, targets, velocities_out):
        velocities_out[:] = 0.5 * (self.impulse + targets)


def test_a_million_contacts_of_one_node():
    velocities = np.array([[0.2, 0.0, -1.0]])
    Projection(contacts_of_one_node(1_000_000), np.ones(1)).project(velocities, 3)
    assert velocities == pytest.approx(np.zeros((1, 3)), abs=1e-9)


def test_a_million_contacts_of_one_node_are_solved_with_its_dynamics():
    dynamics, contacts = OneNode([0.2, 0.0, -1.0]), Projection(contacts_of_one_node(1_000_000), np.ones(1))
    start, settings = np.array([[0.2, 0.0, -1.0]]), AdmmSettings(iterations=6, sweeps=2, last_rounds=1)
    result = run_admm(dynamics, contacts, start, np.zeros((1, 3)), 0.01, settings)
    assert result.projected == pytest.approx(np.zeros((1, 3)), abs=1e-9)
    assert result.iterations <= 6 and np.isfinite(result.history).all()


@pytest.mark.parametrize("where", ["impulse", "velocities", "multipliers"])
def test_a_run_with_what_is_no_number_ends_at_once_and_says_so(where):
    parts = {"impulse": np.zeros(3), "velocities": np.zeros((1, 3)), "multipliers": np.zeros((1, 3))}
    parts[where].reshape(-1)[1] = np.nan
    contacts = Projection(contacts_of_one_node(3), np.ones(1))
    start = parts["velocities"], parts["multipliers"]
    result = run_admm(OneNode(parts["impulse"]), contacts, *start, 0.01, AdmmSettings())
    assert not result.converged and result.iterations == 1
    assert np.isnan(result.history[-1])


def parts_of(problem):
    form = problem.nodal_form
    names = {name: getattr(problem, name) for name in ("f", "k", "mu", "cohesion", "compliance")}
    return names | {
        "A": problem.A,
        "weights": form.weights,
        "frames": form.frames,
        "masses": np.ones(len(form.node_rows)),
    }


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["A", "f", "k", "mu", "cohesion", "compliance", "weights", "frames", "masses"])
def test_what_is_no_number_is_refused_wherever_it_is(name, bad):
    problem = random_problem()
    parts = {key: value.copy() for key, value in parts_of(problem).items()}
    (parts[name].data if name == "A" else parts[name].reshape(-1))[0] = bad
    form = problem.nodal_form
    with pytest.raises(ValueError, match="of the friction problem"):
        FrictionProblem.nodal(offsets=form.offsets, nodes=form.nodes, **parts)


@pytest.mark.parametrize("name", ["J", "delassus"])
def test_what_is_no_number_in_a_matrix_is_refused(name):
    problem = random_problem()
    matrix = sparse.csr_array(problem.J if name == "J" else np.eye(3))
    matrix.data[0] = np.nan
    with pytest.raises(ValueError, match=f"{name} of the friction problem"):
        if name == "J":
            FrictionProblem(problem.A, problem.f, matrix, problem.k, problem.mu)
        else:
            FrictionProblem.local(matrix, np.zeros(3), 0.5)
