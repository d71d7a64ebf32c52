"""The paper's stopping rules of ICA: where they end it, against residuals by whole matrices."""

import numpy as np
import pytest

from stiction.solver.contact.ica import IcaSettings, run_ica, unconstrained_velocities
from stiction.solver.contact.pyramid_law import aligned_frames
from stiction.solver.contact.slow_progress import PAPERS_SHARE, pyramid_residuals
from stiction.solver.contact.unknown_blocks import block_system, inverse_matrix

from .problems import random_problem


def watched(problem, **rules):
    """A run that nothing ends but the paper's rules."""
    start = unconstrained_velocities(problem)
    return run_ica(problem, start, 0.01, IcaSettings(2000, tolerance=0.0, **rules), is_pyramid=True)


@pytest.mark.parametrize("stiffness", [1e3, 1e4])
def test_the_papers_rule_ends_where_progress_is_slow_and_not_before(stiffness):
    """Cut short anywhere, the same run has residuals that still changed by more in some condition."""
    problem = random_problem(3, stiffness=stiffness)
    ended = watched(problem, slow=PAPERS_SHARE)
    changes = []
    for iterations in range(1, ended.iterations + 1):
        settings = IcaSettings(iterations, tolerance=0.0, slow=PAPERS_SHARE)
        part = run_ica(problem, unconstrained_velocities(problem), 0.01, settings, is_pyramid=True)
        changes.append(conditions(problem, part))
    shares = np.abs(np.diff(changes, axis=0)) / changes[:-1]
    is_slow = (shares <= PAPERS_SHARE).all(axis=1)
    assert 2 < ended.iterations < 2000 and not ended.converged
    assert is_slow[-1] and not is_slow[:-1].any()


def conditions(problem, result):
    """Residuals of normals, friction and dynamics in the frames of the pyramid."""
    turns = aligned_frames(problem.relative_velocities(unconstrained_velocities(problem)))
    u, r = ((turns @ part.ravel()).reshape(-1, 3)
            for part in (problem.relative_velocities(result.velocities), result.impulses))  # fmt: skip
    inverse = inverse_matrix(block_system(problem.A, problem.nodal_form.node_rows))
    softness = (problem.J @ inverse @ problem.J.T).diagonal()[::3]
    lacking = problem.A @ result.velocities - problem.f - problem.J.T @ result.impulses.ravel()
    return *pyramid_residuals(u, r, problem.mu, softness), float(np.linalg.norm(lacking))


def test_by_the_papers_rule_no_contact_is_left_too_near():
    """However slow it gets; in a stiff thing it else leaves contacts where they are."""
    problem = random_problem(3, stiffness=1e3)
    careless = watched(problem, slow=PAPERS_SHARE)
    careful = watched(problem, slow=PAPERS_SHARE, deepest=1e-8)
    nearest = [0.01 * problem.relative_velocities(run.velocities)[:, 0].min() for run in (careless, careful)]
    assert nearest[0] < -1e-8 <= nearest[1] and careful.iterations > careless.iterations


def test_slow_sweeps_end_early():
    problem = random_problem(3, stiffness=1e3)
    start = unconstrained_velocities(problem)
    fixed, ended = (run_ica(problem, start, 0.01, IcaSettings(5, 50, 0.0, slow), True) for slow in (0.0, PAPERS_SHARE))
    assert fixed.sweeps == 250 and 5 <= ended.sweeps < 125
