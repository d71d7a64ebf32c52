"""Rigid bodies: four nodes under a law that hardly lets them change shape, or that cannot."""

from ..frames.equimomental import affine_body, affine_laws
from ..scene import RigidBody
from .body import Body


def rigid_body(item: RigidBody, is_affine: bool) -> Body:
    """An affine body of 12 unknowns, stiff enough to pass for rigid; or the nodes of one that is."""
    body = affine_body(item.positions, item.triangles, item.material.density)
    if not is_affine:
        return Body(body.nodes, body.masses, [], body.embedding, is_rigid=True)
    return Body(body.nodes, body.masses, affine_laws(body, item.material.density), body.embedding)
