"""A calculation that must not keep the window waiting: a thread does it, and the main thread looks in."""

import threading
from collections.abc import Callable, Generator
from typing import Any

from .progress import Progress

PATIENCE = 0.001  # [s] that each look waits


def in_background(progress: Progress, function: Callable, *arguments: Any) -> Generator[Progress, None, Any]:
    """Call a function that touches nothing of Blender; yields the progress meanwhile, and returns the result."""
    outcome: dict[str, Any] = {}

    def work():
        try:
            outcome["result"] = function(*arguments)
        except BaseException as error:  # raised below, where somebody can handle it
            outcome["error"] = error

    thread = threading.Thread(target=work, name="stiction check", daemon=True)
    thread.start()
    try:
        yield progress  # once at least: who looks in is to know that it has begun
        while thread.is_alive():
            thread.join(PATIENCE)
            yield progress
    finally:
        thread.join()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["result"]


def result_of(steps: Generator[Any, None, Any]) -> Any:
    """What a generator returns in the end, where nothing else is to be done meanwhile."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
