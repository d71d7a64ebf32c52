"""Newton's systems of strands."""

import numpy as np

from stiction.solver import Hair
from stiction.solver.masses import strand_masses
from stiction.solver.rods.assembly import RodInertia, RodTrial
from stiction.solver.rods.build import build_rods
from stiction.solver.rods.dynamics import RodDynamics

from ..conftest import strands


def test_only_the_strand_that_cannot_be_solved_becomes_not_a_number():
    hair = Hair("groom", *strands(count=3, points=5))
    rods, frames = build_rods([hair], strand_masses(hair))
    dynamics = RodDynamics(rods)
    dynamics.start_step(frames, hair.positions, np.zeros(15), 0.01)
    trial = RodTrial(hair.positions.copy(), np.zeros((15, 3)), np.zeros(15), np.zeros(15))
    diagonal = rods.masses.copy()
    diagonal[5:10] = -1e6  # no mass is negative: the second strand's matrix has no positive pivots
    gradient, change = ((np.zeros((15, 3)), np.zeros(15)) for _ in range(2))
    dynamics.linearize(frames, trial, RodInertia(diagonal, np.ones((15, 3)), np.zeros(15)), 0.01, *gradient)
    dynamics.factorize()
    dynamics.solve(*gradient, *change)
    assert np.isnan(change[0][5:10]).all()
    assert np.isfinite(change[0][:5]).all()
    assert np.isfinite(change[0][10:]).all()
