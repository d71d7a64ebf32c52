"""The neo-Hookean law is itself above the threshold, and a smooth bowl below it."""

import numpy as np
import pytest

from stiction.solver.energies.neo_hookean import NeoHookean, neo_hookean_elements, neo_hookean_stress_and_scaling
from tests.solver.energies.law_cases import TETRAHEDRON, batch

MU, LAM, THRESHOLD = 3.0, 5.0, 0.4


def stress(stretches):
    return np.array(neo_hookean_stress_and_scaling(tuple(map(float, stretches)), MU, LAM, THRESHOLD)[0])


def scaling(stretches):
    return np.array(neo_hookean_stress_and_scaling(tuple(map(float, stretches)), MU, LAM, THRESHOLD)[1][0])


def test_stress_above_the_threshold_is_the_plain_law():
    random = np.random.default_rng(31)
    for stretches in random.uniform(THRESHOLD, 3.0, (50, 3)):
        plain = MU * (stretches - 1.0 / stretches) + LAM * np.log(stretches.prod()) / stretches
        np.testing.assert_allclose(stress(stretches), plain, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("others", [(1.0, 1.0), (2.0, 0.5), (0.2, -0.3), (3.0, 0.1)])
def test_energy_and_stress_are_continuous_at_the_threshold(others):
    near = [stress((THRESHOLD + side, *others)) for side in (1e-9, -1e-9)]
    np.testing.assert_allclose(near[0], near[1], rtol=1e-6, atol=1e-6)


def test_stiffness_is_continuous_where_the_other_axes_are_at_rest():
    near = [scaling((THRESHOLD + side, 1.0, 1.0))[0] for side in (1e-12, -1e-12)]
    assert near[0] == pytest.approx(near[1], rel=1e-9)


def test_stress_pushes_outwards_ever_harder_below_the_threshold():
    pushes = [stress((s, 1.0, 1.0))[0] for s in (0.4, 0.2, 0.0, -0.5, -2.0)]
    assert pushes[0] < 0.0
    assert (np.diff(pushes) < 0.0).all()


def test_volume_kept_by_stretching_two_ways_still_resists_inversion():
    """Where two axes are stretched the third is drawn in, but never through zero."""
    for stretch in (1.5, 2.0, 4.0):
        assert stress((stretch, stretch, 0.0))[2] < 0.0


def test_threshold_is_chosen_per_element():
    elements = neo_hookean_elements([[0, 1, 2, 3]] * 2, TETRAHEDRON, 1e3, 0.3, threshold=[0.1, 0.6])
    energies = batch(NeoHookean(elements), TETRAHEDRON * [1.0, 1.0, 0.3])[0]
    assert energies[0] != pytest.approx(energies[1], rel=1e-3)
