"""Rigid bodies: four nodes under a law that hardly lets them change shape."""

from ..frames.equimomental import affine_body, affine_laws
from ..scene import RigidBody
from .body import Body


def rigid_body(item: RigidBody) -> Body:
    """An affine body of 12 unknowns, stiff enough to pass for rigid."""
    body = affine_body(item.positions, item.triangles, item.material.density)
    return Body(body.nodes, body.masses, affine_laws(body, item.material.density), body.embedding)
