"""Soft bodies: a surface filled with tetrahedra, or caged, or moved by a few frames."""

from ..errors import Problem, warning_about
from ..materials import SolidMaterial
from ..scene import Scene, SoftBody
from ..volume.embedding import identity_embedding
from ..volume.mesh import VolumeMesh, lumped_masses
from ..volume.volume_mesh import surface_remarks, volume_mesh_of
from .body import Body


def soft_body(item: SoftBody) -> Body:
    """The nodes of a soft body are those of its tetrahedra, or of its frames."""
    mesh, skin, warnings = _volume_mesh(item)
    if item.frame_count:
        from ..frames.frame_body import frame_body, frame_laws

        body = frame_body(mesh, skin, item.frame_count, item.material.density)
        return Body(body.nodes, body.masses, frame_laws(body, item.material), body.embedding, warnings)
    masses = lumped_masses(mesh, item.material.density)
    return Body(mesh.nodes, masses, [tetrahedral_law(mesh, item.material)], skin, warnings)


def _volume_mesh(item):
    if item.filling is None:
        return volume_mesh_of(item.positions, item.triangles, item.resolution)
    return item.filling.mesh(item.positions), identity_embedding(len(item.positions)), []


def surface_warnings(scene: Scene) -> list[Problem]:
    """What a look at the surfaces of a valid scene's soft bodies tells, in the words of a bake."""
    return [
        warning_about(item.name, remark.sentence, remark.vertices)
        for item in scene.simulated
        if isinstance(item, SoftBody) and item.filling is None
        for remark in surface_remarks(item.positions, item.triangles)
    ]


def tetrahedral_law(mesh: VolumeMesh, material: SolidMaterial):
    """A tetrahedron that is material only in part is as much softer."""
    law, elements_of = law_by_name(material.solid_law)
    youngs_modulus = material.youngs_modulus * mesh.fractions
    return law(elements_of(mesh.tetrahedra, mesh.nodes, youngs_modulus, material.poisson_ratio))


def law_by_name(name: str):
    """Imported by name: only the kernels of laws in use are compiled."""
    from ..energies.tetrahedron import tetrahedron_elements

    if name == "corotated":
        from ..energies.corotated import Corotated

        return Corotated, tetrahedron_elements
    if name == "fixed_corotated":
        from ..energies.fixed_corotated import FixedCorotated

        return FixedCorotated, tetrahedron_elements
    from ..energies.neo_hookean import NeoHookean, neo_hookean_elements

    return NeoHookean, neo_hookean_elements
