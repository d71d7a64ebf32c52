"""How often a step is linearized (docs/theory/time_step.md)."""

from ..model import Model
from ..scene import Scene

OFTEN, ONCE = 2, 1


def linearizations_of(scene: Scene, model: Model) -> int:
    """What the scene asks for; else cloth alone once, since in the same time shorter steps gain more.

    By what they turn, strands and bodies that keep their shape would be stretched.
    """
    if scene.linearizations is not None:
        return scene.linearizations
    is_cloth = bool(model.laws) and all(damped.law.is_of_sheets for damped in model.laws)
    has_others = len(model.rods.masses) > 0 or model.rigid is not None
    return ONCE if is_cloth and not has_others else OFTEN
