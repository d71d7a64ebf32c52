"""Cards that lean on each other stand by friction alone."""

import numpy as np
import pytest

from stiction.solver.contact.admm import AdmmSettings

from ..solver.contact.colliding import Colliding
from .cards import GAP, LENGTH, THICK, frame, house, scene_with_floor


def fall(scene, seconds):
    """How far the highest point has come down [m]."""
    colliding = Colliding(scene)
    start = colliding.state.positions[:, 2].max()
    colliding.advance(seconds)
    assert colliding.crossings() == 0
    return start - colliding.state.positions[:, 2].max()


def leaning(friction, angle):
    scene = scene_with_floor(friction)
    frame(scene, "frame", 0.0, 0.0, angle, friction)
    return scene


@pytest.mark.parametrize("friction", [0.3, 0.5, 1.2])
def test_two_cards_stand_if_they_are_steep_enough(friction):
    """tan θ ≥ 1/(2 μ), and a little less steep as they are not infinitely thin: cot θ ≤ 2 μ + thickness/length.

    About the foot, the weight W at the card's middle and the push H of the other card at its top:
    W (cos θ − t/L sin θ)/2 = H sin θ, while friction holds H ≤ μ W.
    """
    limit = np.arctan(1.0 / (2.0 * friction + THICK / LENGTH))
    standing, falling = (leaning(friction, limit + np.radians(part)) for part in (1.0, -1.0))
    steps = round(0.5 / standing.time_step)
    assert abs(fall(standing, 0.5)) < steps * AdmmSettings().tolerance
    assert fall(falling, 0.5) > 10.0 * GAP


def test_a_house_of_fifteen_cards_stands_on_rough_cards():
    """Loaded cards need cot θ ≤ μ: 0.51 of 0.6. It settles by less than the distance at which surfaces touch."""
    scene = house(0.6)
    assert len(scene.simulated) == 15
    assert abs(fall(scene, 1.0)) < 0.25 * GAP


def test_a_house_of_fifteen_cards_falls_on_smooth_cards():
    """The uppermost pair alone would need μ = 0.25. What lies on the floor is lower than any card that stands."""
    scene = house(0.2)
    height = max(item.positions[:, 2].max() for item in scene.simulated)
    assert height > 0.27
    assert height - fall(scene, 0.6) < 0.5 * LENGTH
