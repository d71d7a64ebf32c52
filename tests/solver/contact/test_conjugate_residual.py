"""Conjugate residuals on the mixed system: against the exact reference, the judge, closed forms and brute force."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sparse

from benchmarks.mixed_curves import pressed_slabs
from stiction.solver.contact.conjugate_residual import CrSettings, MixedSolver, run_cr
from stiction.solver.contact.contact_similarity import ContactSimilarity
from stiction.solver.contact.coulomb_law import SLIP
from stiction.solver.contact.dynamics_product import BlockDynamics, dynamics_of
from stiction.solver.contact.jacobian_products import MatrixProducts, jacobian_products
from stiction.solver.contact.krylov_steps import MixedState
from stiction.solver.contact.methods import COMPARISONS, solve
from stiction.solver.contact.mixed_problem import mixed_problem
from stiction.solver.contact.mixed_vector import mixed_zeros
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import contact_softness, free_velocities, judge
from stiction.solver.contact.state_switching import SwitchingLaw
from stiction.solver.reference.friction import solve_exactly

from ..collision.threads import on_any_number_of_threads
from .problems import chain_matrix, frames_at, general_form, random_problem
from .twisted_problems import twisted_problem


@pytest.mark.parametrize("method", ["cr", "minres"])
@pytest.mark.parametrize("friction", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("seed", range(2))
def test_hundreds_of_contacts_obey_the_law_to_the_tolerance_asked(method, seed, friction):
    problem = random_problem(seed, nodes=400, contacts=300, friction=friction)
    solution = solve(problem, method, tolerance=1e-9, iterations=5000)
    residuals = judge(problem, solution.v, solution.r)
    assert solution.converged
    assert max(residuals.natural_map, residuals.dynamics, residuals.fischer_burmeister) < 1e-6
    assert residuals.cone_violation < 1e-6


@pytest.mark.parametrize("method", COMPARISONS)
@pytest.mark.parametrize("friction", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", [0, 3])
def test_staggered_projections_agree_with_the_reference(method, seed, friction):
    problem = random_problem(seed, friction=friction)
    solution = solve(problem, method, tolerance=1e-9, iterations=20000)
    assert solution.converged
    assert solution.v == pytest.approx(solve_exactly(problem)[0], abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_unknowns_that_belong_to_no_node(seed):
    problem = twisted_problem(seed)
    solution = solve(problem, "cr", tolerance=1e-9, iterations=5000)
    assert solution.converged
    assert solution.v == pytest.approx(solve_exactly(problem)[0], abs=1e-6)


def block_on_incline(angle, friction, nodes=30, step=0.01):
    """A stiff chain of unit masses at rest that gravity pulls onto, and down, a slope; normal first."""
    pull = 9.81 * step * np.array([-np.cos(angle), np.sin(angle), 0.0])
    frames = np.tile(np.eye(3), (nodes, 1, 1))
    each = np.arange(nodes + 1), np.arange(nodes), np.ones(nodes)
    return FrictionProblem.nodal(
        chain_matrix(nodes, 50.0), np.tile(pull, nodes), *each, frames, np.zeros((nodes, 3)), friction
    )


@pytest.mark.parametrize("method", ["cr", "minres", "staggered"])
@pytest.mark.parametrize(("degrees", "friction"), [(26.0, 0.5), (27.0, 0.5), (16.0, 0.3), (17.5, 0.3), (40.0, 0.2)])
def test_a_block_slides_only_above_the_friction_angle(method, degrees, friction):
    angle, step = np.radians(degrees), 0.01
    solution = solve(block_on_incline(angle, friction, step=step), method, tolerance=1e-9)
    expected = max(9.81 * (np.sin(angle) - friction * np.cos(angle)), 0.0) * step
    assert solution.converged
    assert solution.v.reshape(-1, 3) == pytest.approx(np.tile([0.0, expected, 0.0], (30, 1)), abs=1e-8)


@pytest.mark.parametrize("is_general", [False, True])
@pytest.mark.parametrize("copies", [2, 3000])
def test_copies_of_contacts_change_nothing(copies, is_general):
    """The same four contacts many times over: impulses are not unique, velocities are."""
    single = random_problem(5, contacts=4, friction=0.5)
    form = single.nodal_form
    counts = np.diff(form.offsets)
    problem = FrictionProblem.nodal(
        *(single.A, single.f, np.concatenate([[0], np.cumsum(np.tile(counts, copies))])),
        *(np.tile(form.nodes, copies), np.tile(form.weights, copies), np.tile(form.frames, (copies, 1, 1))),
        *(np.tile(single.k, (copies, 1)), 0.5),
    )
    solution = solve(general_form(problem) if is_general else problem, "cr", tolerance=1e-9, iterations=2000)
    assert solution.converged
    assert solution.v == pytest.approx(solve_exactly(single)[0], abs=1e-6)


def cross_matrix(r):
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def rigid_tower(levels, push, step=0.01):
    """Unit cubes of 1 kg, the topmost of 10 kg, on the ground and on each other, with contacts at all four corners.

    Of the twelve rows between two cubes six are redundant. The topmost is pushed sideways [m/s²].
    """
    masses = np.array([1.0] * (levels - 1) + [10.0])
    A = sparse.block_diag([sparse.diags_array([mass] * 3 + [mass / 6.0] * 3) for mass in masses])
    f = np.zeros((levels, 6))
    f[:, 2], f[-1, 0] = -9.81 * step * masses, push * step * masses[-1]
    frame, rows = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), []
    for level in range(levels):
        for corner in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)]:
            row = np.zeros((3, levels, 6))
            row[:, level] = np.hstack([np.eye(3), -cross_matrix([*corner, -0.5])])
            if level:
                row[:, level - 1] = -np.hstack([np.eye(3), -cross_matrix([*corner, 0.5])])
            rows.append(frame @ row.reshape(3, -1))
    J = sparse.csr_array(np.vstack(rows))
    return FrictionProblem(A, f.ravel(), J, np.zeros((4 * levels, 3)), 0.5)


@pytest.mark.parametrize("push", [0.1, 3.0, 7.0])
def test_redundant_contacts_of_rigid_bodies(push):
    """A tower that stands, one that tips, and one whose top slides off."""
    solution = solve(rigid_tower(5, push), "cr", tolerance=1e-7, iterations=3000)
    assert solution.converged
    speeds = solution.v.reshape(-1, 6)
    assert (speeds[-1, 0] < 1e-6) == (push < 1.0)
    assert (speeds[-1, 0] > 0.04) == (push > 5.0)


@pytest.mark.parametrize("push", [1.0, 3.0])
def test_ten_rigid_bodies_on_each_other_obey_the_law(push):
    problem = rigid_tower(10, push)
    solution = solve(problem, "cr", tolerance=1e-7, iterations=3000)
    assert solution.converged and judge(problem, solution.v, solution.r).natural_map < 1e-7


def pinched_point(opening):
    """Floor and ceiling that both push a point of 2 kg at this speed [m/s], from either side."""
    frames = frames_at(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]))
    k = np.array([[-opening, 0.0, 0.0], [-opening, 0.0, 0.0]])
    both = np.array([0, 1, 2]), np.array([0, 0]), np.ones(2)
    return FrictionProblem.nodal(2.0 * sparse.eye_array(3), np.array([1.0, 0.0, -3.0]), *both, frames, k, 0.4)


@pytest.mark.parametrize("method", ["cr", "minres"])
def test_contacts_that_contradict_each_other_end_half_way(method):
    """The least-squares answer: neither wins; and it is not called a solution."""
    solution = solve(pinched_point(0.5), method, tolerance=1e-9, iterations=5000)
    assert np.isfinite(solution.v).all() and np.isfinite(solution.r).all()
    assert not solution.converged and solution.iterations < 1000
    assert solution.v[2] == pytest.approx(0.0, abs=1e-6)
    assert np.abs(solution.v).max() < 1.0  # along the walls, nothing is gained by going on


def test_a_tight_fit_is_no_contradiction():
    solution = solve(pinched_point(0.0), "cr", tolerance=1e-9)
    assert solution.converged and solution.v[2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("method", ["cr", "minres", "staggered"])
def test_nodes_without_mass_are_refused(method):
    problem = random_problem()
    diagonal = problem.A.diagonal()
    diagonal[3:6] = 0.0
    problem.A = sparse.csr_array(sparse.diags_array(diagonal))
    with pytest.raises(ValueError, match="not positive definite"):
        solve(problem, method)


@pytest.mark.parametrize("method", ["cr", "minres", "staggered"])
@pytest.mark.parametrize("seed", range(5))
def test_indefinite_dynamics_end_with_finite_numbers(method, seed):
    problem = random_problem(seed)
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=problem.A.shape)
    problem.A = sparse.csr_array(problem.A + 2.0 * (noise + noise.T) * ~np.eye(len(noise), dtype=bool))
    assert np.linalg.eigvalsh(problem.A.toarray())[0] < 0.0
    solution = solve(problem, method, iterations=500)
    assert np.isfinite(solution.v).all() and np.isfinite(solution.r).all() and solution.iterations <= 500


def test_a_problem_without_contacts_is_a_linear_system():
    problem = random_problem(contacts=1)
    problem.mu, problem.k = np.zeros(0), np.zeros((0, 3))
    problem.cohesion = problem.compliance = np.zeros(0)
    problem.J, problem.nodal_form = sparse.csr_array((0, len(problem.f))), None
    solution = solve(problem, "cr", tolerance=1e-10)
    assert problem.A @ solution.v == pytest.approx(problem.f, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_complementarity_at_the_papers_tolerances(seed):
    """Figure 13 of the paper: below ε₁ for normal and static constraints, below ε₂ for kinetic ones."""
    problem = random_problem(seed, nodes=300, contacts=200, friction=0.5)
    loose, scale = 5e-5, float(np.linalg.norm(free_velocities(problem)))
    v, r, _ = run_cr(problem, CrSettings(loose / 10.0, 2000))
    u, softness = problem.relative_velocities(v), contact_softness(problem)
    x = softness * r[:, 0]
    normal = x + u[:, 0] - np.hypot(x, u[:, 0])
    assert np.abs(normal).max() < loose * scale
    room = softness * (problem.mu * r[:, 0] - np.linalg.norm(r[:, 1:], axis=1))
    slides = np.linalg.norm(u[:, 1:], axis=1) > loose * scale
    assert slides.any() and not slides[r[:, 0] > 0.0].all()
    assert np.abs(room[slides]).max() < loose / 10.0 * scale
    assert room[~slides].min() > -loose * scale


@pytest.mark.parametrize("seed", range(3))
def test_gradual_alignment_ends_within_its_angle(seed):
    """Algorithm 3 as published: α_θ = 0.01, ε_θ = 1.2°."""
    problem = random_problem(seed, nodes=40, contacts=25, friction=0.3)
    settings = CrSettings(1e-6, 20000, law=SwitchingLaw(turn=0.01))
    solver = MixedSolver(mixed_problem(problem), settings)
    solver.free_velocities()
    solver.solve()
    sliding = problem.relative_velocities(solver.state.v)[:, 1:]
    is_sliding = (solver.rows.states == SLIP) & (np.linalg.norm(sliding, axis=1) > 1e-3)
    cosines = (sliding * solver.rows.sliding.directions).sum(axis=1) / np.linalg.norm(sliding, axis=1)
    assert is_sliding.any() and len(solver.history) < 20000
    assert cosines[is_sliding].min() >= np.cos(np.radians(1.25))


def test_changes_of_state_cost_no_products_with_the_dynamics(monkeypatch):
    """One product an iteration, however often contacts change, and one to begin with and to end."""
    counts = {"put_product": 0, "refresh": 0, "restart": 0}

    def counted(name):
        method = getattr(MixedState, name)

        def call(self, *arguments):
            counts[name] += 1
            return method(self, *arguments)

        return call

    for name in counts:
        monkeypatch.setattr(MixedState, name, counted(name))
    _, _, history = run_cr(random_problem(1, nodes=60, contacts=40, friction=0.5), CrSettings(1e-6, 1000))
    assert counts["restart"] - counts["refresh"] > 5
    assert counts["put_product"] <= len(history) + counts["refresh"] + 1 and counts["refresh"] <= 3


def test_contacts_are_not_looked_at_where_the_residual_peaks(monkeypatch):
    """Before the system is solved, unless a peak lasts for ever."""
    look, seen, passed = MixedSolver._look, [], []

    def watched(solver, is_last):
        if not is_last:
            seen.append(solver.error / solver.least_error)
        return look(solver, is_last)

    monkeypatch.setattr(MixedSolver, "_look", watched)
    for seed in range(3):
        _, _, history = run_cr(random_problem(seed, nodes=300, contacts=200, friction=0.5), CrSettings(1e-8, 2000))
        passed.append(max(later / earlier for earlier, later in pairwise(history)))
    assert max(seen) < 3.0 < max(passed) and len(seen) > 20


def test_the_full_preconditioner_needs_three_times_fewer_iterations_on_pressed_slabs():
    """As published, with the tolerance asked from the start: if less is asked first, Diag gains more than Full."""
    problem = pressed_slabs()
    counts = [len(run_cr(problem, CrSettings(1e-9, 4000, full, first_goal=0.0))[2]) for full in (True, False)]
    assert 3 * counts[0] < counts[1] < 4000


def test_conjugate_residuals_and_minres_are_one_where_the_matrix_is_definite():
    """Both minimise the same norm over the same space [Fong and Saunders 2011]."""
    problem = random_problem(2, nodes=50, contacts=1)
    problem.k[0, 0] = 100.0
    histories = [
        run_cr(problem, CrSettings(1e-6, 100, is_full=False, is_minres=is_minres))[2] for is_minres in (False, True)
    ]
    assert len(histories[0]) > 5
    assert histories[0] == pytest.approx(histories[1], rel=1e-6)


def test_similarities_are_products_over_shared_nodes():
    problem = random_problem(4, nodes=15, contacts=20)
    form = problem.nodal_form
    parts = [
        dict(zip(form.nodes[a:b], form.weights[a:b], strict=True)) for a, b in zip(form.offsets[:-1], form.offsets[1:])
    ]
    is_active = np.arange(20) % 3 > 0
    expected = np.zeros(20)
    for a, first in enumerate(parts):
        for b, second in enumerate(parts):
            shared = first.keys() & second.keys()
            if shared and is_active[b]:
                expected[a] += np.prod([max(1.0 - abs(first[node] - second[node]), 0.0) for node in shared])
    assert ContactSimilarity.of(problem).among(is_active) == pytest.approx(np.maximum(expected, 1.0))


def test_contacts_on_the_same_unknowns_are_counted():
    """As of two rigid bodies with six unknowns each: all contacts between the two count."""
    rng = np.random.default_rng(0)
    pairs = np.array([0, 1, 0, 0, 2, 1])
    J = sparse.csr_array(np.vstack([np.kron(np.eye(3)[pair], rng.normal(size=(3, 6))) for pair in pairs]))
    problem = FrictionProblem(sparse.eye_array(18), np.ones(18), J, np.zeros((6, 3)), 0.5)
    assert ContactSimilarity.of(problem).among(np.ones(6, bool)) == pytest.approx([3, 2, 3, 3, 1, 2])
    assert ContactSimilarity.of(problem).among(np.array([1, 0, 0, 1, 1, 1], bool)) == pytest.approx([2, 1, 2, 2, 1, 1])


@pytest.mark.parametrize("problem", [random_problem(3, nodes=40, contacts=30), twisted_problem(3)])
def test_products_from_nodes_are_those_of_the_matrices(problem):
    rng = np.random.default_rng(0)
    v, r = rng.normal(size=len(problem.f)), rng.normal(size=problem.k.shape)
    nodal, plain = jacobian_products(problem), MatrixProducts(problem.J)
    assert nodal.velocities(v) == pytest.approx(plain.velocities(v), abs=1e-13)
    assert nodal.push(r) == pytest.approx(plain.push(r), abs=1e-13)
    assert nodal.own_softness(np.abs(v)) == pytest.approx(plain.own_softness(np.abs(v)), abs=1e-13)


@pytest.mark.parametrize("nodes", [1, 2, 50])
def test_products_by_blocks_are_those_of_the_matrix(nodes):
    rng = np.random.default_rng(nodes)
    near = np.abs(np.subtract.outer(np.arange(nodes), np.arange(nodes))) < 3
    A = sparse.csr_array(np.kron(near, np.ones((3, 3))) * rng.uniform(1.0, 2.0, (3 * nodes, 3 * nodes)))
    each = np.arange(nodes + 1), np.arange(nodes), np.ones(nodes)
    frames, given = np.tile(np.eye(3), (nodes, 1, 1)), np.zeros((nodes, 3))
    dynamics = dynamics_of(FrictionProblem.nodal(A, np.zeros(3 * nodes), *each, frames, given, 0.5))
    vector, product = mixed_zeros(3 * nodes, 0), np.empty(3 * nodes)
    vector.top[:] = rng.normal(size=3 * nodes)
    dynamics.put(vector.flat, product)
    assert isinstance(dynamics, BlockDynamics)
    assert product == pytest.approx(A @ vector.top, abs=1e-13)
    assert dynamics.diagonal == pytest.approx(A.diagonal())


def test_the_number_of_threads_changes_no_bit():
    problem = random_problem(7, nodes=900, contacts=700, friction=0.5)
    results = on_any_number_of_threads(lambda: run_cr(problem, CrSettings(1e-4, 300))[:2])
    assert all(np.array_equal(first, other) for result in results for first, other in zip(results[0], result))
