"""Progress in a terminal (a bar that is redrawn) or in a log (plain lines)."""

import time

from .progress import Progress

BAR_WIDTH = 30
SECONDS_BETWEEN_LINES = 5.0  # in a log: enough to see that it lives


class ProgressLine:
    def __init__(self, stream):
        self.stream = stream
        self.is_terminal = stream.isatty()
        self._shown: Progress | None = None
        self._last_line = 0.0

    def show(self, progress: Progress) -> None:
        if progress == self._shown:
            return
        if self.is_terminal:
            self._redraw(progress)
        elif self._is_worth_a_line(progress):
            print(f"stiction: {progress.text}", file=self.stream, flush=True)
            self._last_line = time.monotonic()
        self._shown = progress

    def end(self) -> None:
        if self.is_terminal and self._shown:
            print(file=self.stream, flush=True)

    def _redraw(self, progress):
        filled = round(BAR_WIDTH * progress.factor)
        bar = "█" * filled + "·" * (BAR_WIDTH - filled)
        print(f"\r{bar} {progress.text}\x1b[K", end="", file=self.stream, flush=True)

    def _is_worth_a_line(self, progress):
        is_new_stage = self._shown is None or progress.stage != self._shown.stage
        is_last = progress.done == progress.total
        return is_new_stage or is_last or time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES
