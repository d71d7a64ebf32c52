"""What can go wrong, each in words that an artist can act on."""

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One finding of a check: what is wrong, where, and what to do about it."""

    object_name: str  # "" when it concerns the whole scene
    sentence: str
    elements: tuple[int, ...] = ()  # offending vertices, or points of strands, for selection
    is_warning: bool = False  # the simulation runs all the same
    others: tuple[tuple[str, tuple[int, ...]], ...] = ()  # further objects that it concerns, with their vertices


def warning_about(name: str, sentence: str, elements: Iterable[int] = ()) -> Problem:
    """A warning about an object, whose sentence does not name it yet."""
    return Problem(name, f'"{name}": {sentence}', tuple(int(element) for element in elements), is_warning=True)


class StictionError(Exception):
    """Base of all errors that are meant for the user; the message is a whole sentence."""


class SceneRefused(StictionError):
    """The scene cannot be simulated as it is; nothing was started."""

    def __init__(self, problems):
        self.problems = list(problems)
        super().__init__("\n".join(problem.sentence for problem in self.problems))


class SimulationFailed(StictionError):
    """A bake that had begun could not go on; all frames before are kept."""


class SimulationDiverged(SimulationFailed):
    """The simulation produced positions that are not finite or absurdly far away; all frames before it are kept."""

    def __init__(self, frame_number, object_name):
        self.frame_number = frame_number
        self.object_name = object_name
        super().__init__(
            f'Frame {frame_number}: "{object_name}" flies apart. '
            "Raise the steps per frame, or look for extreme settings."
        )


class CacheError(StictionError):
    """The bake folder cannot be used; the message says why and what to do."""


class CacheOccupied(CacheError):
    """The folder holds a bake already, and nobody asked to replace it."""


class CacheDamaged(CacheError):
    """A file of the bake is missing, shortened or altered."""


class InputsChanged(CacheError):
    """The bake was made from other settings or other geometry than the scene has now."""

    def __init__(self, message, changes=()):
        self.changes = list(changes)
        super().__init__(message)


class Interrupted(StictionError):
    """The user asked to stop; what was done is kept."""
