"""Which kernels a scene needs: only those are compiled before its first bake."""

from .air.air import has_fields
from .scene import BY_NAME, MIXED, NO_CONTACTS, SPLITTING, Cloth, Hair, RigidBody, Scene, SoftBody


def import_kernels(scene: Scene) -> None:
    """Import the modules whose kernels will run, so that `compile_kernels` finds them."""
    from . import simulation  # noqa: F401

    kinds = {type(item) for item in scene.simulated}
    if Hair in kinds:
        from .integrator import strand_system  # noqa: F401
        from .rods import build  # noqa: F401
    if kinds - {Hair}:
        from .integrator import body_system  # noqa: F401
    if Cloth in kinds:
        from .air import surface_drag  # noqa: F401
        from .bodies import cloth  # noqa: F401
    if SoftBody in kinds:
        _import_solids([item for item in scene.simulated if isinstance(item, SoftBody)])
    if RigidBody in kinds and not scene.is_truly_rigid:
        from .energies import affine_rigidity  # noqa: F401
    if kinds & {SoftBody, RigidBody}:
        from .volume import embedding  # noqa: F401
    _import_ties(scene)
    if scene.contact_method != NO_CONTACTS:
        from .collision import frame_check  # noqa: F401
        from .integrator import contact_integrator  # noqa: F401
    if scene.contact_method == MIXED:
        from .collision import relinearized  # noqa: F401
        from .integrator import contact_mixed  # noqa: F401
    if scene.contact_method in BY_NAME:
        _import_method(scene.contact_method)
    if Hair in kinds and scene.contact_method in (MIXED, *BY_NAME):
        from .integrator import strand_products  # noqa: F401
    if scene.integrator == SPLITTING:
        from .integrator import contact_splitting  # noqa: F401
    if scene.relaxes_first:
        from . import first_relaxation  # noqa: F401
    if has_fields(scene):
        from .air import field_sampling  # noqa: F401


def _import_solids(items):
    from .bodies.solid import law_by_name

    for item in items:
        if item.frame_count:
            from .energies import frame_solid  # noqa: F401
        else:
            law_by_name(item.material.solid_law)


def _import_ties(scene):
    if scene.attachments or any(item.soft_pins or len(item.pinned) for item in scene.simulated if _is_solid(item)):
        from .energies import tether  # noqa: F401


def _is_solid(item):
    return isinstance(item, SoftBody | RigidBody)


def _import_method(name):
    from .integrator import contact_by_method  # noqa: F401

    if name == "ica":
        from .contact import ica  # noqa: F401
    elif name == "prox":
        from .contact import proximal  # noqa: F401
    else:
        from .contact import regions  # noqa: F401
