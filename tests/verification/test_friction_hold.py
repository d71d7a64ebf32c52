"""What friction holds stays where it is, at the solver's own settings."""

import numpy as np
import pytest

from stiction.solver.contact.admm import STILL, AdmmSettings

from ..solver.contact.colliding import Colliding
from .test_friction import block, incline

KINDS = ["rigid", "cloth", "hair", "soft"]
FRICTION = 0.6


def resting(kind, share):
    """On a slope whose pull is a share of what friction can hold; as bakes are solved, after it has settled."""
    colliding = Colliding(incline(block(kind, FRICTION), FRICTION, np.degrees(np.arctan(share * FRICTION))))
    colliding.advance(0.5)
    return colliding


def drift(colliding, seconds):
    """How far the point that moved most has gone [m]."""
    start = colliding.state.positions.copy()
    colliding.advance(seconds)
    return np.abs(colliding.state.positions - start).max()


@pytest.mark.parametrize("share", [0.5, 0.99])
@pytest.mark.parametrize("kind", KINDS)
def test_a_block_that_friction_holds_does_not_creep(kind, share):
    """Each step may go astray by about what the solver takes for none: δ∞ is the last change, not the error."""
    colliding = resting(kind, share)
    steps = round(0.5 / colliding.simulation.scene.time_step)
    assert drift(colliding, 0.5) < 10.0 * steps * STILL * AdmmSettings().tolerance


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_load_at_half_the_limit_stays_for_ten_seconds(kind):
    """Nothing adds up: a thousand steps together go a tenth of the way that one alone may go astray."""
    colliding = resting(kind, 0.5)
    assert drift(colliding, 9.5) < 0.1 * AdmmSettings().tolerance
