"""The ends of the scale: no friction, and more than one; and contacts that push askew."""

import numpy as np
import pytest

from stiction.solver.contact.nodal_contacts import NodalContacts
from stiction.solver.contact.projection import Projection

from .test_friction import DURATION, GRAVITY, TOLERANCE, on_incline, slid


@pytest.mark.parametrize("kind", ["rigid", "cloth", "hair"])
def test_without_friction_everything_slides_as_it_falls(kind):
    """a = g sin θ, exact in implicit Euler but for its half step of the way; δ∞ is the last change, not the error."""
    colliding = on_incline(kind, 0.0, 10.0)
    way, speed = slid(colliding, DURATION)
    acceleration, step = GRAVITY * np.sin(np.radians(10.0)), colliding.simulation.scene.time_step
    missed = 10.0 * DURATION / step * TOLERANCE
    assert speed == pytest.approx(acceleration * DURATION, abs=missed / step)
    assert way == pytest.approx(0.5 * acceleration * DURATION * (DURATION + step), abs=missed * DURATION / step)


@pytest.mark.parametrize("kind", ["cloth", "hair"])
@pytest.mark.parametrize("friction", [1.0, 3.0])
def test_friction_may_exceed_one(kind, friction):
    """A slope of more than 45° holds what is rough enough; flat things, which cannot topple."""
    limit = np.degrees(np.arctan(friction))
    rest, _ = slid(on_incline(kind, friction, limit - 0.5), DURATION)
    assert abs(rest) < 10.0 * round(DURATION * 96) * TOLERANCE
    angle = np.radians(limit + 0.5)
    colliding = on_incline(kind, friction, limit + 0.5)
    _, speed = slid(colliding, DURATION)
    acceleration = GRAVITY * (np.sin(angle) - friction * np.cos(angle))
    missed = 2.0 * acceleration * colliding.simulation.scene.time_step
    assert speed == pytest.approx(acceleration * DURATION, abs=missed)


def offset_contacts(spread, friction):
    """Two contacts of one node, their normals a spread [rad] apart around the vertical."""
    normals = np.array([[side * np.sin(0.5 * spread), 0.0, np.cos(0.5 * spread)] for side in (-1.0, 1.0)])
    return NodalContacts(
        *(np.arange(3, dtype=np.int32), np.zeros(2, np.int32), np.ones(2), normals, np.zeros((2, 3))),
        *(np.full(2, friction), np.zeros(2), np.zeros(2)),
    )


def nearest_allowed(velocity, normals):
    """The nearest vector (3,) that points into neither contact: onto one plane, onto both, or as it is."""
    allowed = [velocity, *(velocity - (velocity @ n) * n for n in normals)]
    line = np.cross(*normals)
    allowed.append((velocity @ line) * line / (line @ line))
    inside = [v for v in allowed if (normals @ v >= -1e-12).all()]
    return min(inside, key=lambda v: np.linalg.norm(v - velocity))


@pytest.mark.parametrize("spread", [0.05, 0.5, 1.5])
@pytest.mark.parametrize("seed", range(20))
def test_two_offset_contacts_give_the_orthogonal_projection(spread, seed):
    """[Daviet 2020, figure 5]: the nearest velocity that both allow, and no work is done."""
    contacts = offset_contacts(spread, 0.0)
    start = np.random.default_rng(seed).normal(size=3) - [0.0, 0.0, 1.0]
    velocities = start[None].copy()
    projection = Projection(contacts, np.ones(1))
    projection.project(velocities, 20000)
    assert velocities[0] == pytest.approx(nearest_allowed(start, contacts.normals), abs=1e-8)
    assert projection.impulses.sum(axis=0) @ velocities[0] == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("friction", [0.3, 2.0])
@pytest.mark.parametrize("seed", range(20))
def test_friction_between_offset_contacts_does_no_positive_work(friction, seed):
    contacts = offset_contacts(0.5, friction)
    velocities = np.random.default_rng(seed).normal(size=(1, 3)) - [0.0, 0.0, 1.0]
    projection = Projection(contacts, np.ones(1))
    projection.project(velocities, 20000)
    work = projection.impulses @ velocities[0]
    assert (contacts.normals @ velocities[0] >= -1e-8).all()
    assert (work <= 1e-8).all()
