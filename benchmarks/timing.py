"""Best of several runs: on a shared machine, the fastest one is the least disturbed."""

import time
from collections.abc import Callable


def best_seconds(action: Callable[[], object], repetitions: int = 7) -> float:
    return min(_seconds(action) for _ in range(repetitions))


def _seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
