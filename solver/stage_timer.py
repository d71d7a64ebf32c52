"""Where the time goes, as a tree of stages with the names of functions."""

import time
from collections.abc import Callable
from contextlib import contextmanager


class StageTimer:
    """Adds up seconds by stage; stages nest and are joined with dots.

    Before each stage it calls `before_stage`, which may raise what ends the work.
    """

    def __init__(self, before_stage: Callable[[], None] = lambda: None):
        self.before_stage = before_stage
        self.seconds: dict[str, float] = {}
        self._open: list[str] = []

    @contextmanager
    def stage(self, name):
        self.before_stage()
        self._open.append(name)
        path = ".".join(self._open)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[path] = self.seconds.get(path, 0.0) + time.perf_counter() - start
            self._open.pop()

    def take(self) -> dict[str, float]:
        """The seconds so far, and start anew."""
        taken, self.seconds = self.seconds, {}
        return taken


def timings_tree(seconds: dict[str, float]) -> str:
    """Timings as an indented tree, for people."""
    lines = []
    for path in sorted(seconds):
        *parents, name = path.split(".")
        lines.append(f"{'  ' * len(parents)}{name:<{30 - 2 * len(parents)}} {seconds[path]:10.4f} s")
    return "\n".join(lines)
