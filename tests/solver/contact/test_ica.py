"""Nested relaxation against the exact reference, the judge and closed forms."""

import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver.contact.ica import IcaSettings, run_ica, unconstrained_velocities
from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.pyramid_law import aligned_frames
from stiction.solver.contact.residuals import judge
from stiction.solver.reference.friction import solve_exactly

from .problems import frames_at, general_form, random_problem
from .twisted_problems import twisted_problem

FRICTIONS = [0.0, 0.3, 1.0, 5.0]


def resting_point(velocity, friction, mass=2.0):
    """A point on the ground with this velocity (3,) [m/s] before the contact, normal first."""
    A = mass * sparse.eye_array(3)
    one = np.array([0, 1]), np.array([0]), np.array([1.0])
    return FrictionProblem.nodal(A, mass * np.asarray(velocity), *one, np.eye(3), np.zeros(3), friction)


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("seed", range(10))
def test_nl_ica_agrees_with_the_reference_among_twists(seed, friction):
    problem = twisted_problem(seed, friction=friction)
    solution = solve(problem, "nl-ica", tolerance=1e-9, iterations=20000)
    v, _ = solve_exactly(problem)
    assert solution.converged, solution.residual
    assert solution.v == pytest.approx(v, abs=1e-6)
    residuals = judge(problem, solution.v, solution.r)
    assert residuals.dynamics < 1e-8 and residuals.penetration < 1e-8 and residuals.cone_violation < 1e-12


@pytest.mark.parametrize("form", [lambda problem: problem, general_form])
@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("seed", range(5))
def test_ica_solves_the_law_of_its_pyramid(seed, friction, form):
    """λ and γ lie in their bounds, and where they do not touch them the velocity is zero."""
    problem = form(random_problem(seed, friction=friction))
    solution = solve(problem, "ica", tolerance=1e-9, iterations=20000)
    free = problem.relative_velocities(unconstrained_velocities(problem))
    turns = aligned_frames(free)
    u, r = ((turns @ values.ravel()).reshape(-1, 3) for values in (solution.u, solution.r))
    assert r[:, 0] == pytest.approx(np.maximum(r[:, 0] - u[:, 0], 0.0), abs=1e-8)
    most = friction * r[:, :1]
    assert r[:, 1:] == pytest.approx(np.clip(r[:, 1:] - u[:, 1:], -most, most), abs=1e-8)
    assert judge(problem, solution.v, solution.r).dynamics < 1e-8


@pytest.mark.parametrize("seed", range(5))
def test_without_friction_the_pyramid_is_exact(seed):
    problem = random_problem(seed, friction=0.0)
    solution = solve(problem, "ica", tolerance=1e-9, iterations=20000)
    assert solution.converged
    assert solution.v == pytest.approx(solve_exactly(problem)[0], abs=1e-6)


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
@pytest.mark.parametrize(
    ("friction", "expected"),
    [
        (0.0, [0.0, 3.0, 4.0]),  # slides freely
        (0.5, [0.0, 2.7, 3.6]),  # is slowed by μ times the normal velocity, 0.5 of 5
        (10.0, [0.0, 0.0, 0.0]),  # sticks
    ],
)
def test_one_point_on_the_ground(method, friction, expected):
    """The pyramid is aligned with the sliding, so that it is Coulomb's law here; one iteration finds it."""
    problem = resting_point([-1.0, 3.0, 4.0], friction)
    solution = solve(problem, method, tolerance=1e-9, iterations=1)
    assert solution.v == pytest.approx(expected, abs=1e-11)
    assert solution.r[0] == pytest.approx(2.0 * (np.array(expected) - [-1.0, 3.0, 4.0]), abs=1e-10)
    assert solution.converged


def test_the_name_may_have_an_underscore():
    problem = random_problem()
    assert np.array_equal(solve(problem, "nl_ica", iterations=3).v, solve(problem, "nl-ica", iterations=3).v)


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_an_opening_contact_pushes_nothing(method):
    solution = solve(resting_point([1.0, 2.0, 3.0], 0.5), method)
    assert solution.v == pytest.approx([1.0, 2.0, 3.0]) and not solution.r.any()
    assert solution.converged


def test_a_pyramid_holds_more_than_a_cone():
    """Across its corner; a second point deflects the sliding, so that the pyramid no longer fits."""
    problem = random_problem(2, contacts=12, friction=0.4)
    r = solve(problem, "ica", tolerance=1e-9, iterations=20000).r
    ratios = np.linalg.norm(r[:, 1:], axis=1)[r[:, 0] > 1e-9] / r[r[:, 0] > 1e-9, 0]
    assert 0.4 * 1.01 < ratios.max() <= 0.4 * np.sqrt(2.0) + 1e-9


@pytest.mark.parametrize("is_pyramid", [False, True])
def test_the_measure_is_a_way_in_the_step(is_pyramid):
    """Twice the step, twice δ∞, at the same velocities."""
    problem = random_problem(1)
    start, settings = unconstrained_velocities(problem), IcaSettings(iterations=5, tolerance=0.0)
    short, long = (run_ica(problem, start, step, settings, is_pyramid) for step in (0.01, 0.02))
    assert long.history == pytest.approx(2.0 * np.array(short.history)) and len(short.history) == 5
    assert np.array_equal(short.velocities, long.velocities)


