"""Which kernels a scene needs: only those are compiled before its first bake."""

from .scene import Cloth, Hair, Scene


def import_kernels(scene: Scene) -> None:
    """Import the modules whose kernels will run, so that `compile_kernels` finds them."""
    from . import simulation  # noqa: F401

    if any(isinstance(item, Hair) for item in scene.simulated):
        from .rods import build  # noqa: F401
    if any(isinstance(item, Cloth) for item in scene.simulated):
        from .integrator import body_steps  # noqa: F401