def test_it_stops_where_it_is_told():
    problem = random_problem(1)
    start, told = unconstrained_velocities(problem), []

    def is_enough(velocities):
        told.append(velocities.copy())
        return len(told) == 4

    result = run_ica(problem, start, 0.01, IcaSettings(tolerance=0.0), False, is_enough)
    assert result.iterations == 4 and np.array_equal(result.velocities, told[-1])


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_the_number_of_iterations_is_bounded(method):
    solution = solve(random_problem(stiffness=1e4), method, tolerance=1e-12, iterations=7)
    assert solution.iterations == len(solution.history) == 7 and not solution.converged
    assert np.isfinite(solution.v).all() and np.isfinite(solution.r).all()


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_what_does_not_converge_is_told(method):
    """Nodes that all hang together are nothing like their diagonal blocks: impulses go back and forth."""
    nodes = 30
    A = sparse.kron(sparse.csr_array(0.01 * np.eye(nodes) + 1.0), sparse.eye_array(3))
    normals = frames_at(np.tile([0.0, 0.0, 1.0], (nodes, 1)))
    f = np.random.default_rng(0).normal(size=3 * nodes)
    ground = np.arange(nodes + 1), np.arange(nodes), np.ones(nodes), normals, np.zeros((nodes, 3)), 0.5
    solution = solve(FrictionProblem.nodal(A, f, *ground), method, iterations=300)
    assert not solution.converged and solution.residual > 1e-3
    assert np.isfinite(solution.v).all() and np.isfinite(solution.history).all()


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_divergence_ends_early(method):
    """The blocks of this matrix are positive definite, the whole is not: relaxation grows ninefold each time."""
    A = sparse.kron(sparse.csr_array([[1.0, 3.0], [3.0, 1.0]]), sparse.eye_array(3))
    ground = [0, 1], [0], [1.0], np.eye(3), [[-1.0, 0.0, 0.0]], 0.5
    solution = solve(FrictionProblem.nodal(A, np.ones(6), *ground), method, iterations=5000)
    assert 2 < solution.iterations < 20 and not solution.converged
    assert np.isfinite(solution.v).all() and np.isfinite(solution.r).all()


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_no_contacts_at_all(method):
    plain = random_problem()
    problem = FrictionProblem(plain.A, plain.f, sparse.csr_array((0, len(plain.f))), np.zeros((0, 3)), 0.3)
    solution = solve(problem, method)
    assert solution.v == pytest.approx(np.linalg.solve(plain.A.toarray(), plain.f))
    assert solution.iterations == 1 and solution.converged and solution.r.shape == (0, 3)


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_a_contact_of_which_nothing_can_move_pushes_nothing(method):
    problem = random_problem(4, contacts=3)
    J = problem.J.tolil()
    J[3:6] = 0.0
    changed = FrictionProblem(problem.A, problem.f, J, problem.k - [[5.0, 0.0, 0.0]], 0.4)
    solution = solve(changed, method, iterations=2000)
    assert not solution.r[1].any() and np.isfinite(solution.v).all()


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_what_cannot_be_solved_is_refused_in_words(method):
    problem = random_problem()
    with pytest.raises(ValueError, match="Delassus operator only"):
        solve(FrictionProblem.local(np.eye(3), [-1.0, 0.0, 0.0], 0.3), method)
    A = problem.A.tolil()
    A[4] = A[:, 4] = 0.0
    arguments = problem.f, problem.J, problem.k, problem.mu
    with pytest.raises(ValueError, match="singular"):
        solve(FrictionProblem(A, *arguments), method)
    with pytest.raises(ValueError, match="not positive definite"):
        solve(FrictionProblem(-problem.A, *arguments), method)
    A[4, 4] = np.nan
    with pytest.raises(ValueError, match="infinite or undefined"):
        solve(FrictionProblem(A, *arguments), method)


def sliding_chain(stiffness, count=12, friction=0.3):
    """Nodes of unit mass in a row, joined by springs, that slide together at 1 m/s and fall at 1 m/s."""
    ends = np.array([1.0, *[2.0] * (count - 2), 1.0])
    springs = sparse.diags_array([-np.ones(count - 1), ends, -np.ones(count - 1)], offsets=[-1, 0, 1])
    A = sparse.kron(sparse.eye_array(count) + stiffness * springs, sparse.eye_array(3))
    places = np.arange(count + 1), np.arange(count), np.ones(count)
    frames = np.tile(np.roll(np.eye(3), 1, axis=0), (count, 1, 1))
    f = np.tile([1.0, 0.0, -1.0], count)
    return FrictionProblem.nodal(sparse.csr_array(A), f, *places, frames, np.zeros((count, 3)), friction)


@pytest.mark.parametrize("method", ["ica", "nl-ica"])
def test_a_stiff_chain_is_slowed_as_it_should_after_as_many_iterations_as_it_is_stiff(method):
    """v − μ v_N of each node, whatever the springs; a run that is cut short is wrong, and told."""
    iterations = {}
    for stiffness in (10.0, 100.0, 1000.0):
        problem = sliding_chain(stiffness)
        solution = solve(problem, method, tolerance=1e-8, iterations=5000)
        assert solution.converged
        assert solution.v.reshape(-1, 3) == pytest.approx(np.tile([0.7, 0.0, 0.0], (12, 1)), abs=1e-7)
        iterations[stiffness] = solution.iterations
        short = solve(problem, method, tolerance=1e-8, iterations=solution.iterations // 3)
        assert not short.converged and np.abs(short.v[::3] - 0.7).max() > 0.02
    assert 3.0 < iterations[100.0] / iterations[10.0] < 10.0
    assert 6.0 < iterations[1000.0] / iterations[100.0] < 11.0
